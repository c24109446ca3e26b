"""Shared by the peers in Python: times their tasks, and prints the figures."""
import time


def singles(run, count):
    """Runs one task after the other, and returns the seconds of each, sorted."""
    times = []
    for sector in range(count):
        begin = time.perf_counter()
        run(sector)
        times.append(time.perf_counter() - begin)
    return sorted(times)


def rate(run, count):
    """Runs this many tasks together, and returns how many were done per second."""
    begin = time.perf_counter()
    run(range(count))
    return count / (time.perf_counter() - begin)


def report(times, **rates):
    """Prints a line for each figure: its name and its number."""
    for name, share in ("p50_us", 0.5), ("p99_us", 0.99):
        print(name, f"{times[min(len(times) - 1, int(share * len(times)))] * 1e6:.1f}")
    for name, number in rates.items():
        print(name, f"{number:.0f}")
