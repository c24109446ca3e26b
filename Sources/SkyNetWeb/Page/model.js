"use strict";
// A run as the server's messages tell it. `Cluster`, `Report` and `Aggregate` have the same members, so that the
// views need not know where a run comes from. All times within a run are seconds since it began.

/** One system, as its row and its lane show it. */
class SystemView {
  constructor(name) {
    this.name = plain(name);
    this.address = "";
    this.slots = 0;
    this.version = "";
    this.state = "present";
    this.note = "";
    this.inFlight = 0;
    this.completed = 0;
    this.tasks = 0;
    /** The attempts that ended there without a result, and were tried again. */
    this.retried = 0;
    this.rate = 0;
    this.latency = 0;
    /** The tasks of each second of the last minute. */
    this.history = [];
    /** What the machine tells of itself, as far as it is known; the memory is {used, total} in bytes. */
    this.host = "";
    this.cores = null;
    this.load = null;
    this.memory = null;
    /** What came over it: {at, kind, note}, by time. */
    this.marks = [];
  }

  /** Takes what a row tells of the machine. */
  applyMachine({ host, cores, load, memory }) {
    this.host = plain(host ?? "");
    this.cores = cores ?? null;
    this.load = load ?? null;
    this.memory = memory ?? null;
  }

  mark(at, kind, note = "") {
    if (this.marks.length === 400) this.marks.shift();
    this.marks.push({ at, kind, note });
  }
}

/** Points on the picture, in columns that grow. */
class Points {
  static limit = 200_000;

  constructor() {
    this.count = 0;
    /** What else is known of points: a list for each name. */
    this.more = Object.create(null);
    this.x = new Float32Array(1024);
    this.y = new Float32Array(1024);
    this.strength = new Float32Array(1024);
  }

  /** Takes points of so many numbers each; `columns` are the numbers' names. */
  addAll(flat, columns = ["x", "y", "flux"]) {
    const wide = columns.length;
    for (let at = 0; at + wide <= flat.length; at += wide) {
      for (let column = 3; column < wide; column++) {
        (this.more[columns[column]] ??= [])[this.count] = flat[at + column];
      }
      this.add(flat[at], flat[at + 1], flat[at + 2]);
    }
  }

  add(x, y, strength) {
    if (this.count === Points.limit) return;
    if (this.count === this.x.length) {
      for (const column of ["x", "y", "strength"]) {
        const larger = new Float32Array(2 * this.count);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    this.x[this.count] = x;
    this.y[this.count] = y;
    this.strength[this.count] = strength;
    this.count += 1;
  }
}

/** The parts of a run that grows, by their sectors. */
class PartNames {
  static limit = 20_000;

  constructor() {
    /** {name, first, sectors}, by the first sector. */
    this.all = [];
  }

  add(parts) {
    for (const { name, first, sectors } of parts) this.all.push({ name: plain(name), first, sectors });
    if (this.all.length > PartNames.limit) this.all.splice(0, this.all.length - PartNames.limit);
  }

  /** The place among all of the part that a sector belongs to; -1 if it is not known. */
  indexOf(sector) {
    let [first, end] = [0, this.all.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.all[middle].first > sector) end = middle;
      else first = middle + 1;
    }
    const part = this.all[first - 1];
    return part && sector < part.first + part.sectors ? first - 1 : -1;
  }

  /** The name of the part that a sector belongs to; `null` if it is not known. */
  of(sector) {
    return this.all[this.indexOf(sector)]?.name ?? null;
  }

  /** The parts of sectors from `first` on and before `end`, in words; empty if they are not known. */
  text(first, end) {
    const [name, last] = [this.of(first), this.of(end - 1)];
    return name === null || last === null ? "" : name === last ? name : `${name} to ${last}`;
  }
}

/** What all kinds of page have: a run, or a cluster. */
class Model {
  constructor(hello) {
    this.kind = hello.kind;
    this.hostName = plain(hello.name);
    this.software = plain(hello.software);
    /** What the program is called on a command line. */
    this.program = plain(hello.program);
    this.journal = hello.journal ? plain(hello.journal) : null;
    /** What parts are called, and the points on the picture: {part, point}, each {one, many}. */
    this.words = hello.words;
    this.name = "";
    this.run = null;
    this.began = 0;
    /** Seconds since it began. */
    this.now = 0;
    this.end = null;
    this.sectors = 0;
    this.completed = 0;
    this.failed = 0;
    this.restored = 0;
    this.retried = 0;
    this.hedged = 0;
    this.inFlight = 0;
    this.rate = 0;
    this.secondsLeft = null;
    this.pass = null;
    this.passes = [];
    this.systems = [];
    this.field = null;
    this.layout = null;
    this.grid = null;
    this.picture = null;
    /** Of a run that grows: {known, total, done, failed, now}, where `now` has names; else `null`. */
    this.parts = null;
    this.partNames = new PartNames();
    /** How many cells the sky is to have room for, if there will be more than there are. */
    this.places = 0;
    this.points = new Points();
    this.attempts = new Attempts(4096);
    this.flying = new Attempts(256);
    /** All attempts that ended after this time are in `attempts`. */
    this.attemptsKnownFrom = 0;
    this.failures = new Map();
    /** The run over time, as far as it is told; `null` for a cluster. */
    this.history = null;
    /** What was written, of a run that has ended: {kind, name, url}. */
    this.files = [];
    /** The run's last words, when it has ended. */
    this.summary = "";
    this.notices = [];
    this.noticesLost = 0;
    this.engagements = [];
    /** Counts up with each new layout, so that the sky begins anew. */
    this.generation = 0;
  }

  get passCount() {
    return Math.max(1, this.passes.length);
  }

  /** The systems other than this process, as far as they are there. */
  get connected() {
    return this.systems.filter((system) => system.name !== "local" && system.state !== "gone").length;
  }

  get scheduled() {
    return this.inFlight;
  }

  /** What the progress counts, parts if there are some, else sectors: {done, failed, total, noun}. */
  get steps() {
    const { parts } = this;
    return parts
      ? { done: parts.done, failed: parts.failed, total: parts.total, noun: this.words.part.many }
      : { done: this.completed, failed: this.failed, total: this.sectors, noun: "sectors" };
  }

  /** In a word: idle, live, ended, or failed, where sectors were given up or the run did not come to its end. */
  get state() {
    if (this.end === null) return "live";
    return this.end === "done" && this.failed === 0 ? "ended" : "failed";
  }

  /** Whether what is shown is the end of a run. */
  get isOver() {
    return this.end !== null;
  }

  /** How much is done, from 0 to 1; `null` where there is nothing to do. */
  get share() {
    const { done, total } = this.steps;
    if (!(total > 0)) return null;
    // In its earlier passes no sector is done yet, and yet much is.
    return this.passCount > 1 && !this.parts ? this.field.shareOfAll(this.passCount) : Math.min(1, done / total);
  }

  /** What came over a system, by time. */
  marksOf(row) {
    return this.systems[row].marks;
  }

  /** Which systems scan for this one, as {moving, text}. */
  collaboration() {
    const others = this.systems.filter(
      (system) => system.name !== "local" && system.state !== "gone"
        && (system.inFlight > 0 || system.rate > 0));
    if (this.isOver) return { moving: false, text: "The run has ended." };
    if (others.length === 0) return { moving: false, text: "No other device scans for you now." };
    const sectors = others.reduce((sum, system) => sum + system.inFlight, 0);
    const names = listed(others.map((system) => system.name));
    return {
      moving: true,
      text: `${names} ${others.length === 1 ? "scans" : "scan"} `
        + `${sectors > 0 ? `${counted(sectors, "sector")} ` : ""}for you`,
    };
  }

  addNotice(notice) {
    this.notices.push({
      number: notice.number, time: notice.time, text: masked(plain(notice.text)), fault: notice.fault === true,
    });
    if (this.notices.length > 1000) this.notices.splice(0, 500);
  }
}

/** A run that goes on, of the messages of the server. */
class Run extends Model {
  constructor(hello) {
    super(hello);
    this.history = new History();
    /** Whether the run went on when the page heard of it first. */
    this.wasSeen = false;
  }

  /** What to do with a message, by its name. */
  apply(name, message) {
    switch (name) {
      case "state": this.applyState(message); break;
      case "cells": this.field?.apply(message.cells); break;
      case "attempts": this.applyAttempts(message); break;
      case "history": this.history.apply(message, this.began); break;
      case "failures": this.applyFailures(message.failures); break;
      case "notices":
        // How many were lost since the message before.
        this.noticesLost += message.lost ?? 0;
        for (const notice of message.notices) this.addNotice(notice);
        break;
      case this.words.part.many: this.partNames.add(message[name]); break;
      case this.words.point.many: this.points.addAll(message[name], message.columns); break;
    }
  }

  applyState(state) {
    this.name = plain(state.name);
    this.run = state.run;
    this.began = state.began;
    // A page that is kept after the run shows the run's end.
    if (this.end === null) this.now = Math.max(0, state.time - state.began);
    this.end = state.end === null || state.end === undefined ? null : plain(state.end);
    if (this.end === null) this.wasSeen = true;
    for (const figure of [
      "completed", "failed", "restored", "retried", "hedged", "inFlight", "rate", "secondsLeft",
    ]) {
      this[figure] = state[figure] ?? (figure === "secondsLeft" ? null : 0);
    }
    this.files = (state.files ?? []).map(({ kind, name, url }) => ({ kind, name: plain(name), url }));
    this.summary = plain(state.summary ?? "");
    this.pass = state.pass ? plain(state.pass) : null;
    this.passes = (state.passes ?? []).map(plain);
    const parts = state[this.words.part.many];
    this.parts = parts ? { ...parts, now: parts.now.map(plain) } : null;
    this.applySectors(state);
    const { image: picture = null } = state;
    // A picture is known when some of it has been read.
    if (picture && !this.picture) this.generation += 1;
    this.picture = picture;
    for (const row of state.systems) this.applySystem(row);
  }

  applySectors(state) {
    this.sectors = state.sectors;
    // The sectors of a part that was dropped keep their numbers, and do not count.
    const fieldSectors = state.fieldSectors ?? state.sectors;
    const { field } = this;
    const isGrown = field !== null && fieldSectors > field.sectors && field.perCell === state.sectorsPerCell;
    if (!isGrown && field?.sectors === fieldSectors && field.perCell === state.sectorsPerCell) return;
    this.grid = state.grid ?? null;
    if (isGrown) {
      field.grow(fieldSectors);
      if (field.count <= this.places) return;
    } else {
      // Where cells stand for more sectors than before, all of them are told again.
      this.field = new Field(fieldSectors, state.sectorsPerCell);
    }
    this.places = this.placesToCome();
    this.generation += 1;
  }

  /** How many cells there will be, so that those of parts that are still to come do not move the others. */
  placesToCome() {
    const { parts, sectors, field } = this;
    if (parts === null || parts.known === 0) return field.count;
    // Without a known end, room for half as many again is kept.
    const share = parts.total > parts.known ? parts.total / parts.known : 1.5;
    return Math.min(Field.limit, Math.ceil(Math.ceil(sectors * share) / field.perCell));
  }

  applySystem(row) {
    let system = this.systems[row.row];
    // Another system of the same name has come, and both have their addresses after it now.
    if (plain(row.name) === `${system?.name}@${system?.address}`) system.name = plain(row.name);
    const isNew = system === undefined || system.name !== plain(row.name);
    if (isNew) system = this.systems[row.row] = new SystemView(row.name);
    // Rows come in their order, but one may be missing in a message that was cut.
    for (let before = 0; before < row.row; before++) this.systems[before] ??= new SystemView("");
    if (!isNew && system.state !== row.state) this.markChange(system, row);
    system.address = plain(row.address);
    system.version = plain(row.version);
    system.state = row.state;
    system.note = plain(row.note);
    system.applyMachine(row);
    for (const figure of ["slots", "inFlight", "completed", "tasks", "retried", "rate", "latency"]) {
      system[figure] = row[figure] ?? 0;
    }
    system.history = row.history ?? [];
  }

  /** Marks what the history does not tell: it tells who came and went. */
  markChange(system, row) {
    const isBack = row.state === "present" && system.state === "silent";
    if (isBack) system.mark(this.now, "heard", plain(row.note));
    else if (!["present", "gone"].includes(row.state)) system.mark(this.now, row.state, plain(row.note));
  }

  marksOf(row) {
    const told = this.history.marks.filter((mark) => mark.system === row)
      .map(({ at, kind }) => ({ at, kind: kind === "joined" ? "joined" : "gone", note: "" }));
    return [...told, ...this.systems[row].marks];
  }

  applyAttempts(message) {
    const flat = message.inFlight ?? [];
    this.flying.clear();
    for (let at = 0; at + 5 < flat.length; at += 6) {
      this.flying.add(
        flat[at], flat[at + 1], flat[at + 2], flat[at + 3], flat[at + 4] - this.began, this.now,
        endings.open, flat[at + 5]);
    }
    const ended = message.ended ?? [];
    let earliest = this.now;
    let latest = 0;
    for (let at = 0; at + 7 < ended.length; at += 8) {
      const end = ended[at + 5] - this.began;
      earliest = Math.min(earliest, end);
      latest = Math.max(latest, end);
      this.attempts.add(
        ended[at], ended[at + 1], ended[at + 2], ended[at + 3], ended[at + 4] - this.began, end,
        ended[at + 6], ended[at + 7]);
    }
    // The page was opened after the end, which was when the last attempt ended.
    if (this.end !== null && !this.wasSeen && latest > 0) {
      this.now = latest;
      this.wasSeen = true;
    }
    if (message.skipped > 0) this.attemptsKnownFrom = earliest;
    if (this.attempts.total > this.attempts.capacity) {
      const oldest = this.attempts.ended[this.attempts.total % this.attempts.capacity];
      this.attemptsKnownFrom = Math.max(this.attemptsKnownFrom, oldest);
    }
  }

  applyFailures(failures) {
    for (const failure of failures) {
      this.failures.set(failure.sector, {
        sector: failure.sector, pass: failure.pass, attempts: failure.attempts, at: this.now,
        part: plain(failure[this.words.part.one]),
        reasons: failure.reasons.map(
          ({ system, reason }) => ({ system: plain(system), reason: plainLines(reason) })),
      });
      // The server keeps 200; a page that stays open hears of more.
      if (this.failures.size > 2000) this.failures.delete(this.failures.keys().next().value);
    }
  }
}
