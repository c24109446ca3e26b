"""The ledger: what each piece of work cost when its figure was written, and why the figure was changed then.

The file has lines of fields that are separated by tabs:

    version   NAME   VERSION                                   of the compiler, the packages, and what counts
    figure    NAME   INSTRUCTIONS   ALLOCATIONS   PEAK   WHY   the peak of the memory in KiB
    function  NAME   FIGURE=INSTRUCTIONS ...                   its own, in the figures of which they are a part

A function is listed for the figures of which its own instructions are at least a part of `LISTED`.
"""
import collections

LISTED = 0.005


class Figure:
    def __init__(self, instructions, allocations, peak, functions, why=""):
        self.instructions, self.allocations, self.peak = instructions, allocations, peak
        self.functions, self.why = functions, why

    @staticmethod
    def of(profile, peak):
        return Figure(profile.instructions, profile.allocations, peak / 1024, profile.functions)

    def grown_most(self, before):
        """The function whose own instructions have grown most, and by how many."""
        # A function that was not listed had no more than this.
        unlisted = LISTED * before.instructions

        def growth(function):
            own = self.functions[function]
            return own - before.functions.get(function, min(own, unlisted))

        function = max(self.functions, key=growth)
        return function, growth(function)


def growth(now, before, measure):
    """By which part a measure has grown."""
    now, before = getattr(now, measure), getattr(before, measure)
    return now / before - 1 if before else float(now > 0)


def update(figures, now, works, why, is_new):
    """Takes the figures over that have changed by more than is allowed, and with new versions all. Returns their names.

    The others stay as they are: many small steps would otherwise lead anywhere."""
    changed = []
    for work in works:
        for name in work.figures:
            before = figures.get(name)
            if is_new or before is None or any(
                    abs(growth(now[name], before, measure)) > most for measure, most in work.allowed.items()):
                figures[name] = now[name]
                figures[name].why = why
                changed.append(name)
    return changed


def load(path):
    """The versions and the figures, both by name."""
    versions, figures = {}, {}
    with open(path) as lines:
        for line in lines:
            kind, name, *fields = line.rstrip("\n").split("\t")
            if kind == "version":
                versions[name] = fields[0]
            elif kind == "figure":
                figures[name] = Figure(*map(float, fields[:3]), {}, *fields[3:])
            elif kind == "function":
                for field in fields:
                    figure, _, own = field.rpartition("=")
                    figures[figure].functions[name] = float(own)
    return versions, figures


def save(path, versions, figures):
    functions = collections.defaultdict(list)
    for name, figure in figures.items():
        for function, own in figure.functions.items():
            if own >= LISTED * figure.instructions:
                functions[function].append(f"{name}={own:.0f}")
    with open(path, "w") as file:
        for version in sorted(versions.items()):
            print("version", *version, sep="\t", file=file)
        for name, figure in figures.items():
            print("figure", name, f"{figure.instructions:.0f}", f"{figure.allocations:.2f}", f"{figure.peak:.0f}",
                  figure.why, sep="\t", file=file)
        for function, owns in sorted(functions.items()):
            print("function", function, *owns, sep="\t", file=file)
