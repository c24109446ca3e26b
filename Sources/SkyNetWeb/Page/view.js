"use strict";
// Which part of the world a canvas shows: zoom and pan as arithmetic.

class View {
  constructor() {
    this.width = 1;
    this.height = 1;
    this.setWorld(1, 1, 1);
  }

  /** Shows all of a world in which cells are so wide; `finest` is how many points a unit may come to cover. */
  setWorld(width, height, unit, finest = 0) {
    this.worldWidth = width;
    this.worldHeight = height;
    this.finest = Math.max(finest, 120 / unit);
    // A few cells need not fill the window, and a small picture may.
    this.largest = finest > 0 ? Infinity : 120 / unit;
    this.fit();
  }

  resize(width, height) {
    const isFitted = this.isFitted;
    const [x, y] = this.toWorld(this.width / 2, this.height / 2);
    this.width = width;
    this.height = height;
    if (isFitted) this.fit();
    else this.center(x, y);
  }

  get fitting() {
    return Math.min(this.largest, this.width / this.worldWidth, this.height / this.worldHeight);
  }

  get isFitted() {
    return this.scale <= this.fitting * 1.001;
  }

  fit() {
    this.scale = this.fitting;
    this.x = 0;
    this.y = 0;
    this.clamp();
  }

  toWorld(x, y) {
    return [this.x + x / this.scale, this.y + y / this.scale];
  }

  center(x, y) {
    this.x = x - this.width / 2 / this.scale;
    this.y = y - this.height / 2 / this.scale;
    this.clamp();
  }

  /** Zooms so that what is at a point stays there. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const [worldX, worldY] = this.toWorld(x, y);
    const most = Math.max(this.fitting, this.finest);
    this.scale = Math.min(most, Math.max(this.fitting, this.scale * factor));
    this.x = worldX - x / this.scale;
    this.y = worldY - y / this.scale;
    this.clamp();
  }

  pan(x, y) {
    this.x -= x / this.scale;
    this.y -= y / this.scale;
    this.clamp();
  }

  /** Brings a rectangle of the world into sight. */
  reveal(x, y, width, height) {
    const seenWidth = this.width / this.scale;
    const seenHeight = this.height / this.scale;
    if (x < this.x || y < this.y || x + width > this.x + seenWidth || y + height > this.y + seenHeight) {
      this.center(x + width / 2, y + height / 2);
    }
  }

  /** The world stays in sight: centred where it is smaller than the canvas, else without a margin. */
  clamp() {
    const along = (at, seen, world) =>
      seen >= world ? (world - seen) / 2 : Math.min(world - seen, Math.max(0, at));
    this.x = along(this.x, this.width / this.scale, this.worldWidth);
    this.y = along(this.y, this.height / this.scale, this.worldHeight);
  }
}
