"use strict";
// The points on a picture, drawn as thin rings around what they are: the brightest first, and as many as have
// room. A pyramid of grids finds those in sight without a look at all of them.

/** In each grid each place holds its brightest point that no coarser grid holds. */
class PointPyramid {
  /** The finest grid has 2^8 places along each axis. What it has no room for hangs in a list. */
  static levels = 9;

  constructor(width, height) {
    this.side = Math.max(width, height, 1);
    this.grids = Array.from({ length: PointPyramid.levels }, (_, level) => new Int32Array(4 ** level).fill(-1));
    this.next = new Int32Array(1024);
    this.count = 0;
  }

  /** The column or row of a coordinate at a level. */
  along(coordinate, level) {
    return Math.max(0, Math.min(2 ** level - 1, Math.floor(coordinate / this.side * 2 ** level)));
  }

  add(index, { x, y, strength }) {
    if (index >= this.next.length) {
      const longer = new Int32Array(2 * index);
      longer.set(this.next);
      this.next = longer;
    }
    let fainter = index;
    for (let level = 0; level < PointPyramid.levels; level++) {
      const place = this.along(y[fainter], level) * 2 ** level + this.along(x[fainter], level);
      const former = this.grids[level][place];
      if (former >= 0 && level === PointPyramid.levels - 1) {
        this.next[fainter] = former;
        this.grids[level][place] = fainter;
        return;
      }
      if (former < 0 || strength[fainter] > strength[former]) {
        this.grids[level][place] = fainter;
        this.next[fainter] = -1;
        if (former < 0) return;
        fainter = former;
      }
    }
  }

  /** Calls for the points within a rectangle whose places are at least so wide, in the picture's units. */
  visit(left, bottom, right, top, width, closure) {
    for (let level = 0; level < PointPyramid.levels; level++) {
      if (level > 0 && this.side / 2 ** level < width) return;
      const [first, last] = [this.along(left, level), this.along(right, level)];
      const end = this.along(top, level);
      for (let row = this.along(bottom, level); row <= end; row++) {
        for (let column = first; column <= last; column++) {
          let index = this.grids[level][row * 2 ** level + column];
          while (index >= 0) {
            closure(index);
            index = level === PointPyramid.levels - 1 ? this.next[index] : -1;
          }
        }
      }
    }
  }
}

/** How far the light around a point reaches, as the picture shows it. */
class PictureLight {
  /** Rings of so many samples are looked at, out to so many of the picture's own pixels. */
  static samples = 12;
  static most = 40;

  constructor(picture) {
    const { naturalWidth: width, naturalHeight: height } = picture;
    const canvas = make("canvas");
    canvas.width = this.width = width;
    canvas.height = this.height = height;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    this.data = context.getImageData(0, 0, width, height).data;
    const counts = new Uint32Array(256);
    let known = 0;
    // Black is what has not been read yet.
    for (let at = 0; at < this.data.length; at += 4) if (this.data[at] > 0) counts[this.data[at]] += 1;
    for (const count of counts) known += count;
    const level = (share) => {
      let sum = 0;
      return counts.findIndex((count) => (sum += count) >= share * known);
    };
    // The quartile of a normal distribution is at 0.6745 σ.
    this.sky = level(0.5);
    this.noise = Math.max(1, (this.sky - level(0.25)) / 0.6745);
  }

  mean(x, y, reach) {
    let sum = 0;
    let count = 0;
    for (let sample = 0; sample < PictureLight.samples; sample++) {
      const angle = 2 * Math.PI * sample / PictureLight.samples;
      const column = Math.round(x + reach * Math.cos(angle));
      const row = Math.round(y + reach * Math.sin(angle));
      if (column < 0 || row < 0 || column >= this.width || row >= this.height) continue;
      sum += this.data[4 * (row * this.width + column)];
      count += 1;
    }
    return count > 0 ? sum / count : 0;
  }

  /** In the picture's own pixels, at a point of them. */
  reach(x, y) {
    const edge = this.sky + 1.5 * this.noise;
    let former = Infinity;
    for (let reach = 1; reach < PictureLight.most; reach++) {
      const mean = this.mean(x, y, reach);
      // What grows again is another point's light.
      if (mean < edge || mean > former + this.noise) return reach;
      former = mean;
    }
    return PictureLight.most;
  }
}

/** Rings, each where there is room beside those before it. */
class RingRoom {
  /** The middles of two rings are at least so far apart; those of large rings need not be further apart than `most`. */
  static least = 14;
  static most = 40;

  constructor(width) {
    this.columns = Math.ceil(width / RingRoom.most) + 4;
    this.squares = new Map();
    this.rings = [];
  }

  /** Takes the ring, unless it is too close to another one. */
  add(ring) {
    const square = (Math.floor(ring.y / RingRoom.most) + 2) * this.columns + Math.floor(ring.x / RingRoom.most) + 2;
    for (const row of [-this.columns, 0, this.columns]) {
      for (const column of [-1, 0, 1]) {
        for (const other of this.squares.get(square + row + column) ?? []) {
          const apart = Math.max(RingRoom.least, Math.min(RingRoom.most, ring.reach + other.reach + 3));
          if ((ring.x - other.x) ** 2 + (ring.y - other.y) ** 2 < apart ** 2) return;
        }
      }
    }
    const here = this.squares.get(square);
    if (here) here.push(ring);
    else this.squares.set(square, [ring]);
    this.rings.push(ring);
  }
}

class PointMarks {
  /** The smallest ring. A smaller one would hide a star. */
  static smallest = 4.5;
  /** So many dots of the canvas have one ring, or fewer. More would hide the picture. */
  static dotsPerRing = 2200;
  /** More points at once would take longer than a frame may. */
  static pointsAtOnce = 4000;
  /** Milliseconds that a point lights up after it was found. */
  static flash = 1200;

  constructor(changed) {
    this.changed = changed;
    this.points = null;
    this.light = null;
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.forget();
  }

  forget() {
    this.pyramid = null;
    this.isBehind = false;
    /** The rings on the canvas: {index, x, y, reach}, the brightest first. */
    this.shown = [];
    this.arranged = "";
    this.selected = -1;
    this.endFlash();
  }

  endFlash() {
    clearTimeout(this.timer);
    this.timer = null;
    /** The points that were found just now: {first, until}, the earliest first. */
    this.fresh = [];
  }

  /** The points from this one on light up. */
  get firstFresh() {
    return this.fresh[0]?.first ?? Infinity;
  }

  /** A picture of which more is known shows better how far light reaches. */
  setPicture(picture) {
    this.light = new PictureLight(picture);
    this.reaches = new Float32Array(0);
    this.arranged = "";
  }

  /** Takes the points that were found since. */
  take(model) {
    const { points } = model;
    if (this.points !== points) this.forget();
    this.points = points;
    // A report that goes back has fewer.
    if (points.count < (this.pyramid?.count ?? 0)) this.pyramid = null;
    if (points.count === 0) return;
    const { width, height } = this.size = model.picture ?? {
      width: model.grid.columns * model.grid.side, height: model.grid.rows * model.grid.side,
    };
    const former = this.pyramid?.count ?? 0;
    this.pyramid ??= new PointPyramid(width, height);
    const end = Math.min(points.count, former + PointMarks.pointsAtOnce);
    for (let index = former; index < end; index++) this.pyramid.add(index, points);
    this.pyramid.count = end;
    if (this.selected >= points.count) this.selected = -1;
    // Those that were known when the page was opened do not light up.
    if (former > 0 && end > former && !this.isBehind) this.lightUp(former);
    this.isBehind = end < points.count;
    if (this.isBehind) this.changed();
  }

  /** Points light up as they are found, if somebody sees it. A clock ends it, whatever else comes or does not. */
  lightUp(first) {
    if (document.hidden || this.motion.matches) return;
    this.fresh.push({ first, until: performance.now() + PointMarks.flash });
    if (this.timer === null) this.waitForEnd();
  }

  waitForEnd() {
    this.timer = setTimeout(() => {
      this.timer = null;
      // A clock may be a little early.
      const now = performance.now() + 5;
      this.fresh = this.fresh.filter(({ until }) => until > now);
      this.changed();
      if (this.fresh.length > 0) this.waitForEnd();
    }, Math.max(0, this.fresh[0].until - performance.now()));
  }

  hide() {
    this.shown = [];
    this.arranged = "";
  }

  /** How far a point's light reaches, in the picture's units; 0 if there is no picture. */
  reach(index) {
    if (!this.light) return 0;
    if (index >= this.reaches.length) {
      const longer = new Float32Array(Math.max(1024, 2 * index));
      longer.set(this.reaches);
      this.reaches = longer;
    }
    if (this.reaches[index] === 0) {
      const unit = this.size.width / this.light.width;
      const { x, y } = this.points;
      this.reaches[index] = unit * this.light.reach(
        Math.floor((x[index] - 0.5) / unit), Math.floor((this.size.height - y[index] + 0.5) / unit));
    }
    return this.reaches[index];
  }

  /** Finds the rings for a view, as many as have room. */
  arrange(view) {
    const { points, pyramid } = this;
    if (!points || !pyramid) {
      this.shown = [];
      return;
    }
    const key = [view.x, view.y, view.scale, view.width, view.height, pyramid.count, this.selected].join(" ");
    if (key === this.arranged) return;
    this.arranged = key;
    const found = [];
    const top = this.size.height - view.y;
    pyramid.visit(
      view.x, top - view.height / view.scale, view.x + view.width / view.scale, top,
      RingRoom.least / 2 / view.scale, (index) => found.push(index));
    const { strength } = points;
    found.sort((left, right) => strength[right] - strength[left]);
    const wide = Math.min(view.width, this.size.width * view.scale);
    const high = Math.min(view.height, this.size.height * view.scale);
    const most = Math.max(1, wide * high / PointMarks.dotsPerRing);
    const room = new RingRoom(view.width);
    // The selected one is there in any case.
    if (this.selected >= 0) room.add(this.ring(this.selected, view));
    for (const index of found) {
      if (room.rings.length >= most) break;
      const ring = this.ring(index, view);
      const isInSight = ring.x > 0 && ring.y > 0 && ring.x < view.width && ring.y < view.height;
      if (index !== this.selected && isInSight) room.add(ring);
    }
    this.shown = room.rings;
  }

  /** The first unit's middle is at (1, 1), and y grows upwards. */
  ring(index, view) {
    const { x, y } = this.points;
    return {
      index, x: (x[index] - 0.5 - view.x) * view.scale, y: (this.size.height - y[index] + 0.5 - view.y) * view.scale,
      reach: Math.max(PointMarks.smallest, this.reach(index) * view.scale + 1),
    };
  }

  draw(context, view) {
    this.arrange(view);
    context.beginPath();
    for (const ring of this.shown) if (ring.index !== this.selected) circle(context, ring, 0);
    context.lineWidth = 1;
    context.strokeStyle = pointColor;
    context.stroke();
    const selected = this.shown.find(({ index }) => index === this.selected);
    if (!selected) return;
    for (const [width, ink] of [[4, "#000"], [2, "#fff"]]) {
      context.beginPath();
      circle(context, selected, 2);
      context.lineWidth = width;
      context.strokeStyle = ink;
      context.stroke();
    }
  }

  /** A second ring around those that were found just now. */
  drawFresh(context, view) {
    if (this.firstFresh === Infinity) return;
    this.arrange(view);
    context.beginPath();
    for (const ring of this.shown) if (ring.index >= this.firstFresh) circle(context, ring, 3);
    context.lineWidth = 2;
    context.strokeStyle = "rgb(255 250 190)";
    context.stroke();
  }

  /** The shown point at a place of the canvas, or -1. */
  at(x, y) {
    let [nearest, distance] = [-1, Infinity];
    for (const ring of this.shown) {
      const far = Math.hypot(ring.x - x, ring.y - y);
      if (far <= Math.max(9, ring.reach + 3) && far < distance) [nearest, distance] = [ring.index, far];
    }
    return nearest;
  }

  /** The next fainter shown point after the selected one, or, with -1, the next brighter one. */
  neighbour(step) {
    if (this.shown.length === 0) return -1;
    const order = this.shown.map(({ index }) => index)
      .sort((left, right) => this.points.strength[right] - this.points.strength[left]);
    const at = order.indexOf(this.selected);
    return at < 0 ? order.at(step > 0 ? 0 : -1) : order[(at + step + order.length) % order.length];
  }

  /** What is known of a point, as pairs of a name and a text. */
  row(index, model) {
    const { points } = this;
    // The coarsest grid has the brightest of all.
    const brightest = points.strength[this.pyramid.grids[0][0]];
    const number = (value) => Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 4 });
    const pairs = [
      ["x, y", `${points.x[index].toFixed(1)}, ${points.y[index].toFixed(1)}`],
      ["flux", number(points.strength[index])],
    ];
    if (points.strength[index] > 0 && brightest > 0) {
      const fainter = -2.5 * Math.log10(points.strength[index] / brightest);
      pairs.push(["magnitude", fainter > 0 ? `${fainter.toFixed(2)} fainter than the brightest` : "the brightest"]);
    }
    for (const [name, column] of Object.entries(points.more)) pairs.push([plain(name), number(column[index])]);
    const { columns, side } = model.grid;
    const along = (at, count) => Math.max(0, Math.min(count - 1, Math.floor((at - 0.5) / side)));
    const sector = along(points.y[index], model.grid.rows) * columns + along(points.x[index], columns);
    pairs.push(["sector", String(sector)]);
    const system = model.systems[model.field.system[model.field.cellOf(sector)]];
    if (system) pairs.push(["found by", system.name]);
    return { sector, pairs };
  }
}

function circle(context, { x, y, reach }, wider) {
  context.moveTo(x + reach + wider, y);
  context.arc(x, y, reach + wider, 0, 2 * Math.PI);
}
