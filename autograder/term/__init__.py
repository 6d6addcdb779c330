"""A class over a term: its file and roster, when work was due and when it came, and what each submission counts."""
