"""A run that is only played: systems take sectors, fail, die and join, in a time of its own."""

import heapq
import random

DONE, FAILED, LOST, WITHDRAWN = range(4)
NOBODY = 0xFFFF
WORDS = {"part": {"one": "image", "many": "images"}, "point": {"one": "source", "many": "sources"}}
MOST_ATTEMPTS = 5


MOST_BINS = 512


class History:
    """The run over time, as a server tells it: bins, which become twice as long, and marks."""

    def __init__(self, start, step=0.25):
        self.start, self.step = start, step
        self.busy, self.retried, self.done = [], [], []
        self.marks = []
        self.flowed, self.busy_slots = start, 0

    def at(self, time):
        """The number of the bin of a time. Bins are made as they are needed."""
        number = max(0, int((time - self.start) / self.step))
        while number >= MOST_BINS:
            self.busy, self.retried = ([sum(pair) for pair in self.pairs(bins)] for bins in (self.busy, self.retried))
            self.done = [{row: sum(bin.get(row, 0) for bin in pair) for row in {*pair[0], *pair[-1]}}
                         for pair in self.pairs(self.done)]
            self.step *= 2
            number = int((time - self.start) / self.step)
        while len(self.busy) <= number:
            self.busy.append(0.0)
            self.retried.append(0)
            self.done.append({})
        return number

    @staticmethod
    def pairs(bins):
        return [bins[at:at + 2] for at in range(0, len(bins), 2)]

    def flow(self, time, change):
        """So many more slots are busy from a time on."""
        while self.flowed < time:
            number = self.at(self.flowed)
            end = min(time, self.start + (number + 1) * self.step)
            if end <= self.flowed:
                break
            # Slot seconds; the mean is told.
            self.busy[number] += self.busy_slots * (end - self.flowed)
            self.flowed = end
        self.busy_slots += change

    def ended(self, row, time, is_done, is_retried):
        number = self.at(time)
        if is_done:
            self.done[number][row] = self.done[number].get(row, 0) + 1
        if is_retried:
            self.retried[number] += 1

    def told(self, first=0, first_mark=0):
        bins = [[round(self.busy[at] / self.step, 2), self.retried[at],
                 *(value for pair in sorted(self.done[at].items()) for value in pair)]
                for at in range(first, len(self.busy))]
        return {"start": self.start, "step": self.step, "first": first, "bins": bins, "marks": self.marks[first_mark:]}


class System:
    def __init__(self, row, name, slots, seconds):
        self.row, self.name, self.slots, self.seconds = row, name, slots, seconds
        self.address = "" if name == "local" else f"10.0.0.{row + 1}:4001"
        self.state, self.note = "absent", ""
        self.in_flight = {}
        self.completed = self.tasks = self.retried = self.lost = 0
        self.scan_seconds = 0.0
        self.per_second = {}


def machine(system):
    """What a machine tells of itself. One tells nothing."""
    if system.row == 1:
        return {}
    return {"host": f"{system.name}.example.org", "cores": 2 * system.slots, "load": 0.9 * system.slots if system.in_flight else 0.1,
            "memory": {"used": 3_200_000_000 + 100_000_000 * system.row, "total": 16_000_000_000}}


class Play:
    """The systems are (name, slots, mean seconds of a scan, when it joins, when it dies or None)."""

    def __init__(self, sectors, systems, passes=("scan",), failing=0.1, hopeless=(), seed=7, hedged=0.02,
                 keeps_attempts=False, begin=0.0):
        self.random = random.Random(seed)
        self.sectors, self.passes, self.failing, self.hopeless = sectors, passes, failing, set(hopeless)
        self.hedge_share = hedged
        self.now = self.begin = begin
        self.per_cell = max(1, -(-sectors // 65536))
        self.cells = {}
        self.changes, self.ended, self.failures, self.notices, self.found = [], [], [], [], []
        self.waiting, self.next = [], 0
        self.results = 0
        self.failed = self.retried = self.hedged = 0
        self.end = None
        self.finished_at = None
        self.attempts = {}
        self.pass_of = {}
        self.settled = set()
        self.reasons_of = {}
        self.recent = []
        self.history = History(begin)
        self.record = [] if keeps_attempts else None
        self.presence = []
        self.counter = 0
        self.events = []
        self.systems = []
        for row, (name, slots, seconds, joins, dies) in enumerate(systems):
            self.systems.append(System(row, name, slots, seconds))
            self.at(begin + joins, self.join, row)
            if dies is not None:
                self.at(begin + dies - 3, self.silent, row)
                self.at(begin + dies, self.die, row)

    def at(self, time, what, *arguments):
        self.counter += 1
        heapq.heappush(self.events, (time, self.counter, what, arguments))

    def advance(self, time):
        while self.events and self.events[0][0] <= time and self.end is None:
            self.now, _, what, arguments = heapq.heappop(self.events)
            what(*arguments)
        if self.end is None:
            self.now = time
            self.history.flow(time, 0)

    def notice(self, text, fault=False):
        self.notices.append({"number": len(self.notices) + 1, "time": self.now, "text": text, "fault": fault})

    # Systems

    def join(self, row):
        system = self.systems[row]
        system.state, system.note = "present", ""
        self.presence.append((self.now, row, "connected", ""))
        self.history.marks.append({"time": self.now, "kind": "joined", "system": row})
        if system.name != "local":
            self.notice(f"connected {system.name}")
        self.fill(system)

    def silent(self, row):
        system = self.systems[row]
        system.state, system.note = "silent", "silent for 2 s"
        self.presence.append((self.now, row, "silent", ""))

    def die(self, row):
        system = self.systems[row]
        system.state, system.note = "gone", "the connection was cut"
        self.presence.append((self.now, row, "disconnected", system.note))
        self.history.marks.append({"time": self.now, "kind": "died", "system": row})
        self.notice(f"disconnected {system.name}: {system.note}", True)
        for number, flight in list(system.in_flight.items()):
            self.over(system, number, LOST)
            self.waiting.append(flight[:2])
        for other in self.systems:
            self.fill(other)

    # Attempts

    def cell(self, sector):
        return self.cells.setdefault(sector // self.per_cell, [0, 0, 0, NOBODY, 0])

    def touched(self, sector):
        self.changes.append(sector // self.per_cell)

    def fill(self, system):
        while system.state == "present" and len(system.in_flight) < system.slots:
            if self.waiting:
                task, hedge = self.waiting.pop(0), 0
            elif self.has_next():
                task, hedge = (self.next, 0), 0
                self.next += 1
            else:
                return
            self.hand_out(system, task, hedge)
            if self.random.random() < self.hedge_share:
                self.hedge(system, task)

    def has_next(self):
        """Whether there is a sector that was not handed out yet."""
        return self.next < self.sectors

    def is_over(self):
        return self.results + self.failed == self.sectors

    def hedge(self, first, task):
        for other in self.systems:
            if other is not first and other.state == "present" and len(other.in_flight) < other.slots:
                self.hedged += 1
                self.hand_out(other, task, 1)
                return

    def hand_out(self, system, task, hedge):
        sector, number = task
        attempt = self.attempts[task] = self.attempts.get(task, 0) + 1
        self.counter += 1
        key = self.counter
        self.history.flow(self.now, 1)
        system.in_flight[key] = (sector, number, attempt, self.now, hedge)
        cell = self.cell(sector)
        cell[2] += 1
        cell[3], cell[4] = system.row, number
        self.touched(sector)
        took = system.seconds * self.random.uniform(0.5, 1.6)
        if system.state == "present":
            self.at(self.now + took, self.answer, system.row, key)

    def over(self, system, key, ending, reason=-1):
        sector, number, attempt, began, hedge = system.in_flight.pop(key)
        self.cell(sector)[2] -= 1
        self.touched(sector)
        entry = (sector, number, attempt, system.row, began, self.now, ending, hedge)
        self.ended.append(entry)
        is_retried = ending == LOST or (ending == FAILED and len(self.reasons_of.get((sector, number), [])) + 1 < MOST_ATTEMPTS)
        self.history.flow(self.now, -1)
        self.history.ended(system.row, self.now, ending == DONE, is_retried)
        if self.record is not None:
            self.record.append((*entry, reason))
        if ending == LOST:
            system.lost += 1
            self.try_again(system)

    def try_again(self, system):
        system.retried += 1
        self.retried += 1

    def answer(self, row, key):
        system = self.systems[row]
        flight = system.in_flight.get(key)
        if flight is None or system.state != "present":
            return
        sector, number, attempt, began, _ = flight
        task = (sector, number)
        if task in self.settled:
            self.over(system, key, WITHDRAWN)
        elif sector in self.hopeless or self.random.random() < self.failing:
            self.fail(system, key, task)
        else:
            self.done(system, key, task, began)
        self.fill(system)
        if self.is_over() and self.end is None:
            self.end, self.finished_at = "done", self.now

    def fail(self, system, key, task):
        self.over(system, key, FAILED, 0)
        sector, number = task
        reasons = self.reasons_of.setdefault(task, [])
        reasons.append({"system": system.name, "reason": "simulated failure"})
        if len(reasons) < MOST_ATTEMPTS:
            self.try_again(system)
            if len(self.notices) < 20000:
                self.notice(f"re-run {sector}: failed on {system.name}: simulated failure")
            # Elsewhere, as soon as somebody asks.
            self.waiting.append(task)
            return
        self.settled.add(task)
        self.failed += 1
        self.cell(sector)[1] += 1
        self.touched(sector)
        self.failures.append(
            {"sector": sector, "pass": number, "attempts": len(reasons), "reasons": reasons, "at": self.now})
        self.notice(f"gave up {sector} after {len(reasons)} attempts: failed on "
                    f"{system.name}: simulated failure", True)

    def passes_of(self, sector):
        """Of three passes, most sectors need two, as those of images do."""
        return len(self.passes) if len(self.passes) < 3 or sector % 9 == 0 else 2

    def done(self, system, key, task, began):
        sector, number = task
        self.over(system, key, DONE)
        self.settled.add(task)
        system.tasks += 1
        system.scan_seconds += self.now - began
        second = int(self.now)
        system.per_second[second] = system.per_second.get(second, 0) + 1
        cell = self.cell(sector)
        cell[3], cell[4] = system.row, number
        if number + 1 < self.passes_of(sector):
            self.waiting.append((sector, number + 1))
            return
        system.completed += 1
        self.results += 1
        cell[0] += 1
        self.touched(sector)
        self.found.append(sector)

    # What a viewer is told

    def state(self, name, grid=None, image=None):
        second = int(self.now)
        systems = []
        for system in self.systems:
            if system.state == "absent":
                continue
            history = [system.per_second.get(second - ago, 0) for ago in range(59, 0, -1)]
            systems.append({
                "row": system.row, "name": system.name, "address": system.address, "slots": system.slots,
                "version": "0.1.0", "state": system.state, "note": system.note,
                "inFlight": len(system.in_flight), "completed": system.completed, "tasks": system.tasks,
                "retried": system.retried, "rate": sum(history[-5:]) / 5,
                "latency": system.scan_seconds / max(1, system.tasks), "history": history,
                **machine(system)})
        rate = sum(system["rate"] for system in systems)
        tasks = sum(system["tasks"] for system in systems)
        left = (self.sectors * len(self.passes) - tasks) / rate if rate else None
        number = min(len(self.passes) - 1, tasks // max(1, self.sectors))
        text = f"pass {number + 1} of {len(self.passes)}, {self.passes[number]}"
        return {
            "time": self.now, "run": "00c0ffee00c0ffee", "name": name, "began": self.begin, "end": self.end,
            "sectors": self.sectors, "completed": self.results, "failed": self.failed, "restored": 0,
            "retried": self.retried, "hedged": self.hedged,
            "inFlight": sum(system["inFlight"] for system in systems), "rate": rate, "secondsLeft": left,
            "pass": text if len(self.passes) > 1 else None,
            "passes": list(self.passes) if len(self.passes) > 1 else [],
            "sectorsPerCell": self.per_cell, "image": image, "grid": grid, "systems": systems,
            **({"summary": f"{self.results} of {self.sectors} sectors in {self.now - self.begin:.1f} s, "
                           f"{self.results / max(0.1, self.now - self.begin):.1f} a second"} if self.end else {})}

    def cells_since(self, position):
        """The changed cells, flat, and the position for the next call."""
        end = len(self.changes)
        flat = []
        for cell in sorted(set(self.changes[position:end])):
            flat += [cell, *self.cells[cell]]
        return flat, end

    def attempts_since(self, position):
        end = len(self.ended)
        first = max(position, end - 200)
        in_flight = [
            [sector, number, attempt, system.row, began, hedge] for system in self.systems
            for sector, number, attempt, began, hedge in system.in_flight.values()][:256]
        return {
            "inFlight": [value for flight in in_flight for value in flight],
            "ended": [value for entry in self.ended[first:end] for value in entry],
            "skipped": first - position}, end
