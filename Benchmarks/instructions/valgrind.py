"""Counts what a program executes and allocates, by valgrind.

callgrind counts instructions, function by function: those that the program executes in user mode, and not the kernel's.
massif measures the peak of the memory that was allocated. The same program with the same input gives the same figures,
however busy the machine is, up to what depends on time and on the order of threads.
"""
import collections
import glob
import os
import re
import subprocess
import time

# The functions of the C library by which everything here takes memory.
ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"}

# How long a program may take, in seconds: beyond that it waits for something that does not come.
LONGEST = 300

# The same for everybody, since some work depends on what is in it. Swift would hash by another seed in each process. The
# C library would copy large blocks by one instruction (rep movsb), which valgrind counts once for each byte.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_DETERMINISTIC_HASHING": "1",
               "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000"}


class Failed(Exception):
    """A program did not run, or did not end as it should."""


class Profile:
    """What processes have executed: `functions`, the own instructions of each function by its name, their sum
    `instructions`, and `allocations`, how often memory was taken."""

    def __init__(self, functions, allocations):
        self.functions, self.allocations = functions, allocations

    @property
    def instructions(self):
        return sum(self.functions.values())

    def of_each(self, other, count):
        """What one of `count` equal tasks took, by which this run had more than the other one."""
        functions = collections.Counter(self.functions)
        functions.subtract(other.functions)
        return Profile(
            {name: own / count for name, own in functions.items() if own},
            (self.allocations - other.allocations) / count)


class Counted:
    """callgrind. `only` is the name of a function of the program: nothing but what it calls is counted."""

    def __init__(self, only=None):
        self.options = ["--tool=callgrind", "--demangle=no", "--dump-line=no", "--callgrind-out-file={folder}/out.%p"]
        if only:
            self.options.append(f"--toggle-collect=*{only}*")

    def result(self, files):
        """The profile of a program and of all processes that it forked, each of which has written a file."""
        functions, allocations = collections.Counter(), 0
        for file in files:
            profile = read_profile(file)
            functions.update(profile.functions)
            allocations += profile.allocations
        return Profile(dict(functions), allocations)


class Weighed:
    """massif."""

    options = ["--tool=massif", "--heap-admin=0", "--depth=1", "--peak-inaccuracy=0.0", "--threshold=100.0",
               "--massif-out-file={folder}/out.%p"]

    def result(self, files):
        """The peak of the process that had most, in bytes."""
        peak = 0
        for file in files:
            with open(file) as lines:
                peak = max([peak, *(int(line[11:]) for line in lines if line.startswith("mem_heap_B="))])
        return peak


class Process:
    """A program under valgrind. The folder, which is new, gets what it says and what is counted."""

    def __init__(self, tool, folder, arguments):
        os.mkdir(folder)
        self.tool, self.folder, self.arguments, self.log = tool, folder, arguments, f"{folder}/log"
        options = [option.format(folder=folder) for option in tool.options]
        # A cluster of its own, with a key of its own.
        environment = {**ENVIRONMENT, "XDG_CONFIG_HOME": os.path.dirname(folder)}
        with open(self.log, "w") as output:
            self.process = subprocess.Popen(
                ["valgrind", *options, *arguments], env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def said(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def fail(self, what):
        raise Failed(f"{' '.join(self.arguments)}\n{what}:\n{self.said()[-2000:]}")

    def wait_for(self, pattern):
        """Waits until the program has said something, and returns the pattern's first group."""
        end = time.monotonic() + LONGEST
        while not (found := re.search(pattern, self.said())):
            if self.process.poll() is not None:
                self.fail(f"ended early, with {self.process.returncode}")
            if time.monotonic() > end:
                self.fail(f"says nothing like '{pattern}'")
            time.sleep(0.05)
        return found[1]

    def result(self, status=0):
        """Waits for the program's end, and returns what was counted."""
        try:
            self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.fail("does not end")
        if self.process.returncode != status:
            self.fail(f"ended with {self.process.returncode}")
        return self.tool.result(glob.glob(f"{self.folder}/out.*"))

    def stop(self):
        """Ends a program that serves, and returns what was counted."""
        self.process.terminate()
        return self.result()


def read_profile(file):
    """Reads a profile. Its format is in valgrind's manual, "Callgrind Format Specification"."""
    names, functions, allocations = {}, collections.Counter(), 0
    current = called = None
    is_inclusive = False

    def name(text):
        number, _, given = text.rstrip().partition(" ")
        if given:
            # A function that calls itself has an instance for each depth: name, name'2, …
            names[number] = given.split("'")[0]
        return names[number]

    with open(file) as lines:
        for line in lines:
            if line.startswith("fn="):
                current = name(line[3:])
            elif line.startswith("cfn="):
                called = name(line[4:])
            elif line.startswith("calls="):
                if called in ALLOCATORS and current not in ALLOCATORS:
                    allocations += int(line[6:].split()[0])
                is_inclusive = True
            elif line[0] in "+-*0123456789":
                # The line behind `calls=` has the cost of all that was called.
                if not is_inclusive:
                    functions[current] += int(line.split()[1])
                is_inclusive = False
    return Profile(dict(functions), allocations)
