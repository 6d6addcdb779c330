"""One scheduler or one worker of Dask, in a separate process; run by test_cluster_faults.py with ``settings``."""

import asyncio

import dask
from distributed import Scheduler, Worker


async def main(kind, file, config, **options):
    """Run it until it is ended."""
    dask.config.set(config)
    if kind == "scheduler":
        server = Scheduler(host="127.0.0.1", port=0, dashboard=False, scheduler_file=file, **options)
    else:
        server = Worker(scheduler_file=file, nthreads=1, dashboard=False, **options)
    async with server:
        await server.finished()


asyncio.run(main(**settings))  # noqa: F821 - from the test
