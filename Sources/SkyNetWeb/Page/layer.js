"use strict";
// A layer of the sky: a small picture with one dot for each place, which is drawn at any size.

class Layer {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
  }

  /** Begins anew, with nothing painted. */
  begin(columns, rows) {
    this.canvas.width = columns;
    this.canvas.height = rows;
    this.data = this.context.createImageData(columns, rows);
    /** The colours of the places, as `packed` makes them. */
    this.colors = new Uint32Array(this.data.data.buffer);
  }

  /** Takes the colours of these rows over. */
  show(first, last) {
    this.context.putImageData(this.data, 0, 0, 0, first, this.canvas.width, last - first + 1);
  }
}

/** Draws a picture, which may be a layer's canvas, into a rectangle. */
function drawScaled(context, picture, rectangle, isSmooth) {
  context.imageSmoothingEnabled = isSmooth;
  context.drawImage(picture, ...rectangle);
}

/** How many dots of a canvas a unit of the page gets along each axis. */
function canvasScale() {
  return Math.min(2, window.devicePixelRatio || 1);
}
