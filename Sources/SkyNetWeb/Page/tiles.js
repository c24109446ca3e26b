"use strict";
// The images of a night, or other parts of a run that grows: a tile each, which its sectors fill.

class TilesLayout {
  /** A server tells no more parts than this when a page is opened. */
  static most = 4096;
  /** The most dots of all tiles together, and along each axis of one. */
  static dots = 262_144;
  static finest = 16;

  /** Whether a run is shown so. */
  static suits(model) {
    const { parts, partNames, grid, scans } = model;
    if (grid || scans || (parts === null && partNames.all.length === 0)) return false;
    return Math.max(parts?.total ?? 0, parts?.known ?? 0, partNames.all.length) <= TilesLayout.most;
  }

  constructor(model, aspect) {
    this.model = model;
    this.count = TilesLayout.room(model);
    this.taken = 0;
    const sectors = this.parts.reduce((most, part) => Math.max(most, part.sectors), 1);
    this.most = sectors;
    const finest = Math.min(TilesLayout.finest, Math.floor(Math.sqrt(TilesLayout.dots / this.count)));
    /** The dots along each axis of a tile. */
    this.side = Math.max(1, Math.min(finest, Math.ceil(Math.sqrt(sectors))));
    this.across = Math.max(1, Math.min(this.count, Math.ceil(Math.sqrt(this.count * aspect))));
    this.columns = this.across * this.side;
    this.rows = Math.max(1, Math.ceil(this.count / this.across)) * this.side;
    this.unit = 1 / this.side;
    this.top = 0;
    this.width = this.across;
    this.height = this.rows / this.side;
  }

  /** For how many parts there is to be room. Without a known end, room for half as many again is kept. */
  static room({ parts, partNames }) {
    const known = Math.max(1, partNames.all.length, parts?.known ?? 0);
    return parts && !(parts.total > 0) ? Math.ceil(1.5 * known) : Math.max(known, parts?.total ?? 0);
  }

  get parts() {
    return this.model.partNames.all;
  }

  /** Whether there are more parts, or larger ones, than there is room for. */
  get isOutgrown() {
    const { parts } = this;
    for (let at = this.taken; at < parts.length; at++) {
      if (parts[at].sectors > this.most && this.side < TilesLayout.finest) return true;
    }
    return parts.length > this.count || TilesLayout.room(this.model) > 1.5 * this.count;
  }

  /** Gives the cells of the parts that came to be known since. */
  takeNew(closure) {
    const { field } = this.model;
    for (; this.taken < this.parts.length; this.taken++) {
      const { first, sectors } = this.parts[this.taken];
      const end = Math.min(field.count - 1, field.cellOf(first + sectors - 1));
      for (let cell = field.cellOf(first); cell <= end; cell++) closure(cell);
    }
  }

  /** The dot of a tile, counted along its rows, as a place of the layer. */
  place(tile, dot) {
    const { side, across, columns } = this;
    const row = Math.floor(tile / across) * side + Math.floor(dot / side);
    return row * columns + tile % across * side + dot % side;
  }

  /** The tiles of which nothing is known yet. */
  paintToCome(colors) {
    const color = packed(tileToCome);
    for (let tile = 0; tile < this.count; tile++) {
      for (let dot = 0; dot < this.side ** 2; dot++) colors[this.place(tile, dot)] = color;
    }
  }

  /** The tile's dots that a sector of it fills: the first one, and the one after the last. */
  dotsOf(part, sector) {
    const all = this.side ** 2;
    const first = Math.floor((sector - part.first) * all / part.sectors);
    return [first, Math.max(first + 1, Math.floor((sector - part.first + 1) * all / part.sectors))];
  }

  places(cell, closure) {
    const { perCell, sectors } = this.model.field;
    const end = Math.min(sectors, (cell + 1) * perCell);
    for (let sector = cell * perCell; sector < end; sector++) {
      const tile = this.tileOf(sector);
      if (tile < 0) continue;
      const [first, last] = this.dotsOf(this.parts[tile], sector);
      for (let dot = first; dot < last; dot++) closure(this.place(tile, dot));
    }
  }

  tileOf(sector) {
    const at = this.model.partNames.indexOf(sector);
    return at < this.count ? at : -1;
  }

  tileAt(column, row) {
    return Math.floor(row / this.side) * this.across + Math.floor(column / this.side);
  }

  cellAt(column, row) {
    const part = this.parts[this.tileAt(column, row)];
    if (!part) return -1;
    const dot = row % this.side * this.side + column % this.side;
    // The last sector whose dots begin here or before.
    const sector = Math.min(part.sectors, Math.ceil((dot + 1) * part.sectors / this.side ** 2)) - 1;
    const cell = this.model.field.cellOf(part.first + sector);
    return cell < this.model.field.count ? cell : -1;
  }

  /** The rectangle of a cell's dots in the world; of a cell with dots in several tiles, that in the first one. */
  boxOf(cell) {
    const sector = cell * this.model.field.perCell;
    const tile = this.tileOf(sector);
    if (tile < 0) return [0, 0, 0, 0];
    const [first, end] = this.dotsOf(this.parts[tile], sector);
    const isOneRow = Math.floor(first / this.side) === Math.floor((end - 1) / this.side);
    const left = isOneRow ? first % this.side : 0;
    const across = isOneRow ? end - first : this.side;
    const rows = Math.floor((end - 1) / this.side) - Math.floor(first / this.side) + 1;
    return [
      tile % this.across + left * this.unit,
      Math.floor(tile / this.across) + Math.floor(first / this.side) * this.unit,
      across * this.unit, rows * this.unit,
    ];
  }
}

/** How far a part is: {done, failed, inFlight, systems}, where `systems` are the rows that have sectors of it. */
function partProgress({ field }, { first, sectors }) {
  const progress = { done: 0, failed: 0, inFlight: 0, systems: new Set() };
  const end = Math.min(field.count - 1, field.cellOf(first + sectors - 1));
  for (let cell = field.cellOf(first); cell <= end; cell++) {
    // A cell at the edge belongs to its neighbour in part.
    const start = Math.max(first, cell * field.perCell);
    const share = (Math.min(first + sectors, (cell + 1) * field.perCell) - start) / field.size(cell);
    progress.done += share * field.completed[cell];
    progress.failed += share * field.failed[cell];
    progress.inFlight += share * field.inFlight[cell];
    if (field.system[cell] !== noSystem) progress.systems.add(field.system[cell]);
  }
  for (const figure of ["done", "failed", "inFlight"]) progress[figure] = Math.round(progress[figure]);
  return progress;
}

/** What is drawn on tiles that have room for it. */
class TileMarks {
  static draw(context, sky) {
    const { layout, view, model } = sky;
    const side = view.scale;
    if (side < 4) return;
    const gap = Math.max(1, Math.min(6, Math.round(side * 0.06)));
    const left = Math.max(0, Math.floor(view.x));
    const top = Math.max(0, Math.floor(view.y));
    const right = Math.min(layout.across, Math.ceil(view.x + view.width / side));
    const bottom = Math.min(layout.height, Math.ceil(view.y + view.height / side));
    const [x, y] = sky.rectangle(0, 0, 0, 0);
    context.fillStyle = css(darkness);
    for (let column = left; column <= right; column++) {
      context.fillRect(Math.round(x + column * side - gap / 2), y, gap, layout.height * side);
    }
    for (let row = top; row <= bottom; row++) {
      context.fillRect(x, Math.round(y + row * side - gap / 2), layout.width * side, gap);
    }
    if (side >= 10 * layout.side) TileMarks.lines(context, layout, x, y, side, { left, top, right, bottom });
    if (side < 40) return;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const part = layout.parts[row * layout.across + column];
        if (part) TileMarks.name(context, model, part, x + column * side + gap, y + row * side + gap, side - 2 * gap);
      }
    }
  }

  /** Lines between the sectors of tiles, where each sector is one dot. */
  static lines(context, layout, x, y, side, { left, top, right, bottom }) {
    const step = side / layout.side;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const part = layout.parts[row * layout.across + column];
        if (part?.sectors !== layout.side ** 2) continue;
        for (let at = 1; at < layout.side; at++) {
          context.fillRect(Math.round(x + column * side + at * step), y + row * side, 1, side);
          context.fillRect(x + column * side, Math.round(y + row * side + at * step), side, 1);
        }
      }
    }
  }

  /** The end of the name, which tells most, on a ground on which it can be read. */
  static name(context, model, part, x, y, room) {
    const size = Math.max(9, Math.min(13, room * 0.16));
    context.font = `${size}px system-ui, sans-serif`;
    context.textBaseline = "top";
    const { done, failed } = partProgress(model, part);
    const count = failed > 0 ? `${done} of ${part.sectors}, ${failed} failed` : `${done} of ${part.sectors}`;
    const name = part.name.split("/").at(-1).replace(/\.\w{1,5}$/, "");
    const lines = [pathEnd(name, Math.max(4, Math.floor(room / size / 0.56)))];
    if (room >= 70) lines.push(count);
    context.fillStyle = "rgb(12 14 20 / 72%)";
    context.fillRect(x, y, room, lines.length * (size + 3) + 3);
    context.fillStyle = "#eef1f7";
    lines.forEach((line, at) => context.fillText(line, x + 3, y + 3 + at * (size + 3), room - 6));
  }
}

/** The image that is scanned now, or was last, large: its name, how far it is, and its sectors. */
class LatestPart {
  constructor(element) {
    this.element = element;
    this.canvas = byID("latest-tile");
    this.name = byID("latest-name");
    this.progress = byID("latest-progress");
    this.text = byID("latest-text");
    this.key = "";
  }

  draw(model) {
    const part = TilesLayout.suits(model) && model.field ? this.latest(model) : null;
    this.element.hidden = part === null;
    if (part === null) return;
    const progress = partProgress(model, part);
    const { done, failed, inFlight, systems } = progress;
    const key = [part.name, done, failed, inFlight, ...systems].join(" ");
    if (key === this.key) return;
    this.key = key;
    setText(this.name, pathEnd(part.name.split("/").at(-1), 64));
    this.name.title = part.name;
    this.name.href = Choice.address(part.first);
    this.progress.max = part.sectors;
    this.progress.value = done + failed;
    const names = listed([...systems].map((row) => model.systems[row]?.name ?? "?"));
    setText(this.text, [
      `${whole(done)} of ${counted(part.sectors, "sector")}`, failed > 0 ? `${whole(failed)} failed` : "",
      inFlight > 0 ? `${whole(inFlight)} on their way` : "", names ? `by ${names}` : "",
    ].filter((text) => text !== "").join(", "));
    this.drawTile(model, part);
  }

  /** The one with an attempt that comes last. */
  latest(model) {
    const { all } = model.partNames;
    for (let at = all.length - 1; at >= 0; at--) {
      const { done, failed, inFlight } = partProgress(model, all[at]);
      if (done + failed + inFlight > 0) return all[at];
    }
    return null;
  }

  drawTile({ field }, { first, sectors }) {
    const { canvas } = this;
    const context = canvas.getContext("2d");
    context.fillStyle = css(darkness);
    context.fillRect(0, 0, canvas.width, canvas.height);
    const columns = Math.ceil(Math.sqrt(Math.min(sectors, 4096)));
    const rows = Math.ceil(Math.min(sectors, 4096) / columns);
    const high = canvas.height / rows;
    const gap = high >= 6 ? 1 : 0;
    for (let at = 0; at < columns * rows && at < sectors; at++) {
      // The sectors of the last row share its width.
      const isLast = at >= columns * (rows - 1);
      const wide = canvas.width / (isLast ? Math.min(sectors, 4096) - columns * (rows - 1) : columns);
      const cell = field.cellOf(first + at);
      const [x, y] = [at % columns * wide + gap, Math.floor(at / columns) * high + gap];
      const system = field.system[cell];
      const isDone = field.completed[cell] === field.size(cell);
      context.fillStyle = css(emptyCell);
      context.fillRect(x, y, wide - 2 * gap, high - 2 * gap);
      if (field.failed[cell] > 0) {
        context.fillStyle = css(failedCell);
        context.fillRect(x, y, wide - 2 * gap, high - 2 * gap);
        cross(context, "#000", x + wide / 2 - gap, y + high / 2 - gap, Math.min(wide, high) / 4);
      } else if (isDone) {
        fillSystem(context, system, x, y, wide - 2 * gap, high - 2 * gap);
      } else if (system !== noSystem) {
        context.strokeStyle = css(systemColor(system));
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(1, wide - 2 * gap - 2), Math.max(1, high - 2 * gap - 2));
      }
    }
  }
}
