"use strict";
// A run that is over, at any moment of it: its attempts as columns, applied up to the moment. Going forth applies
// what lies between; going back begins anew, which takes some milliseconds.

/** A column of a report: an array, or one number for all. */
function column(values, count, Kind, scale = 1) {
  const result = new Kind(count);
  if (!Array.isArray(values)) return result.fill((values ?? 0) * scale);
  for (let at = 0; at < count; at++) result[at] = values[at] * scale;
  return result;
}

/** What reports have in common, whether their attempts are there one by one or not. */
class Report extends Model {
  constructor(data) {
    super({ ...data, kind: "report" });
    this.data = data;
    this.name = plain(data.name);
    this.run = data.run ?? null;
    this.began = data.began;
    this.length = data.length / 1000;
    this.end = plain(data.end);
    this.sectors = data.sectors;
    /** The sectors' numbers are less than this. */
    this.fieldSectors = data.fieldSectors ?? data.sectors;
    this.passes = (data.passes ?? []).map(plain);
    this.grid = data.grid ?? null;
    this.picture = data.image ?? null;
    this.partNames.add(data.parts ?? []);
    this.summary = data.summary ?? {};
    this.reasons = (data.reasons ?? []).map(plainLines);
    this.allFailures = (data.failures ?? []).map((failure) => ({
      sector: failure.sector, part: plain(failure[this.words.part.one]), pass: failure.pass,
      attempts: failure.attempts, at: failure.at / 1000,
      reasons: failure.reasons.map(([system, reason]) => ({
        system: plain(data.systems[system]?.name ?? "?"), reason: this.reasons[reason] ?? "unknown",
      })),
    })).sort((left, right) => left.at - right.at);
    this.allNotices = (data.notices ?? []).map(([at, text, fault], index) => ({
      number: index + 1, at: at / 1000, time: data.began + at / 1000, text: plain(text), fault: fault === 1,
    }));
    this.noticesLost = data.noticesLeftOut ?? 0;
    this.systems = data.systems.map((row) => this.system(row));
    this.readPoints(data[this.words.point.many]);
    this.history = new History();
    if (data.history) this.history.apply(data.history, data.began);
    this.now = this.length;
    this.generation = 1;
  }

  system(row) {
    const system = new SystemView(row.name);
    system.slots = row.slots ?? 0;
    system.address = plain(row.address ?? "");
    system.version = plain(row.version ?? "");
    const kinds = { connected: "joined", disconnected: "gone" };
    for (const [at, kind, note] of row.presence ?? []) {
      system.marks.push({ at: at / 1000, kind: kinds[kind] ?? kind, note: plain(note) });
    }
    system.applyMachine(row);
    system.firstAttempt = Infinity;
    return system;
  }

  readPoints(points) {
    if (!points) return;
    const order = points.x.map((_, index) => index).sort((left, right) => points.at[left] - points.at[right]);
    this.pointTimes = Float64Array.from(order, (index) => points.at[index] / 1000);
    const columns = ["x", "y", "flux", ...Object.keys(points).filter((name) => !/^(x|y|flux|at)$/.test(name))];
    for (const index of order) this.points.addAll(columns.map((name) => points[name][index]), columns);
  }

  /** Sets what is known at a moment without the attempts. */
  seekCommon(moment) {
    this.now = moment;
    this.notices = this.allNotices.filter((notice) => notice.at <= moment);
    this.failures = new Map(
      this.allFailures.filter((failure) => failure.at <= moment).map((failure) => [failure.sector, failure]));
    if (this.pointTimes) {
      this.points.count = countUpTo(this.pointTimes, moment);
    }
    for (const system of this.systems) this.setState(system, moment);
  }

  get state() {
    return this.end === "done" && this.data.failed === 0 ? "ended" : "failed";
  }

  get isOver() {
    return this.now >= this.length;
  }

  setState(system, moment) {
    if (system.marks.length === 0 || system.marks[0].at > moment) {
      // A journal that does not hold comings knows a system by its attempts.
      const hasJoined = system.marks.length === 0 || system.marks[0].kind !== "joined";
      system.state = hasJoined && system.firstAttempt <= moment ? "present" : "absent";
      system.note = "";
      return;
    }
    // A silence hides what else is wrong with a system, and its end shows it again.
    let standing = { kind: "present", note: "" };
    let silence = null;
    for (const mark of system.marks) {
      if (mark.at > moment) break;
      if (mark.kind === "silent") {
        silence = mark;
        continue;
      }
      silence = null;
      if (mark.kind === "joined" || mark.kind === "resumed") standing = { kind: "present", note: "" };
      else if (mark.kind !== "heard") standing = mark;
    }
    const { kind, note } = silence ?? standing;
    system.state = kind;
    system.note = note;
  }

  setHistory(system, row, moment) {
    const done = this.history.doneBy(row);
    system.history = Array.from(
      { length: 59 }, (_, at) => this.history.rate(done, moment - 59 + at, moment - 58 + at));
  }
}

/** How many of the ascending values are at most the limit. */
function countUpTo(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A report with each attempt. */
class DetailedReport extends Report {
  constructor(data) {
    super(data);
    this.readAttempts(data.attempts);
    this.seek(this.length);
  }

  readAttempts(columns) {
    const count = columns.began.length;
    const attempts = new Attempts(Math.max(1, count));
    attempts.total = count;
    attempts.sector = column(columns.sector, count, Int32Array);
    attempts.pass = column(columns.pass, count, Uint8Array);
    attempts.attempt = column(columns.attempt, count, Uint16Array);
    attempts.system = column(columns.system, count, Uint16Array);
    attempts.ending = column(columns.ending, count, Uint8Array);
    attempts.isHedge = column(columns.hedge, count, Uint8Array);
    this.reason = column(columns.reason ?? -1, count, Int16Array);
    const took = column(columns.took, count, Float64Array, 0.001);
    this.processes = this.endsOfProcesses(columns, took);
    let began = 0;
    for (let at = 0; at < count; at++) {
      began += columns.began[at] / 1000;
      attempts.began[at] = began;
      attempts.ended[at] = took[at] >= 0 ? began + took[at] : this.endOfProcess(began);
      const system = this.systems[attempts.system[at]];
      if (!system) continue;
      system.firstAttempt = Math.min(system.firstAttempt, began);
    }
    this.attempts = attempts;
    this.ended = attempts.ended.slice(0, count).sort();
    this.ends = column(columns.ends, count, Uint8Array);
    this.byEnd = Uint32Array.from({ length: count }, (_, index) => index)
      .sort((left, right) => attempts.ended[left] - attempts.ended[right]);
  }

  /** When each process ended; one that was killed told no end, and is taken to have ended with its last news. */
  endsOfProcesses(columns, took) {
    const processes = (this.data.processes ?? []).map(({ began, ended }) => ({ began: began / 1000, ended: (ended ?? 0) / 1000 }));
    const latest = processes.map(({ began }) => began);
    let began = 0;
    let process = 0;
    for (let at = 0; at < took.length; at++) {
      began += columns.began[at] / 1000;
      while (process + 1 < processes.length && processes[process + 1].began <= began) process += 1;
      if (process < latest.length) latest[process] = Math.max(latest[process], began + Math.max(0, took[at]));
    }
    return processes.map(({ began: from, ended }, index) => {
      const isLast = index === processes.length - 1;
      return { began: from, ended: ended > 0 ? ended : isLast ? this.length : latest[index] };
    });
  }

  /** An attempt without an end lasted until its process ended, as far as that is known. */
  endOfProcess(time) {
    const process = this.processes.findLast(({ began }) => began <= time);
    return process ? Math.max(time, process.ended) : this.length;
  }

  reset() {
    this.field = new Field(this.fieldSectors, Math.ceil(this.fieldSectors / 65_536));
    this.isDone = new Uint8Array(this.fieldSectors);
    this.begun = 0;
    this.finished = 0;
    this.late = 0;
    this.failedSeen = 0;
    this.completed = 0;
    this.failed = 0;
    this.retried = 0;
    this.hedged = 0;
    this.inFlight = 0;
    for (const system of this.systems) {
      system.inFlight = system.completed = system.tasks = system.retried = 0;
      system.seconds = system.recent = 0;
    }
  }

  seek(moment) {
    if (this.field === null || moment < this.now || this.begun === undefined) this.reset();
    const { began, ended } = this.attempts;
    const count = this.attempts.total;
    // An attempt ends after it began, so of the two next ones the earlier is applied.
    while (true) {
      const next = this.begun < count ? began[this.begun] : Infinity;
      const end = this.finished < count ? ended[this.byEnd[this.finished]] : Infinity;
      if (Math.min(next, end) > moment) break;
      if (next <= end) this.begin(this.begun++);
      else this.finish(this.byEnd[this.finished++]);
    }
    for (; this.late < count && ended[this.byEnd[this.late]] <= moment - 5; this.late++) {
      this.countRecent(this.byEnd[this.late], -1);
    }
    while (this.failedSeen < this.allFailures.length && this.allFailures[this.failedSeen].at <= moment) {
      this.giveUp(this.allFailures[this.failedSeen++]);
    }
    this.seekCommon(moment);
    this.setFigures(moment);
  }

  begin(at) {
    const { sector, system, pass, isHedge } = this.attempts;
    const cell = this.field.cellOf(sector[at]);
    this.field.inFlight[cell] += 1;
    this.field.system[cell] = system[at];
    this.field.pass[cell] = pass[at];
    this.field.touch(cell);
    this.inFlight += 1;
    if (this.systems[system[at]]) this.systems[system[at]].inFlight += 1;
    if (isHedge[at]) this.hedged += 1;
  }

  finish(at) {
    const { sector, system, pass, ending, began, ended } = this.attempts;
    const cell = this.field.cellOf(sector[at]);
    const row = this.systems[system[at]];
    this.field.inFlight[cell] -= 1;
    this.field.touch(cell);
    this.inFlight -= 1;
    if (!row) return;
    row.inFlight -= 1;
    if (ending[at] === endings.failed || ending[at] === endings.lost) row.retried += 1;
    if (ending[at] !== endings.done) return;
    row.tasks += 1;
    row.seconds += ended[at] - began[at];
    this.countRecent(at, 1);
    this.field.system[cell] = system[at];
    this.field.pass[cell] = pass[at];
    if (this.ends[at] !== 1 || this.isDone[sector[at]]) return;
    this.isDone[sector[at]] = 1;
    row.completed += 1;
    this.completed += 1;
    this.field.completed[cell] += 1;
  }

  countRecent(at, number) {
    const row = this.systems[this.attempts.system[at]];
    if (row && this.attempts.ending[at] === endings.done) row.recent += number;
  }

  giveUp({ sector, reasons }) {
    // No attempt followed the last one.
    const last = this.systems.find((system) => system.name === reasons.at(-1)?.system);
    if (last?.retried > 0) last.retried -= 1;
    const cell = this.field.cellOf(sector);
    this.field.failed[cell] += 1;
    this.field.touch(cell);
    this.failed += 1;
  }

  setFigures(moment) {
    const window = Math.min(5, Math.max(0.001, moment));
    this.rate = 0;
    this.systems.forEach((system, row) => {
      system.rate = system.recent / window;
      system.latency = system.tasks > 0 ? system.seconds / system.tasks : 0;
      this.rate += system.rate;
      this.setHistory(system, row, moment);
    });
    this.retried = this.systems.reduce((sum, system) => sum + system.retried, 0);
    if (moment >= this.length) {
      // The list of failures is cut, and attempts that were lost before their scans began are no retries.
      const { completed, failed, retried } = this.data;
      Object.assign(this, { completed, failed, retried });
      for (const row of this.summary.systems ?? []) this.systems[row.system].retried = row.retried;
    }
    this.secondsLeft = Math.max(0, this.length - moment);
  }
}

/** The report in the page, or null if this is a page of a server. */
function embeddedReport() {
  const element = byID("report");
  if (!element) return null;
  const data = JSON.parse(element.textContent);
  element.remove();
  return data.aggregate ? new AggregateReport(data) : new DetailedReport(data);
}
