#!/usr/bin/env python3
"""Tasks of no length by Ray, on this machine: its tasks, and calls of one actor.

    ray_tasks.py TASKS SINGLES

Prints p50_us and p99_us of SINGLES calls of the actor one at a time, tasks_per_s of TASKS tasks, and
actor_tasks_per_s of as many calls. Needs PyPI's ray.
"""
import os
import sys

import ray

from timed import rate, report, singles


@ray.remote
def scan(sector):
    return f"sector {sector} by b"


@ray.remote
class System:
    def scan(self, sector):
        return f"sector {sector} by b"


def main(tasks, count):
    ray.init(
        num_cpus=os.cpu_count(), include_dashboard=False, log_to_driver=False, logging_level="error",
        _node_ip_address="127.0.0.1")
    try:
        system = System.options(num_cpus=0).remote()

        def by_tasks(sectors):
            ray.get([scan.remote(sector) for sector in sectors])

        def by_actor(sectors):
            ray.get([system.scan.remote(sector) for sector in sectors])

        by_tasks(range(200))
        by_actor(range(200))
        report(
            singles(lambda sector: ray.get(system.scan.remote(sector)), count),
            tasks_per_s=rate(by_tasks, tasks), actor_tasks_per_s=rate(by_actor, tasks))
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
