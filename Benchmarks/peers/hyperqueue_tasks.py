#!/usr/bin/env python3
"""Programs that do nothing, `true`, by HyperQueue: a server and a worker of two cores, on loopback.

    hyperqueue_tasks.py TASKS

Prints tasks_per_s of TASKS, submitted as one job. Needs PyPI's hyperqueue.
"""
import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

from timed import rate


def main(tasks):
    with LocalCluster(worker_config=WorkerConfig(cores=2)) as cluster:
        client = cluster.client()

        def together(sectors):
            job = Job()
            for _ in sectors:
                # It makes no files for the tasks' outputs, which would cost it time.
                job.program(["true"], stdout=None, stderr=None)
            client.wait_for_jobs([client.submit(job)])

        together(range(20))
        print("tasks_per_s", f"{rate(together, tasks):.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
