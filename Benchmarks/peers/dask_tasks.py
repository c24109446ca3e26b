#!/usr/bin/env python3
"""Tasks of no length by dask.distributed: a scheduler and a worker of four threads, on loopback.

    dask_tasks.py TASKS SINGLES

Prints p50_us and p99_us of SINGLES tasks one at a time, and tasks_per_s of TASKS together. Needs PyPI's
dask[distributed].
"""
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from distributed import Client

from timed import rate, report, singles


def scan(sector):
    return f"sector {sector} by b"


@contextlib.contextmanager
def process(module, *arguments):
    child = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        child.terminate()
        child.wait()


def measure(client, tasks, count):
    def together(sectors):
        # With `pure`, the scheduler would reuse results of equal calls.
        client.gather(client.map(scan, sectors, pure=False))

    def alone(sector):
        client.submit(scan, sector, pure=False).result()

    together(range(200))
    report(singles(alone, count), tasks_per_s=rate(together, tasks))


def main(tasks, count):
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "scheduler.json")
        options = "--no-dashboard", "--scheduler-file", file
        with process("dask_scheduler", "--host", "127.0.0.1", "--port", "0", *options), \
                process("dask_worker", "--nthreads", "4", "--no-nanny", "--local-directory", folder, *options), \
                Client(scheduler_file=file) as client:
            client.wait_for_workers(1)
            measure(client, tasks, count)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
