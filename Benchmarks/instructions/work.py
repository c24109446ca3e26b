"""The fixed pieces of work that are counted, and how each is done."""
import tempfile

from ledger import Figure
from valgrind import Counted, Process, Weighed

# The tasks of a short run and of a long one. Their difference has no start, no connection and no end.
TASKS = (1_000, 5_000)
JOURNALLED_TASKS = (2_000, 10_000)
LARGE_TASKS = (200, 1_000)
PROGRAMS = (100, 400)

COORDINATOR, NODE = ENDS = ("coordinator", "node")


# By which part the measures of a figure may grow. Work in one process gives the same figures each time. In a cluster, it
# depends on time how many messages are read, written and journalled at once, and how many are on their way.
ALONE = {"instructions": 0.01, "allocations": 0.01, "peak": 0.01}
TOGETHER = {"instructions": 0.02, "allocations": 0.05, "peak": 0.2}
# What waits for processes of others looks at them more or less often.
PROCESSES = {"instructions": 0.05, "allocations": 0.05, "peak": 0.2}


class Work:
    """A piece of work, with the names of its figures. `count` does it and returns the figures in the same order."""

    def __init__(self, figures, count, allowed):
        self.figures, self.count, self.allowed = figures, count, allowed


def all_work(skynet, pieces):
    """Every piece of work. `skynet` is the command, `pieces` the program that does what needs no cluster."""
    yield cluster(skynet, "empty task", TASKS, "--results", "/dev/null")
    yield cluster(
        skynet, "task with a journal", JOURNALLED_TASKS, "--journal", "{folder}/journal.sqlite", ends=(COORDINATOR,))
    yield cluster(skynet, "task of 64 KiB", LARGE_TASKS, "--sector-bytes", "65536")
    yield cluster(skynet, "attempt that fails", TASKS, "--attempts", "1", failing_every=1, status=1)
    yield programs(skynet)
    for sky in ("sparse", "crowded", "galaxies"):
        for size in ("short", "long"):
            yield alone(f"detection, {sky}, {size} list", pieces, f"detect-{sky}-{size}")
    yield alone("unpacking Rice", pieces, "unpack-rice")
    yield alone("a thousand events", pieces, "see-events")
    yield whole("start of --version", skynet, "--version")


def cluster(skynet, name, tasks, *options, ends=ENDS, failing_every=0, status=0):
    """Tasks without a length, which a node scans over TLS on loopback."""
    def run(tool, total, folder):
        with Process(tool, f"{folder}/node", [
                skynet, "node", "--name", "a", "--host", "127.0.0.1", "--no-discovery", "--slots", "4",
                "--timeout", "120", "--log-level", "warning"]) as node:
            port = node.wait_for(r" ready on port (\d+)")
            with Process(tool, f"{folder}/coordinator", [
                    skynet, "engage", "--no-discovery", "--no-local", "--peers", f"127.0.0.1:{port}", "--wait-for", "1",
                    "--timeout", "120", "--scan-seconds", "0", "--failing-every", str(failing_every),
                    "--total", str(total), *(option.format(folder=folder) for option in options)]) as coordinator:
                results = {COORDINATOR: coordinator.result(status), NODE: node.stop()}
        return [results[end] for end in ends]

    return Work([f"{name}, {end}" for end in ends], lambda: of_each(run, tasks), TOGETHER)


def programs(skynet):
    """The program `true`, again and again: what the command executes, and the processes that run programs for it."""
    def run(tool, total, folder):
        with Process(tool, f"{folder}/coordinator", [
                skynet, "engage", "--no-discovery", "--slots", "1", "--total", str(total), "--", "true"]) as process:
            return [process.result()]

    return Work(["program true"], lambda: of_each(run, PROGRAMS), PROCESSES)


def alone(name, pieces, piece):
    """What is done in one process, without its preparation."""
    return one_process(name, Counted(only="countedWork"), [pieces, piece])


def whole(name, *arguments):
    """A process from its start to its end."""
    return one_process(name, Counted(), list(arguments))


def one_process(name, counted, arguments):
    def count():
        with tempfile.TemporaryDirectory() as folder:
            results = []
            for tool in (counted, Weighed()):
                with Process(tool, f"{folder}/{len(results)}", arguments) as process:
                    results.append(process.result())
        return [Figure.of(*results)]

    return Work([name], count, ALONE)


def of_each(run, totals):
    """The figures of one task: instructions and allocations are those by which a long run has more than a short one, and
    the peak is the long run's."""
    few, many = totals
    results = []
    for tool, total in ((Counted(), few), (Counted(), many), (Weighed(), many)):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(tool, total, folder))
    return [
        Figure.of(long.of_each(short, many - few), peak) for short, long, peak in zip(*results)]
