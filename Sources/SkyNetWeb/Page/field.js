"use strict";
// What has happened to the sectors, as a field of cells in typed arrays: no object a cell.

class Field {
  /** A field without any attempt; a cell stands for `perCell` sectors, the last one for what remains. */
  constructor(sectors, perCell) {
    this.sectors = sectors;
    this.perCell = Math.max(1, perCell);
    this.count = Math.ceil(sectors / this.perCell);
    this.completed = new Uint32Array(this.count);
    this.failed = new Uint32Array(this.count);
    this.inFlight = new Uint16Array(this.count);
    this.system = new Uint16Array(this.count).fill(noSystem);
    this.pass = new Uint8Array(this.count);
    this.isChanged = new Uint8Array(this.count);
    this.changed = new Uint32Array(this.count);
    this.changedCount = 0;
    this.touchAll();
  }

  size(cell) {
    return cell === this.count - 1 ? this.sectors - cell * this.perCell : this.perCell;
  }

  cellOf(sector) {
    return Math.floor(sector / this.perCell);
  }

  touch(cell) {
    if (this.isChanged[cell]) return;
    this.isChanged[cell] = 1;
    this.changed[this.changedCount++] = cell;
  }

  touchAll() {
    for (let cell = 0; cell < this.count; cell++) this.touch(cell);
  }

  /** The cells of a message: index, completed, failed, in flight, system, pass, and so on. */
  apply(flat) {
    for (let at = 0; at + 5 < flat.length; at += 6) {
      const cell = flat[at];
      if (!(cell >= 0 && cell < this.count)) continue;
      this.completed[cell] = flat[at + 1];
      this.failed[cell] = flat[at + 2];
      this.inFlight[cell] = flat[at + 3];
      this.system[cell] = flat[at + 4];
      this.pass[cell] = flat[at + 5];
      this.touch(cell);
    }
  }

  /** Gives each changed cell to the closure, and forgets that it has changed. */
  takeChanges(closure) {
    for (let at = 0; at < this.changedCount; at++) {
      this.isChanged[this.changed[at]] = 0;
      closure(this.changed[at]);
    }
    this.changedCount = 0;
  }

  /** How much of a cell is done, from 0 to 1, where a run has so many passes. */
  share(cell, passes) {
    const size = this.size(cell);
    const whole = this.completed[cell] / size;
    if (whole >= 1 || passes < 2 || this.system[cell] === noSystem) return whole;
    // A task of a later pass tells that the earlier ones are done. One that is not on its way has, most
    // often, just passed.
    const passed = this.pass[cell] + (this.inFlight[cell] > 0 ? 0 : 1);
    return whole + (1 - whole) * Math.min(passed, passes - 1) / passes;
  }
}
