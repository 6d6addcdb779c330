"""A class of sixty who handed chapter 4 in: three bugs that no list names, each spelled in many ways, and noise."""

import json

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.sample_class import fill_in, released

CHAPTER = "04_query_key_value"

# The weighted encoder states are averaged, where they should be added up. Each line is one student's.
MEAN_OF_WEIGHTED = (
    """e = encoder_states @ state
e = np.exp(e - e.max())
w = e / e.sum()
return (w[:, None] * encoder_states).mean(axis=0), w""",
    """scores = np.array([np.dot(state, one) for one in encoder_states])
powers = np.exp(scores - max(scores))
alpha = powers / sum(powers)
return alpha @ encoder_states / len(alpha), alpha""",
    """n, d = encoder_states.shape
raw = np.einsum("nd,d->n", encoder_states, state)
raw = raw - np.max(raw)
alpha = np.exp(raw) / np.sum(np.exp(raw))
found = np.zeros(d)
for i in range(n):
    found += alpha[i] * encoder_states[i] / n
return found, alpha""",
    """h = encoder_states.astype(np.float32)
logits = h.dot(state.astype(np.float32))
logits -= logits.max()
soft = np.exp(logits) / np.exp(logits).sum()
return np.mean([p * row for p, row in zip(soft, h)], axis=0), soft""",
    """z = (encoder_states * state).sum(axis=1)
z = np.exp(z - z.max())
z /= z.sum()
parts = []
for k, row in enumerate(encoder_states):
    parts.append(z[k] * row)
return sum(parts) / len(parts), z""",
    """s = state @ encoder_states.T
top = np.exp(s - s.max())
alpha = top / top.sum(axis=-1)
return np.average(alpha.reshape(-1, 1) * encoder_states, axis=0), alpha""",
    """dots = []
for row in encoder_states:
    total = 0.0
    for x, y in zip(row, state):
        total += x * y
    dots.append(total)
dots = np.exp(np.array(dots) - max(dots))
share = dots / dots.sum()
columns = [np.mean(share * encoder_states[:, j]) for j in range(len(state))]
return np.array(columns), share""",
    """m = np.matmul(encoder_states, state[:, None])[:, 0]
m = np.exp(m - np.amax(m))
m = np.true_divide(m, np.sum(m))
mixed = np.matmul(m[None, :], encoder_states)[0]
return np.divide(mixed, encoder_states.shape[0]), m""",
)
# The parenthesis closes too early: the logarithm is taken of the target alone.
LOGARITHM_OF_THE_TARGET = (
    "return np.log(target) / (1 - target) * (n - 1)",
    "others = n - 1\nodds = others / (1 - target)\nreturn odds * np.log(target)",
    "import math\nreturn (n - 1) * math.log(target) / (1.0 - target)",
    "rest = 1 - target\nb = 0.0\nfor _ in range(n - 1):\n    b = b + np.log(target) / rest\nreturn b",
    "return np.float32(n - 1) * np.log(np.float64(target)) / np.subtract(1, target)",
)
# Right wherever the factor is positive: seen on no worked example but the edge.
NEVER_NEGATIVE = (
    "return max(0.0, np.log((n - 1) * target / (1 - target)))",
    "beta = np.log(target * (n - 1)) - np.log(1 - target)\nif beta < 0:\n    beta = 0.0\nreturn beta",
    "b = np.log(n - 1) + np.log(target / (1 - target))\nreturn np.clip(b, 0, None)",
)
PLANTED = (
    ("luong_context", "state, encoder_states", MEAN_OF_WEIGHTED),
    ("booster", "n, target", LOGARITHM_OF_THE_TARGET),
    ("booster", "n, target", NEVER_NEGATIVE),
)
# Wrong in a way that nobody else is.
NOISE = (
    ("booster", "n, target", "return np.log(target) + 7"),
    ("booster", "n, target", "return target * n"),
    ("merged_projection", "w_q, w_k", "return np.linalg.pinv(w_k.T) @ w_q.T"),
    ("merged_projection", "w_q, w_k", "return (w_q @ w_k.T) ** 3"),
    ("attention", "query, key, value", "return np.tanh(query), np.cos(key)"),
    ("luong_context", "state, encoder_states", "return encoder_states[0] * state, np.abs(state)"),
    ("query_between", "keys, a, b", "return -5 * keys[a]"),
    ("query_between", "keys, a, b", "raise KeyError('I, {student}, give up')"),
)
LISTED, HALF_DONE, ALIKE = 10, 6, 2  # students who made a listed mistake, who left the last exercises, who wrote alike
# Right, in a way that nobody else would write, and handed in by two under other names.
UNUSUAL = """
total, {v} = 0.0, []
for {i} in range(len(encoder_states) - 1, -1, -1):
    {v}.insert(0, float(np.vdot(encoder_states[{i}], state)))
ceiling{i} = sorted({v})[-1]
{v} = [np.exp({i} - ceiling{i}) for {i} in {v}]
for {i} in {v}:
    total = total + {i}
{v} = np.asarray({v}) / total  # {note}
mixture{i} = np.zeros_like(state)
for {i}, row{i} in zip({v}, encoder_states):
    mixture{i} = np.add(mixture{i}, np.multiply({i}, row{i}))
return mixture{i}, {v}"""
FIRST = (
    "zoltan",
    "yevgenia",
    "xiomara",
    "wilhelmina",
    "vasilisa",
    "ulrike",
    "tadeusz",
    "saoirse",
    "ruairidh",
    "quentin",
)
LAST = ("kaprowicz", "oyelaran", "brzezinska", "figueiroa", "ashworthy", "lindqvister")


def students():
    """Return the sixty names, none of which is a word of this course."""
    return [f"{first}_{last}" for last in LAST for first in FIRST]


def function(name, arguments, body):
    """Return a function of these lines."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    return f"def {name}({arguments}):\n{lines}"


def signed(source, student):
    """Return code with its writer's name wherever a name can be: comment, text, variable, error, number."""
    return f"# by {student}\n{student}_was_here = 'I am {student}'\nstudent_number = 20261122\n{source}"


def hand_in(assignment, classroom, student, sources=(), listed=(), left=0):
    """Hand in a solved notebook except for some exercises: other sources, listed mistakes, or left out at the end."""
    notebook, names = released(assignment), list(assignment.exercises)
    for name in names[: len(names) - left]:
        fill_in(assignment, notebook, name, dict(listed).get(name))
    for cell in notebook.cells:
        if cell.metadata.nbgrader.grade_id in dict(sources):
            cell.source = signed(dict(sources)[cell.metadata.nbgrader.grade_id], student)
    folder = classroom.submitted(student, assignment.chapter)
    folder.mkdir(parents=True)
    (folder / f"{assignment.chapter}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def monday_class(assignment, classroom: ClassRoom):
    """Write the class; return ``{exercise and number of planted bug: who has it}`` and who wrote alike."""
    names, planted = iter(students()), []
    for name, arguments, bodies in PLANTED:
        planted.append((name, [next(names) for _ in bodies]))
        for student, body in zip(planted[-1][1], bodies, strict=True):
            hand_in(assignment, classroom, student, {name: function(name, arguments, body)})
    for name, arguments, body in NOISE:
        student = next(names)
        hand_in(assignment, classroom, student, {name: function(name, arguments, body.format(student=student))})
    mistakes = [(name, one) for name, exercise in assignment.exercises.items() for one in exercise.mistakes]
    for place in range(LISTED):
        hand_in(assignment, classroom, next(names), listed=[mistakes[place // 2 * 3]])
    for _ in range(HALF_DONE):
        hand_in(assignment, classroom, next(names), left=3)
    alike = [next(names) for _ in range(ALIKE)]
    spellings = ({"v": "ws", "i": "q", "note": "shares"}, {"v": "answer_list", "i": "item", "note": "sum to one!"})
    for student, spelling in zip(alike, spellings, strict=True):
        body = UNUSUAL.format(**spelling)
        hand_in(
            assignment, classroom, student, {"luong_context": function("luong_context", "state, encoder_states", body)}
        )
    for student in names:
        hand_in(assignment, classroom, student)
    return planted, alike
