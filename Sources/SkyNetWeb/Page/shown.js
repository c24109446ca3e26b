"use strict";
// What of a picture's sky is shown: buttons that stay pressed, and are remembered for the visit.

class Shown {
  static key = "skynet-shown";

  constructor(sky, changed) {
    this.sky = sky;
    this.changed = changed;
    this.group = byID("shown");
    Object.assign(sky.shows, this.remembered());
    for (const button of this.group.querySelectorAll("button")) {
      const { shows } = button.dataset;
      button.addEventListener("click", () => this.set(shows, !sky.shows[shows]));
    }
    this.say();
  }

  /** Where nothing can be remembered, as in some files, nothing is. */
  remembered() {
    try {
      const stored = JSON.parse(sessionStorage.getItem(Shown.key) ?? "{}");
      const known = Object.keys(this.sky.shows).filter((name) => typeof stored[name] === "boolean");
      return Object.fromEntries(known.map((name) => [name, stored[name]]));
    } catch {
      return {};
    }
  }

  set(name, isShown) {
    this.sky.shows[name] = isShown;
    try {
      sessionStorage.setItem(Shown.key, JSON.stringify(this.sky.shows));
    } catch {
      // The page works without it.
    }
    this.say();
    this.changed();
  }

  say() {
    for (const button of this.group.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(this.sky.shows[button.dataset.shows]));
    }
  }

  draw(model) {
    this.group.hidden = model.grid === null;
  }
}

/** What is known of a point, on a card in the corner of the sky that is away from it. */
class PointCard {
  constructor(element, sky) {
    this.element = element;
    this.sky = sky;
    this.shown = "";
  }

  /** Shows a point, or with -1 none. */
  draw(model, point) {
    const { rings } = this.sky;
    const isKnown = point >= 0 && model?.grid && rings.points === model.points && point < model.points.count;
    this.element.hidden = !isKnown;
    if (!isKnown) return;
    const { pairs } = rings.row(point, model);
    const { y } = rings.ring(point, this.sky.view);
    this.element.dataset.at = y < this.sky.view.height / 2 ? "bottom" : "top";
    const key = JSON.stringify(pairs);
    if (key === this.shown) return;
    this.shown = key;
    const list = make("dl");
    for (const [name, text] of pairs) list.append(make("dt", "", name), make("dd", "", text));
    this.element.replaceChildren(make("strong", "", capitalized(model.words.point.one)), list);
  }

  /** The same in one sentence. */
  text(model, point) {
    const { pairs } = this.sky.rings.row(point, model);
    return `${capitalized(model.words.point.one)}: ${pairs.map(([name, text]) => `${name} ${text}`).join("; ")}`;
  }
}
