"use strict";
// The curve over the whole run: tasks a second, stacked by system in the systems' colours; behind it the busy slots; on
// it who came and went; beneath it what was tried again.

class Curve {
  /** Of more systems, those with the fewest tasks are drawn together. */
  static mostRows = 12;
  static margin = { left: 38, right: 38, top: 6, bottom: 22 };

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.section = byID("curve-section");
    this.under = byID("curve-under-pointer");
    this.pointer = null;
    this.drawn = "";
    this.resize(600, 100);
  }

  resize(width, height) {
    this.width = Math.max(200, width);
    this.height = Math.max(60, height);
    this.drawn = "";
  }

  /** Takes the size of its place, which a canvas that was hidden is told only after its first picture. */
  fit() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    this.resize(clientWidth, clientHeight);
  }

  /** Draws anew, in another scheme. */
  redraw() {
    this.drawn = "";
  }

  draw(model) {
    const { history } = model;
    const isKnown = history !== null && history.count > 0;
    if (this.section.hidden === isKnown) {
      this.section.hidden = !isKnown;
      if (isKnown) this.fit();
    }
    if (!isKnown) return;
    const length = Math.max(0.5, model.length ?? model.now);
    // While a run goes on, once a second is enough; what the pointer asks for, and a report's moment, come at once.
    const moment = model.kind === "report" ? model.now.toFixed(2) : model.isOver ? `end ${history.version}` : Math.floor(model.now);
    const key = `${model.generation} ${moment} ${this.pointer} ${history.marks.length}`;
    if (key === this.drawn && this.model === model) return;
    this.drawn = key;
    this.model = model;
    this.length = length;
    const ratio = canvasScale();
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    const { context } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.sample(model);
    this.drawAxes(context);
    this.drawBusy(context);
    this.drawStack(context);
    this.drawRetried(context);
    for (const mark of history.marks) this.drawMark(context, mark);
    this.drawPointer(context);
  }

  /** The values along the curve. */
  sample(model) {
    const { history } = model;
    const isOver = model.end !== null;
    const room = this.width - Curve.margin.left - Curve.margin.right;
    // Neither so fine that single tasks make spikes, nor finer than what is known.
    this.span = Math.max(this.length * 5 / room, history.step, Math.min(1, this.length / 12));
    const end = isOver ? this.length : Math.min(this.length, history.end);
    const count = Math.max(1, Math.floor(end / this.span + 1e-6));
    this.count = count;
    this.times = Array.from({ length: count }, (_, at) => [at * this.span, at === count - 1 ? end : (at + 1) * this.span]);
    const series = (bins) => this.times.map(([from, to]) => history.rate(bins, from, Math.max(to, from + 1e-3)));
    const totals = [...history.done.keys()].map((row) => [row, model.systems[row]?.tasks ?? 0]);
    const rows = totals.sort((left, right) => right[1] - left[1]).map(([row]) => row);
    const shown = rows.slice(0, rows.length > Curve.mostRows ? Curve.mostRows - 1 : Curve.mostRows);
    this.stack = shown.sort((left, right) => left - right).map((row) => ({ row, values: series(history.done.get(row)) }));
    const others = rows.slice(shown.length).filter((row) => !shown.includes(row));
    // The others are a band for each colour.
    const bands = new Map();
    for (const row of others) {
      const hue = row % systemColors.length;
      if (!bands.has(hue)) bands.set(hue, new Float32Array(History.most));
      const [sum, counts] = [bands.get(hue), history.done.get(row)];
      for (let at = 0; at < history.count; at++) sum[at] += counts[at];
    }
    for (const [row, bins] of bands) this.stack.push({ row, values: series(bins), isBand: true });
    this.total = this.times.map((_, at) => this.stack.reduce((sum, { values }) => sum + values[at], 0));
    this.busy = this.times.map(([from, to]) => history.mean(history.busy, from, Math.max(to, from + 1e-3)));
    this.retried = series(history.retried);
    this.mostRate = niceAbove(Math.max(0.1, ...this.total));
    const slots = model.systems.reduce((sum, system) => sum + system.slots, 0);
    this.mostBusy = niceAbove(Math.max(1, slots > 0 ? Math.min(slots, 2 * Math.max(...this.busy)) : 1, ...this.busy));
  }

  x(time) {
    const { left, right } = Curve.margin;
    return left + Math.min(1, Math.max(0, time / this.length)) * (this.width - left - right);
  }

  y(share) {
    const { top, bottom } = Curve.margin;
    return this.height - bottom - share * (this.height - top - bottom);
  }

  drawAxes(context) {
    const { left, right } = Curve.margin;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const share of [0, 0.5, 1]) {
      const y = Math.round(this.y(share));
      context.fillStyle = inks.line;
      context.fillRect(left, y, this.width - left - right, 1);
      if (share === 0) continue;
      context.fillStyle = inks.soft;
      context.textAlign = "right";
      context.fillText(axisText(share * this.mostRate), left - 6, y + (share === 1 ? 4 : 0));
      context.textAlign = "left";
      context.fillText(axisText(share * this.mostBusy), this.width - right + 6, y + (share === 1 ? 4 : 0));
    }
    context.textBaseline = "alphabetic";
    context.fillStyle = inks.soft;
    const step = timeStep(this.length / (this.width - left - right));
    for (let at = 0; at <= this.length; at += step) {
      const text = axisTime(at, step);
      const x = this.x(at);
      if (x + 3.2 * text.length > this.width) break;
      context.textAlign = "center";
      context.fillText(text, x, this.height - 2);
    }
    context.textAlign = "left";
  }

  /** Goes along values from left to right, each in the middle of its time. */
  trace(context, heights) {
    heights.forEach((share, at) => {
      const [from, to] = this.times[at];
      const isFirst = at === 0;
      const isLast = at === heights.length - 1;
      if (isFirst) context.lineTo(this.x(from), this.y(share));
      context.lineTo(this.x((from + to) / 2), this.y(share));
      if (isLast) context.lineTo(this.x(to), this.y(share));
    });
  }

  drawBusy(context) {
    const heights = this.busy.map((number) => Math.min(1, number / this.mostBusy));
    context.beginPath();
    context.moveTo(this.x(0), this.y(0));
    this.trace(context, heights);
    context.lineTo(this.x(this.times.at(-1)[1]), this.y(0));
    context.fillStyle = inks.line;
    context.globalAlpha = 0.55;
    context.fill();
    context.globalAlpha = 1;
    this.busyHeights = heights;
  }

  drawStack(context) {
    const base = new Array(this.count).fill(0);
    for (const { row, values } of this.stack) {
      const top = base.map((value, at) => value + values[at] / this.mostRate);
      context.beginPath();
      this.trace(context, top);
      // Back along the lower edge.
      for (let at = this.count - 1; at >= 0; at--) {
        const [from, to] = this.times[at];
        if (at === this.count - 1) context.lineTo(this.x(to), this.y(base[at]));
        context.lineTo(this.x((from + to) / 2), this.y(base[at]));
        if (at === 0) context.lineTo(this.x(from), this.y(base[at]));
      }
      context.closePath();
      context.fillStyle = css(systemColor(row));
      context.globalAlpha = 0.82;
      context.fill();
      context.globalAlpha = 1;
      top.forEach((value, at) => { base[at] = value; });
    }
    // The busy slots' edge can be seen in front too.
    context.beginPath();
    this.trace(context, this.busyHeights);
    context.strokeStyle = inks.text;
    context.globalAlpha = 0.55;
    context.setLineDash([4, 3]);
    context.lineWidth = 1.2;
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** A strip beneath the curve: the more attempts were tried again, the stronger. */
  drawRetried(context) {
    const most = Math.max(1e-9, ...this.retried);
    context.fillStyle = inks.warn;
    this.retried.forEach((rate, at) => {
      if (rate <= 0) return;
      const [from, to] = this.times[at];
      context.globalAlpha = 0.35 + 0.65 * rate / most;
      context.fillRect(this.x(from), this.y(0) + 2, Math.max(2, this.x(to) - this.x(from)), 4);
    });
    context.globalAlpha = 1;
  }

  drawMark(context, { at, kind, system }) {
    // Who was there from the beginning is no news.
    if (kind === "joined" && at < Math.max(0.5, this.length / 100)) return;
    const x = Math.round(this.x(at));
    const [top, bottom] = [this.y(1), this.y(0)];
    context.fillStyle = inks.text;
    if (kind === "joined") {
      context.fillStyle = css(systemColor(system ?? 0));
      context.strokeStyle = inks.ground;
      context.beginPath();
      context.moveTo(x - 5, bottom);
      context.lineTo(x, bottom - 9);
      context.lineTo(x + 5, bottom);
      context.closePath();
      context.fill();
      context.stroke();
      return;
    }
    for (let y = top; y < bottom; y += 5) context.fillRect(x, y, 1, 3);
    if (kind === "resumed") context.fillRect(x - 3, top, 7, 3);
    else {
      if (system !== null) fillSystem(context, system, x - 5, top, 11, 11);
      if (kind === "died") {
        context.lineCap = "round";
        cross(context, inks.ground, x + 0.5, top + 5.5, 4);
        cross(context, inks.text, x + 0.5, top + 5.5, 3.4);
      }
    }
  }

  /** The moment that a report shows, and what the pointer is over. */
  drawPointer(context) {
    const { model } = this;
    if (model.kind === "report" && model.now < this.length) {
      const x = this.x(model.now);
      context.fillStyle = inks.ground;
      context.globalAlpha = 0.6;
      context.fillRect(x, 0, this.width - Curve.margin.right - x, this.y(0) + 8);
      context.globalAlpha = 1;
      context.fillStyle = inks.text;
      context.fillRect(Math.round(x) - 1, 0, 2, this.y(0) + 8);
    }
    if (this.pointer === null) {
      setText(this.under, "");
      return;
    }
    const time = this.timeAt(this.pointer);
    context.fillStyle = inks.text;
    context.fillRect(Math.round(this.x(time)), 0, 1, this.y(0));
    const at = Math.min(this.count - 1, Math.floor(time / this.span));
    const shares = this.stack.filter(({ isBand }) => !isBand)
      .map(({ row, values }) => ({ name: model.systems[row]?.name ?? "?", rate: values[at] }))
      .filter(({ rate }) => rate >= 0.05).sort((left, right) => right.rate - left.rate).slice(0, 3)
      .map(({ name, rate }) => `${name} ${rateText(rate)}`);
    const ofWhom = shares.length > 0 ? ` (${shares.join(", ")})` : "";
    setText(
      this.under,
      `at ${duration(time)}: ${rateText(this.total[at])} a second${ofWhom}, ${rateText(this.busy[at])} slots busy`);
  }

  /** Follows the pointer; a click in a report goes to its moment. */
  watch(changed, seek) {
    this.canvas.addEventListener("pointermove", (event) => {
      this.pointer = event.offsetX;
      changed();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      changed();
    });
    this.canvas.addEventListener("click", (event) => {
      if (this.model?.kind === "report") seek(this.timeAt(event.offsetX));
    });
  }

  timeAt(x) {
    const { left, right } = Curve.margin;
    return Math.min(1, Math.max(0, (x - left) / (this.width - left - right))) * this.length;
  }

  /** What the canvas shows, in words. */
  description(model) {
    const { history } = model;
    if (history === null || history.count === 0 || !this.total) return "Tasks per second over the run";
    const marks = (kind) => history.marks.filter((mark) => mark.kind === kind).length;
    const retried = history.retried.reduce((sum, number) => sum + number, 0);
    return [
      `Tasks per second over ${duration(this.length)}: at most ${rateText(Math.max(...this.total))}`,
      `at most ${rateText(Math.max(...this.busy))} busy slots`, `${whole(marks("joined"))} joined`,
      `${whole(marks("died"))} died`, `${whole(Math.round(retried))} tried again`,
    ].join("; ");
  }
}

/** 1, 2 or 5 times a power of ten, or what lies between them, that is not less. */
function niceAbove(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= number * 0.999);
}

function axisText(number) {
  return number >= 10_000 ? `${whole(number / 1000)}k` : number >= 10 ? whole(number) : String(Number(number.toFixed(2)));
}
