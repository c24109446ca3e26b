"use strict";
// Where cells lie. The field is painted into layers with one dot a place, which are then drawn at any
// size; a layout says which cell has which place, and where the places lie in the world that is seen.

/** A numbered field, read like a page. */
class PageLayout {
  /** A layout with so many places, which may be more than the field has cells by now. */
  constructor(field, places, aspect) {
    this.field = field;
    this.columns = Math.max(1, Math.min(places, Math.ceil(Math.sqrt(places * aspect))));
    this.rows = Math.max(1, Math.ceil(places / this.columns));
    this.unit = 1;
    this.top = 0;
    this.width = this.columns;
    this.height = this.rows;
  }

  cellAt(column, row) {
    const cell = row * this.columns + column;
    return cell < this.field.count ? cell : -1;
  }

  places(cell, closure) {
    closure(cell);
  }

  label(column, row) {
    return this.cellAt(column, row);
  }
}

/** Sectors on a picture. Row 0 is the lowest, and the world is in the picture's units. */
class PictureLayout {
  constructor(grid, picture, sectors, perCell) {
    this.columns = grid.columns;
    this.rows = grid.rows;
    this.sectors = sectors;
    this.perCell = perCell;
    this.unit = grid.side;
    this.width = picture?.width ?? grid.columns * grid.side;
    this.height = picture?.height ?? grid.rows * grid.side;
    // The highest row of sectors may stand out beyond the picture.
    this.top = this.height - grid.rows * grid.side;
  }

  label(column, row) {
    return (this.rows - 1 - row) * this.columns + column;
  }

  cellAt(column, row) {
    const sector = this.label(column, row);
    return sector < this.sectors ? Math.floor(sector / this.perCell) : -1;
  }

  places(cell, closure) {
    const end = Math.min(this.sectors, (cell + 1) * this.perCell);
    for (let sector = cell * this.perCell; sector < end; sector++) {
      const row = this.rows - 1 - Math.floor(sector / this.columns);
      closure(row * this.columns + sector % this.columns);
    }
  }
}
