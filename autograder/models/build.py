"""Make all that is missing, on two processes, with a line for each."""

import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from .ablations import ABLATIONS
from .store import folder, found_in, model, place_of

PROCESSES = 2
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # for each process


def make_all():
    """Train every model that is missing."""
    os.environ.update(ONE_THREAD)  # the new processes see it before they load NumPy
    missing = [name for name in ABLATIONS if found_in(place_of(name)) is None]
    if missing:
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as processes:
            for done in as_completed([processes.submit(made, name) for name in missing]):
                print(done.result(), flush=True)
    print(f"{len(ABLATIONS)} models are in {folder()}")


def made(name: str) -> str:
    """Make sure that a model is there, and say what it can do."""
    start = time.perf_counter()
    trained = model(name)
    shares = f"held out {trained.held_out:.1%}, reversible {trained.reversible:.1%}"
    return f"{name} ({trained.words}): {shares}, {time.perf_counter() - start:.0f} s"
