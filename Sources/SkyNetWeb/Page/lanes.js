"use strict";
// Attempts one by one: the latest of a run that goes on, all of one that is over.

/** How attempts ended, as the messages number it. */
const endings = { done: 0, failed: 1, lost: 2, withdrawn: 3, open: 4 };

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
