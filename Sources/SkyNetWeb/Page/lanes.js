"use strict";
// What the time line shows: for each system how its attempts ended over time, what came and went, and the
// latest attempts one by one.

/** How attempts ended, as the messages number it. */
const endings = { done: 0, failed: 1, lost: 2, withdrawn: 3, open: 4 };

/** Counts over time in a fixed number of buckets, which become twice as wide when time goes beyond them. */
class Lane {
  static buckets = 512;

  constructor(step = 0.25) {
    this.step = step;
    this.done = new Float32Array(Lane.buckets);
    this.failed = new Float32Array(Lane.buckets);
    this.lost = new Float32Array(Lane.buckets);
    this.withdrawn = new Float32Array(Lane.buckets);
  }

  /** Counts attempts that ended so many seconds after the run began. */
  add(seconds, counts, number = 1) {
    if (!(seconds >= 0)) return;
    while (seconds >= this.step * Lane.buckets) this.fold();
    counts[Math.floor(seconds / this.step)] += number;
  }

  /** Counts attempts that ended sometime between two moments: as many in each part of the time. */
  spread(from, to, counts, number) {
    if (!(number > 0)) return;
    while (to >= this.step * Lane.buckets) this.fold();
    if (to <= from) {
      this.add(to, counts, number);
      return;
    }
    for (let at = Math.floor(from / this.step); at <= Math.floor(to / this.step); at++) {
      const start = Math.max(from, at * this.step);
      const end = Math.min(to, (at + 1) * this.step);
      counts[at] += number * (end - start) / (to - from);
    }
  }

  fold() {
    for (const counts of [this.done, this.failed, this.lost, this.withdrawn]) {
      for (let at = 0; at < Lane.buckets / 2; at++) counts[at] = counts[2 * at] + counts[2 * at + 1];
      counts.fill(0, Lane.buckets / 2);
    }
    this.step *= 2;
  }

  /** How many there were per second around a time; wide buckets are taken as even. */
  density(counts, time, span) {
    const first = Math.floor(time / this.step);
    const last = Math.max(first, Math.floor((time + span) / this.step - 1e-9));
    let sum = 0;
    for (let at = first; at <= last && at < Lane.buckets; at++) sum += at >= 0 ? counts[at] : 0;
    return sum / ((last - first + 1) * this.step);
  }
}

/** Attempts as columns. A ring keeps the latest ones; a report has room for all. */
class Attempts {
  constructor(capacity) {
    this.capacity = capacity;
    this.total = 0;
    this.sector = new Int32Array(capacity);
    this.pass = new Uint8Array(capacity);
    this.attempt = new Uint16Array(capacity);
    this.system = new Uint16Array(capacity);
    this.began = new Float64Array(capacity);
    this.ended = new Float64Array(capacity);
    this.ending = new Uint8Array(capacity);
    this.isHedge = new Uint8Array(capacity);
  }

  get count() {
    return Math.min(this.total, this.capacity);
  }

  add(sector, pass, attempt, system, began, ended, ending, isHedge) {
    const at = this.total % this.capacity;
    this.sector[at] = sector;
    this.pass[at] = pass;
    this.attempt[at] = attempt;
    this.system[at] = system;
    this.began[at] = began;
    this.ended[at] = ended;
    this.ending[at] = ending;
    this.isHedge[at] = isHedge;
    this.total += 1;
  }

  clear() {
    this.total = 0;
  }

  /** The indexes of the attempts of a sector's cell, the earliest first. */
  ofSectors(first, end) {
    const found = [];
    for (let at = 0; at < this.count; at++) {
      if (this.sector[at] >= first && this.sector[at] < end) found.push(at);
    }
    return found.sort((left, right) => this.began[left] - this.began[right]);
  }
}
