"""The autograder of *Attention, Row by Row*: a reference, checks on it, a sandbox, and the pipeline that joins them."""
