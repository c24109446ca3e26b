"use strict";
// Colours that colour-blind people can tell apart: those of Okabe & Ito (2008, "Color Universal Design"), as
// in the pictures that `--picture` writes. Systems beyond the sixth have the same colours, with stripes.

const systemColors = [
  [0x56, 0xb4, 0xe9], [0xd5, 0x5e, 0x00], [0x00, 0x9e, 0x73],
  [0xcc, 0x79, 0xa7], [0xe6, 0x9f, 0x00], [0x00, 0x72, 0xb2],
];
const pointColor = "#f0e442";
/** The sky's background in light and dark, so that colours mean the same in both. */
const darkness = [0x0c, 0x0e, 0x14];
const emptyCell = [0x26, 0x2b, 0x36];
/** The tile of a part of which nothing is known yet. */
const tileToCome = [0x15, 0x18, 0x20];
const failedCell = [0xf4, 0xf4, 0xf4];
const noSystem = 0xffff;

function css(color) {
  return `rgb(${color[0]} ${color[1]} ${color[2]})`;
}

function systemColor(row) {
  return systemColors[row % systemColors.length];
}

/** 0 plain, 1 with stripes across, 2 with stripes upright. */
function systemStripes(row) {
  return Math.floor(row / systemColors.length) % 3;
}

/** A colour as a number of a layer. All machines that run browsers are little-endian. */
function packed(color, alpha = 255) {
  return ((alpha << 24) | (color[2] << 16) | (color[1] << 8) | color[0]) >>> 0;
}

function mixed(from, to, share) {
  return [0, 1, 2].map((part) => Math.round(from[part] + (to[part] - from[part]) * share));
}

/** How many shades there are between an empty cell and a complete one. */
const shades = 32;

/**
 * The colours of cells, by system and by how much of a cell is done. With a strength of 1 they are opaque; else they
 * are tints, through which a picture can be seen.
 */
class Shades {
  constructor(strength) {
    const isTint = strength < 1;
    this.table = new Uint32Array(systemColors.length * (shades + 1));
    this.flying = new Uint32Array(systemColors.length);
    for (let system = 0; system < systemColors.length; system++) {
      const color = systemColors[system];
      for (let shade = 0; shade <= shades; shade++) {
        const share = shade === 0 ? 0 : shade === shades ? 1 : 0.12 + 0.5 * shade / shades;
        this.table[system * (shades + 1) + shade] = isTint
          ? packed(color, Math.round(255 * strength * share)) : packed(mixed(emptyCell, color, share));
      }
      this.flying[system] = isTint ? packed(mixed(color, [255, 255, 255], 0.3), 100) : packed(color, 215);
    }
    this.empty = isTint ? 0 : packed(emptyCell);
    this.failed = packed(failedCell, isTint ? 70 : 255);
  }
}

/** The colours of canvases that follow the page's scheme. They are read anew when the scheme changes. */
const inks = { text: "", soft: "", ground: "", line: "", warn: "" };

function readInks() {
  const style = getComputedStyle(document.body);
  inks.text = style.getPropertyValue("--text").trim();
  inks.soft = style.getPropertyValue("--soft").trim();
  inks.ground = style.getPropertyValue("--panel").trim();
  inks.warn = style.getPropertyValue("--warn").trim();
  inks.line = style.getPropertyValue("--line").trim();
}

/** Fills a rectangle with a system's colour and stripes. */
function fillSystem(context, row, x, y, width, height) {
  context.fillStyle = css(systemColor(row));
  context.fillRect(x, y, width, height);
  stripe(context, row, x, y, width, height);
}

/** The stripes of a system beyond the sixth. */
function stripe(context, row, x, y, width, height) {
  const stripes = systemStripes(row);
  if (stripes === 0) return;
  context.fillStyle = "rgb(0 0 0 / 45%)";
  const step = Math.max(4, Math.min(10, (stripes === 1 ? height : width) / 3));
  if (stripes === 1) {
    for (let at = step / 2; at < height; at += step) {
      context.fillRect(x, y + at, width, Math.min(step / 2, height - at));
    }
  } else {
    for (let at = step / 2; at < width; at += step) {
      context.fillRect(x + at, y, Math.min(step / 2, width - at), height);
    }
  }
}
