"use strict";
// Text and numbers as people read them.

/** A peer's text, with what would steer the reading (control and direction characters) written out. */
function plain(text) {
  return String(text ?? "").replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** The same with its lines, such as what a program wrote to standard error. */
function plainLines(text) {
  return String(text ?? "").split("\n").map(plain).join("\n");
}

/** A text without the token of a page, which whoever reads the text could use. */
function masked(text) {
  return text.replace(/([?&]token=)[^\s&#"']+/g, "$1…");
}

/** Bytes: "512 MB", "3.2 GB". */
function bytes(number) {
  return number < 1e9 ? `${whole(number / 1e6)} MB` : `${(number / 1e9).toFixed(number < 1e11 ? 1 : 0)} GB`;
}

const wholeNumbers = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 12345 as 12,345. */
function whole(number) {
  return wholeNumbers.format(number);
}

/** A number in at most six characters: 12,345, 169k, 2.31M. */
function short(number) {
  return number < 100_000 ? whole(number)
    : number < 999_500 ? `${whole(number / 1000)}k` : `${Number((number / 1e6).toPrecision(3))}M`;
}

/** "sector 3" as "Sector 3". */
function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 system", "2 systems"; a noun with another plural is {one, many}. */
function counted(number, noun) {
  const { one, many } = typeof noun === "string" ? { one: noun, many: `${noun}s` } : noun;
  return `${whole(number)} ${number === 1 ? one : many}`;
}

/** A rate: a tenth where it tells something. */
function rateText(rate) {
  return rate < 100 ? rate.toFixed(1) : whole(Math.round(rate));
}

function percent(part, all) {
  if (!(all > 0)) return "–";
  const share = 100 * part / all;
  // Not all is not 100 %.
  return share >= 10 ? `${Math.floor(share)} %` : `${(Math.floor(share * 10) / 10).toFixed(1)} %`;
}

/** A duration in seconds: "0.3 s", "12 s", "4 min 5 s", "2 h 10 min". */
function duration(seconds) {
  if (seconds < 0.0995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  const parts = (first, name, second, other) => `${first} ${name}${second > 0 ? ` ${second} ${other}` : ""}`;
  if (rounded < 3600) return parts(Math.floor(rounded / 60), "min", rounded % 60, "s");
  if (rounded < 48 * 3600) {
    return parts(Math.floor(rounded / 3600), "h", Math.floor(rounded % 3600 / 60), "min");
  }
  return parts(Math.floor(rounded / 86400), "d", Math.floor(rounded % 86400 / 3600), "h");
}

/** The time of day, of seconds since 1970. */
function clockTime(seconds) {
  return new Date(seconds * 1000).toTimeString().slice(0, 8);
}

/** "a", "a and b", "a, b and 3 more". */
function listed(names, most = 3) {
  if (names.length <= 1) return names.join("");
  if (names.length <= most) return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
}

/** A path that is cut where it is long. Its end stays, since the file's name tells most. */
function pathEnd(path, most = 48) {
  const characters = [...path];
  return characters.length > most ? `…${characters.slice(1 - most).join("")}` : path;
}

/** Sets an element's text if it is another one: setting the same text would cost a layout. */
function setText(element, text) {
  if (element.shown === text) return;
  element.shown = text;
  const { firstChild } = element;
  // To change a text takes half as long as to replace it.
  if (firstChild !== null && firstChild === element.lastChild && firstChild.nodeType === Node.TEXT_NODE) {
    firstChild.data = text;
  } else {
    element.textContent = text;
  }
}

/** A new element with a class and a text. */
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) setText(element, text);
  return element;
}

function byID(id) {
  return document.getElementById(id);
}
