"use strict";
// What has happened to the sectors, as a field of cells in typed arrays: no object a cell.

class Field {
  /** The most cells that a server tells of. */
  static limit = 65_536;

  /** A field without any attempt; a cell stands for `perCell` sectors, the last one for what remains. */
  constructor(sectors, perCell) {
    this.sectors = sectors;
    this.perCell = Math.max(1, perCell);
    this.count = Math.ceil(sectors / this.perCell);
    this.changedCount = 0;
    this.makeRoom(this.count);
    this.touchAll();
  }

  /** Makes the columns so long, which may be longer than there are cells; what they hold stays. */
  makeRoom(length) {
    const column = (Column, former, empty = 0) => {
      const longer = new Column(length).fill(empty);
      if (former) longer.set(former);
      return longer;
    };
    this.completed = column(Uint32Array, this.completed);
    this.failed = column(Uint32Array, this.failed);
    this.inFlight = column(Uint16Array, this.inFlight);
    this.system = column(Uint16Array, this.system, noSystem);
    this.pass = column(Uint8Array, this.pass);
    this.isChanged = column(Uint8Array, this.isChanged);
    this.changed = column(Uint32Array, this.changed);
  }

  /** The run has more sectors than before. */
  grow(sectors) {
    const former = this.count;
    this.sectors = sectors;
    this.count = Math.ceil(sectors / this.perCell);
    if (this.count > this.completed.length) this.makeRoom(2 * this.count);
    // The last cell may stand for more sectors than before.
    for (let cell = Math.max(0, former - 1); cell < this.count; cell++) this.touch(cell);
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

  /** How much of all cells is done. */
  shareOfAll(passes) {
    let sum = 0;
    for (let cell = 0; cell < this.count; cell++) sum += this.share(cell, passes) * this.size(cell);
    return this.sectors > 0 ? sum / this.sectors : 0;
  }

  /** How many sectors a pass has dealt with, in which each is a task; those that it did not need count too. */
  passed(pass) {
    let sum = 0;
    for (let cell = 0; cell < this.count; cell++) {
      const size = this.size(cell);
      const over = this.completed[cell] + this.failed[cell];
      const isBeyond = this.system[cell] !== noSystem
        && (this.pass[cell] > pass || (this.pass[cell] === pass && this.inFlight[cell] === 0));
      sum += isBeyond ? size : Math.min(size, over);
    }
    return sum;
  }
}
