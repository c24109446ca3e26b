"use strict";
// The whole run over time, in bins: how many slots were busy, which tasks each system ended, how many were tried again,
// and who came and went. A server tells it from the beginning, so that it is right whenever the page is opened.

class History {
  /** A server makes bins twice as long before there would be more. */
  static most = 512;

  constructor() {
    /** Counts up with each change. */
    this.version = 0;
    /** Bin 0 begins so many seconds after the run. */
    this.start = 0;
    this.step = 1;
    this.count = 0;
    /** The mean number of busy slots. */
    this.busy = new Float32Array(History.most);
    /** The attempts that ended without a result and were tried again. */
    this.retried = new Float32Array(History.most);
    /** The tasks that a system ended, by its row. */
    this.done = new Map();
    /** {at, kind, system}, where the kind is joined, left, died or resumed, and the system a row or null. */
    this.marks = [];
    this.known = new Set();
  }

  /** Takes an event of a server, or what a report has of its run, which began at `began`. */
  apply(message, began) {
    this.version += 1;
    if (message.step !== this.step) {
      this.count = 0;
      this.step = message.step;
      this.busy.fill(0);
      this.retried.fill(0);
      this.done.clear();
    }
    this.start = message.start - began;
    (message.bins ?? []).forEach((bin, index) => this.applyBin(message.first + index, bin));
    for (const mark of message.marks ?? []) {
      const { time, kind, system = null } = mark;
      const key = `${time} ${kind} ${system}`;
      if (this.known.has(key) || this.marks.length === 2000) continue;
      this.known.add(key);
      this.marks.push({ at: time - began, kind, system });
    }
  }

  applyBin(at, [busy, retried, ...done]) {
    if (!(at >= 0 && at < History.most)) return;
    this.count = Math.max(this.count, at + 1);
    this.busy[at] = busy;
    this.retried[at] = retried;
    for (let index = 0; index + 1 < done.length; index += 2) this.doneBy(done[index])[at] = done[index + 1];
  }

  /** The tasks that a system ended, a number a bin. */
  doneBy(row) {
    let counts = this.done.get(row);
    if (!counts) this.done.set(row, counts = new Float32Array(History.most));
    return counts;
  }

  /** Where the last whole bin ends: the one after it may still grow. */
  get end() {
    return this.start + Math.max(0, this.count - 1) * this.step;
  }

  /** The mean of a bin between two times; a bin that lies there in part counts by its part. */
  mean(bins, from, to) {
    const first = Math.max(0, (from - this.start) / this.step);
    const last = Math.min(this.count, (to - this.start) / this.step);
    let sum = 0;
    for (let at = Math.floor(first); at < last; at++) {
      sum += bins[at] * (Math.min(last, at + 1) - Math.max(first, at));
    }
    return sum * this.step / Math.max(1e-9, to - from);
  }

  /** How many a second there were between two times. */
  rate(bins, from, to) {
    return this.mean(bins, from, to) / this.step;
  }
}
