"use strict";
// The sky: the field of cells over the picture, if there is one. Cells are painted as single dots into a layer,
// only those that changed, and the layer is drawn at the size that is looked at. What is in flight is in a second
// canvas above, whose opacity an animation of the style sheet moves: that costs this thread nothing. Numbers,
// crosses and the rings of points are in a third one, above what pulses.

class Sky {
  /** `changed` is called when the sky is to be drawn again by itself. */
  constructor(canvas, pulse, marks, changed) {
    this.canvas = canvas;
    this.pulse = pulse;
    this.marks = marks;
    this.context = canvas.getContext("2d", { alpha: false });
    this.pulseContext = pulse.getContext("2d");
    this.marksContext = marks.getContext("2d");
    this.view = new View();
    this.model = null;
    this.layout = null;
    this.generation = -1;
    this.selected = -1;
    this.hadMarks = false;
    this.picture = null;
    this.rings = new PointMarks(changed);
    /** What is shown on a picture: see `Shown`. */
    this.shows = { sectors: false, sources: true, tint: true };
    this.cells = new Layer();
    this.flying = new Layer();
    this.ratio = 1;
  }

  resize(width, height) {
    this.ratio = canvasScale();
    for (const canvas of [this.canvas, this.pulse, this.marks]) {
      canvas.width = Math.max(1, Math.round(width * this.ratio));
      canvas.height = Math.max(1, Math.round(height * this.ratio));
    }
    const aspect = width / height;
    const formerAspect = this.view.width / this.view.height;
    this.view.resize(width, height);
    // A page of sectors is set anew for another shape of window, as text is.
    const isOther = aspect / formerAspect > 1.2 || formerAspect / aspect > 1.2;
    if ((this.layout instanceof PageLayout || this.hasTiles) && isOther) this.generation = -1;
  }

  get hasTiles() {
    return this.layout instanceof TilesLayout;
  }

  setPicture(picture) {
    this.picture = picture;
    this.rings.setPicture(picture);
  }

  /** Selects a sector wherever it was asked for: in a notice, a bar, a row. The page does what belongs to it. */
  show(sector) {
    this.canvas.dispatchEvent(new CustomEvent("sector-wanted", { bubbles: true, detail: { sector } }));
  }

  /** Takes the layout of a new field. */
  begin(model) {
    const isSame = this.model === model && this.generation >= 0;
    this.generation = model.generation;
    this.model = model;
    // Tiles stay where they are when there are more sectors.
    if (isSame && this.hasTiles && !this.layout.isOutgrown && TilesLayout.suits(model)) return;
    const field = model.field;
    const aspect = this.view.width / this.view.height;
    this.layout = model.layout
      ?? (model.grid ? new PictureLayout(model.grid, model.picture, field.sectors, field.perCell)
        : TilesLayout.suits(model) ? new TilesLayout(model, aspect)
        : new PageLayout(field, Math.max(field.count, model.places), aspect));
    const { columns, rows } = this.layout;
    for (const layer of [this.cells, this.flying]) layer.begin(columns, rows);
    // The strength of tints is that of the picture that a run writes.
    this.shades = new Shades(model.grid ? (model.picture ? 0.2 : 0.5) : 1);
    if (this.hasTiles) this.layout.paintToCome(this.cells.colors);
    const { width, height, unit } = this.layout;
    if (this.hasTiles) this.view.setWorld(width, height, 1, 60 / unit + 60);
    else this.view.setWorld(width, height, unit, model.grid ? 8 : 0);
    this.selected = -1;
    field.touchAll();
  }

  /** Paints the cells that changed. */
  paint() {
    const { field, passCount } = this.model;
    const { table, empty, failed, flying } = this.shades;
    const { columns, rows } = this.layout;
    let top = rows;
    let bottom = -1;
    let color = 0;
    let flight = 0;
    const { colors } = this.cells;
    const { colors: flights } = this.flying;
    const set = (place) => {
      colors[place] = color;
      flights[place] = flight;
      const row = Math.floor(place / columns);
      if (row < top) top = row;
      if (row > bottom) bottom = row;
    };
    if (this.hasTiles) this.layout.takeNew((cell) => field.touch(cell));
    field.takeChanges((cell) => {
      const system = field.system[cell];
      const hue = system % systemColors.length;
      flight = field.inFlight[cell] > 0 && system !== noSystem ? flying[hue] : 0;
      if (2 * field.failed[cell] >= field.size(cell)) {
        color = failed;
      } else if (system === noSystem) {
        color = empty;
      } else {
        const share = field.share(cell, passCount);
        const shade = share >= 1 ? shades : share <= 0 ? 0 : Math.max(1, Math.floor(share * shades));
        color = table[hue * (shades + 1) + shade];
      }
      this.layout.places(cell, set);
    });
    if (bottom < 0) return;
    for (const layer of [this.cells, this.flying]) layer.show(top, bottom);
  }

  draw(model) {
    if (model.field === null) return;
    const isOutgrown = this.hasTiles && this.layout.isOutgrown;
    if (isOutgrown) this.generation = -1;
    if (this.model !== model || this.generation !== model.generation) this.begin(model);
    this.paint();
    if (model.grid) this.rings.take(model);
    const { context, view, layout } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = css(darkness);
    context.fillRect(0, 0, view.width, view.height);
    this.drawPicture(context);
    const placed = this.rectangle(0, layout.top, layout.columns * layout.unit, layout.rows * layout.unit);
    if (this.shows.tint || !this.model.picture) {
      context.save();
      this.clip(context);
      // Light is added to a picture, as in the one that a run writes, so that stars stay bright.
      if (model.picture) context.globalCompositeOperation = "screen";
      drawScaled(context, this.cells.canvas, placed, false);
      context.restore();
    }
    this.drawPulse(placed);
    this.drawOnTop(this.marksContext);
  }

  /** What is to be read is above what pulses. */
  drawOnTop(context) {
    const hasMarks = this.hasMarks;
    // A canvas that is not touched costs nothing.
    if (!hasMarks && !this.hadMarks) return;
    this.hadMarks = hasMarks;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.save();
    this.clip(context);
    if (this.hasTiles) TileMarks.draw(context, this);
    else if (this.showsSectors) this.drawDetail(context);
    if (this.showsPoints) this.rings.draw(context, this.view);
    else this.rings.hide();
    if (this.showsSectors && !this.hasTiles) this.drawLabels(context);
    this.drawFailures(context);
    context.restore();
    this.drawSelection(context);
  }

  get showsSectors() {
    return this.shows.sectors || !this.model.grid;
  }

  get showsPoints() {
    return this.shows.sources && this.model.grid !== null;
  }

  get hasMarks() {
    const { layout, view, model } = this;
    return layout.unit * view.scale >= 5 || this.hasTiles || model.failures.size > 0 || model.points.count > 0
      || this.selected >= 0;
  }

  /** Where a rectangle of the world is on the canvas. */
  rectangle(x, y, width, height) {
    const { view } = this;
    return [(x - view.x) * view.scale, (y - view.y) * view.scale, width * view.scale, height * view.scale];
  }

  clip(context) {
    context.beginPath();
    context.rect(...this.rectangle(0, 0, this.layout.width, this.layout.height));
    context.clip();
  }

  drawPicture(context) {
    if (!this.picture || !this.model.picture) return;
    const { width, height } = this.layout;
    const ofPicture = width / this.picture.naturalWidth;
    drawScaled(context, this.picture, this.rectangle(0, 0, width, height), this.view.scale * ofPicture < 4);
  }

  drawPulse(placed) {
    const context = this.pulseContext;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.save();
    this.clip(context);
    drawScaled(context, this.flying.canvas, placed, false);
    if (this.showsPoints) this.rings.drawFresh(context, this.view);
    context.restore();
  }

  /** The places in sight: first and last column and row. */
  get seen() {
    const { layout, view } = this;
    const left = Math.max(0, Math.floor(view.x / layout.unit));
    const top = Math.max(0, Math.floor((view.y - layout.top) / layout.unit));
    return {
      left, top,
      right: Math.min(layout.columns - 1, Math.floor((view.x + view.width / view.scale) / layout.unit)),
      bottom: Math.min(
        layout.rows - 1, Math.floor((view.y - layout.top + view.height / view.scale) / layout.unit)),
    };
  }

  /** What one dot a cell does not show: gaps, stripes, passes, numbers; as much as there is room for. */
  drawDetail(context) {
    const { layout, view, model } = this;
    const side = layout.unit * view.scale;
    if (side < 5) return;
    const { left, right, top, bottom } = this.seen;
    const isTint = model.grid !== null;
    context.fillStyle = isTint ? "rgb(255 255 255 / 16%)" : css(darkness);
    const [x, y] = this.rectangle(0, layout.top, 0, 0);
    for (let column = left; column <= right + 1; column++) {
      context.fillRect(Math.round(x + column * side), y + top * side, 1, (bottom - top + 1) * side);
    }
    for (let row = top; row <= bottom + 1; row++) {
      context.fillRect(x + left * side, Math.round(y + row * side), (right - left + 1) * side, 1);
    }
    const count = (right - left + 1) * (bottom - top + 1);
    if (side >= 10 && count <= 6000) {
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const cell = layout.cellAt(column, row);
          if (cell >= 0) this.drawMarks(context, cell, x + column * side, y + row * side, side);
        }
      }
    }
  }

  drawMarks(context, cell, x, y, side) {
    const { field, passCount, grid } = this.model;
    const system = field.system[cell];
    if (system === noSystem) return;
    if (system >= systemColors.length && field.completed[cell] > 0 && !grid) {
      stripe(context, system, x + 1, y + 1, side - 1, side - 1);
    }
    if (passCount < 2) return;
    // A pip for each pass that it has come to; the last one is hollow while the pass goes on.
    const pip = Math.max(2, Math.min(5, side / 8));
    const isDone = field.completed[cell] === field.size(cell) || field.inFlight[cell] === 0;
    for (let pass = 0; pass <= Math.min(field.pass[cell], 7); pass++) {
      const isFilled = pass < field.pass[cell] || isDone;
      context.fillStyle = isFilled ? "#fff" : "rgb(255 255 255 / 40%)";
      context.fillRect(x + 3 + pass * (pip + 2), y + side - pip - 3, pip, pip);
    }
  }

  drawLabels(context) {
    const { layout, model, view } = this;
    const { field, grid } = model;
    const { left, right, top, bottom } = this.seen;
    const side = layout.unit * view.scale;
    const [x, y] = this.rectangle(0, layout.top, 0, 0);
    if (side < 22 || (right - left + 1) * (bottom - top + 1) > 900) return;
    const size = Math.max(8, Math.min(13, side * 0.36));
    context.font = `${size}px system-ui, sans-serif`;
    context.textBaseline = "top";
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = layout.cellAt(column, row);
        if (cell < 0) continue;
        const system = field.system[cell];
        const isFilled = field.completed[cell] > 0 || field.failed[cell] > 0;
        context.fillStyle = grid ? "rgb(255 255 255 / 85%)"
          : !isFilled ? (field.inFlight[cell] > 0 ? "#fff" : "#c3cad8")
          : system % systemColors.length === 5 && field.failed[cell] === 0 ? "#fff" : "#000";
        const [first, second] = this.labels(cell, layout.label(column, row), side);
        const room = Math.floor(side / size / 0.58);
        context.fillText(first.slice(0, room), x + column * side + 4, y + row * side + 4);
        if (second && side >= 3 * size) {
          context.fillText(second.slice(0, room), x + column * side + 4, y + row * side + 6 + size);
        }
      }
    }
  }

  /** The lines in a cell: the sector, and the system that has it. */
  labels(cell, label, side) {
    const { model } = this;
    const first = model.grid ? label : label * model.field.perCell;
    const system = model.systems[model.field.system[cell]];
    return [String(first), system && side >= (model.grid ? 64 : 44) ? system.name : ""];
  }

  /** Where a cell's first place lies in the world. */
  worldOf(cell) {
    const { layout } = this;
    if (layout.boxOf) return layout.boxOf(cell);
    let first = -1;
    layout.places(cell, (place) => { if (first < 0) first = place; });
    return [
      first % layout.columns * layout.unit,
      layout.top + Math.floor(first / layout.columns) * layout.unit, layout.unit, layout.unit,
    ];
  }

  /** A cross at each failed sector, which can be seen at any size. */
  drawFailures(context) {
    const { model } = this;
    context.lineCap = "round";
    for (const failure of model.failures.values()) {
      const cell = model.field.cellOf(failure.sector);
      if (cell >= model.field.count) continue;
      const [x, y, width, height] = this.rectangle(...this.worldOf(cell));
      if (width === 0) continue;
      const reach = Math.max(3.5, Math.min(Math.min(width, height) * 0.28, 14));
      const middleX = x + width / 2;
      const middleY = y + height / 2;
      context.beginPath();
      context.moveTo(middleX - reach, middleY - reach);
      context.lineTo(middleX + reach, middleY + reach);
      context.moveTo(middleX + reach, middleY - reach);
      context.lineTo(middleX - reach, middleY + reach);
      context.lineWidth = 5;
      context.strokeStyle = "#fff";
      context.stroke();
      context.lineWidth = 2;
      context.strokeStyle = "#000";
      context.stroke();
    }
  }

  drawSelection(context) {
    if (this.selected < 0 || this.selected >= this.model.field.count) return;
    const [x, y, width, height] = this.rectangle(...this.worldOf(this.selected));
    const margin = Math.max(0, (9 - Math.min(width, height)) / 2);
    const box = [x - margin, y - margin, width + 2 * margin, height + 2 * margin];
    context.lineWidth = 4;
    context.strokeStyle = "#000";
    context.strokeRect(...box);
    context.lineWidth = 2;
    context.strokeStyle = "#fff";
    context.strokeRect(...box);
  }

  /** The cell at a point of the canvas, or -1. */
  cellAt(x, y) {
    const { layout, view } = this;
    if (!layout) return -1;
    const [worldX, worldY] = view.toWorld(x, y);
    if (worldX < 0 || worldY < 0 || worldX >= layout.width || worldY >= layout.height) return -1;
    const column = Math.floor(worldX / layout.unit);
    const row = Math.floor((worldY - layout.top) / layout.unit);
    if (column >= layout.columns || row < 0 || row >= layout.rows) return -1;
    return layout.cellAt(column, row);
  }

  /** The cell beside the selected one; the first in sight if none is selected. */
  neighbour(columns, rows) {
    const { layout, seen } = this;
    if (!layout) return -1;
    if (this.selected < 0) {
      // The first in sight that is a cell.
      for (let row = seen.top; row <= seen.bottom; row++) {
        if (layout.cellAt(seen.left, row) >= 0) return layout.cellAt(seen.left, row);
      }
      return -1;
    }
    const [x, y] = this.worldOf(this.selected);
    let column = Math.round(x / layout.unit);
    let row = Math.round((y - layout.top) / layout.unit);
    // Images of a night have gaps between them.
    for (let step = 0; step < Math.max(layout.columns, layout.rows); step++) {
      column += columns;
      row += rows;
      if (column < 0 || row < 0 || column >= layout.columns || row >= layout.rows) return this.selected;
      const cell = layout.cellAt(column, row);
      if (cell >= 0 && cell !== this.selected) return cell;
    }
    return this.selected;
  }

  select(cell) {
    this.selected = cell;
    if (cell >= 0 && cell < (this.model?.field.count ?? 0)) this.view.reveal(...this.worldOf(cell));
  }
}
