"""Make all that is missing, on two processes, with a line for each."""

import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import autograder.checks

from .ablations import ABLATIONS
from .consequences import consequences_of, exercises, make_consequences
from .quantised import packed
from .readers import READERS, kept_in, learned_in, read_by
from .reversal import NAME, is_kept, reversal_record
from .store import folder, found_in, model, place_of

PROCESSES = 2
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # for each process


def make_all():
    """Train every model that is missing, then put every mistake whose consequence is missing into the translator."""
    os.environ.update(ONE_THREAD)  # the new processes see it before they load NumPy
    work = [(trained, name) for name in ABLATIONS if found_in(place_of(name)) is None]
    work += [(read, name) for name in READERS if learned_in(kept_in(name)) is None]
    work += [] if is_kept() else [(turned, NAME)]
    stale = [name for name in exercises() if (trained, "translator") in work or not consequences_of(name)]
    work += [(put_in, name) for name in sorted(stale, key=lambda name: -len(exercises()[name].mistakes))]
    if work:
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as processes:
            for done in as_completed([processes.submit(task, name) for task, name in work]):
                print(done.result(), flush=True)
    counts = f"models {len(ABLATIONS)}, readers {len(READERS)}"
    print(f"{folder()}: {counts}, exercises whose mistakes were put into one {len(exercises())}")


def trained(name: str) -> str:
    """Make sure that a model is there, and say what it can do."""
    start = time.perf_counter()
    made = model(name)
    shares = f"held out {made.held_out:.1%}, reversible {made.reversible:.1%}"
    return f"{name} ({made.words}): {shares}, {time.perf_counter() - start:.0f} s"


def read(name: str) -> str:
    """Make sure that a reader's record is there, and say what it answers at the greatest length."""
    start = time.perf_counter()
    games = [(game, list(rows.items())[-1]) for game, rows in read_by(name)["games"].items()]
    shares = ", ".join(f"{game} among {n} {sum(row['right']) / len(row['right']):.1%}" for game, (n, row) in games)
    return f"{name} ({READERS[name].words}): {shares}, {time.perf_counter() - start:.0f} s"


def turned(name: str) -> str:
    """Make sure that the record of the reversal is there, and say what was learned."""
    start = time.perf_counter()
    last = reversal_record()["checkpoints"][-1]
    return f"{name} (letters written backwards): held out {last['held_out']:.1%}, {time.perf_counter() - start:.0f} s"


def put_in(name: str) -> str:
    """Make sure that the consequences of an exercise's mistakes are there, and say how many change something."""
    start = time.perf_counter()
    made = make_consequences(name)
    harm = sum(consequence["unchanged"] < 1 for consequence in made.values())
    return f"{name}: {harm} of {len(made)} mistakes change translations, {time.perf_counter() - start:.0f} s"


def write_translator():
    """Write the translator in eight bits where chapter 11's notebook finds it, and say where.

    The file is committed: what was trained elsewhere may differ in its last bits, so no build writes it.
    """
    path = Path(autograder.checks.__file__).with_name("translator.json")
    path.write_text(json.dumps(packed(model("translator").model)) + "\n", encoding="utf-8")
    print(path)
