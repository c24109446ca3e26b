"use strict";
// The time line: a lane for each system, and in it each attempt as a bar, or, where there are too many, how many
// ended over time.

/** Draws one attempt: what it came to is told by its shape as well as its colour. */
function drawAttempt(context, row, { ending, isRetry, isHedge }, x, y, width, height) {
  const wide = Math.max(1.5, width);
  switch (ending) {
    case endings.done:
      fillSystem(context, row, x, y, wide, height);
      break;
    case endings.failed:
      context.fillStyle = inks.text;
      context.fillRect(x, y, wide, height);
      cross(context, inks.ground, x + wide / 2, y + height / 2, Math.min(wide, height) / 3);
      break;
    case endings.lost:
      context.strokeStyle = inks.text;
      context.lineWidth = 1.2;
      context.strokeRect(x + 0.6, y + 0.6, Math.max(1, wide - 1.2), Math.max(1, height - 1.2));
      cross(context, inks.text, x + wide / 2, y + height / 2, Math.min(wide, height) / 3);
      break;
    case endings.withdrawn:
      context.fillStyle = inks.soft;
      context.fillRect(x, y + height / 2 - 1, wide, 2);
      break;
    case endings.open:
      context.strokeStyle = css(systemColor(row));
      context.lineWidth = 1.5;
      context.strokeRect(x + 0.75, y + 0.75, Math.max(1, wide - 1.5), Math.max(1, height - 1.5));
      break;
  }
  if (isHedge) {
    // Two lines through the bar: there are two copies.
    context.fillStyle = inks.ground;
    context.fillRect(x, y + height * 0.3, wide, Math.max(1, height * 0.12));
    context.fillRect(x, y + height * 0.6, wide, Math.max(1, height * 0.12));
  } else if (isRetry) {
    // A notch at its beginning.
    context.fillStyle = inks.text;
    context.fillRect(x, y, Math.min(3, wide), height);
  }
}

function cross(context, ink, x, y, reach) {
  if (reach < 1.5) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.3;
  context.beginPath();
  context.moveTo(x - reach, y - reach);
  context.lineTo(x + reach, y + reach);
  context.moveTo(x + reach, y - reach);
  context.lineTo(x - reach, y + reach);
  context.stroke();
}

/** Marks of what came over a system. */
function drawPresence(context, kind, x, y, height) {
  context.fillStyle = inks.text;
  context.strokeStyle = inks.text;
  const middle = y + height / 2;
  if (kind === "joined") {
    context.beginPath();
    context.moveTo(x, y + 1);
    context.lineTo(x + 7, middle);
    context.lineTo(x, y + height - 1);
    context.fill();
  } else if (kind === "gone") {
    context.fillRect(x - 1, y, 2, height);
    cross(context, inks.text, x, middle, 5);
  } else if (kind === "silent") {
    for (let at = 0; at < height; at += 4) context.fillRect(x - 1, y + at, 2, 2);
  } else {
    context.fillRect(x - 0.5, y, 1, height);
  }
}

/** How far apart the times of an axis are, where a point of the canvas is so many seconds. */
function timeStep(perPoint) {
  const steps = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400,
    43_200, 86_400, 604_800,
  ];
  return steps.find((step) => step >= 80 * perPoint) ?? steps.at(-1);
}

/** A time on an axis, told apart from its neighbours. */
function axisTime(at, step) {
  if (at < step / 2) return "0";
  return step < 0.1 ? `${at.toFixed(2)} s` : duration(at);
}

class Timeline {
  /** More attempts in sight are drawn as counts. */
  static mostBars = 2000;
  static mostLanes = 40;
  /** How high the lane is in which all that was tried again is counted. */
  static retriedLane = 18;

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.width = 600;
    this.room = 200;
    this.ratio = 1;
    this.window = 0;
    this.height = 0;
    this.isOfBars = true;
  }

  resize(width, height) {
    this.width = Math.max(200, width);
    this.room = height;
    this.ratio = canvasScale();
    this.height = 0;
  }

  /** The systems that have a lane: where there are too many, those with most tasks. */
  lanes(model) {
    const rows = model.systems.map((_, row) => row).filter((row) => model.systems[row].name !== "");
    if (rows.length <= Timeline.mostLanes) return rows;
    return rows.sort((left, right) => model.systems[right].tasks - model.systems[left].tasks)
      .slice(0, Timeline.mostLanes).sort((left, right) => left - right);
  }

  /** The times in sight. */
  range(model) {
    const isReport = model.kind === "report";
    const all = Math.max(isReport ? model.length : model.now, 0.5);
    if (this.window === 0 || this.window >= all) return [0, all];
    if (!isReport) return [model.now - this.window, model.now];
    const from = Math.max(0, Math.min(all - this.window, model.now - this.window / 2));
    return [from, from + this.window];
  }

  draw(model) {
    const rows = this.lanes(model);
    const scale = this.scale(model);
    const bars = this.bars(model, scale);
    this.isOfBars = bars !== null;
    const below = 22 + (this.isOfBars ? 0 : Timeline.retriedLane);
    const lane = Math.max(16, Math.min(48, Math.floor((this.room - below) / Math.max(1, rows.length))));
    const bottom = rows.length * lane + (this.isOfBars ? 0 : Timeline.retriedLane);
    const height = Math.ceil(rows.length * lane + below);
    if (height !== this.height) {
      this.height = height;
      this.canvas.width = Math.round(this.width * this.ratio);
      this.canvas.height = Math.round(height * this.ratio);
      this.canvas.style.height = `${height}px`;
    }
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, height);
    this.bounds = [];
    this.drawAxis(context, scale, bottom);
    this.drawNames(context, model, rows, lane, scale.left);
    if (bars) this.drawBars(context, model, rows, lane, scale, bars);
    else this.drawCounts(context, model, rows, lane, scale);
    rows.forEach((row, at) => this.drawMarks(context, model.marksOf(row), at * lane + 3, lane - 6, scale));
    if (model.kind === "report") this.drawMoment(context, model.now, scale, bottom);
  }

  scale(model) {
    const [from, to] = this.range(model);
    const left = Math.min(110, this.width * 0.24);
    return { from, to, left, perSecond: (this.width - left - 8) / (to - from) };
  }

  x(scale, time) {
    return scale.left + (Math.min(scale.to, Math.max(scale.from, time)) - scale.from) * scale.perSecond;
  }

  drawAxis(context, scale, bottom) {
    const step = timeStep(1 / scale.perSecond);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "top";
    for (let at = Math.ceil(scale.from / step) * step; at <= scale.to; at += step) {
      const x = Math.round(this.x(scale, at));
      context.fillStyle = inks.line;
      context.fillRect(x, 0, 1, bottom + 4);
      context.fillStyle = inks.soft;
      const text = axisTime(at, step);
      context.fillText(text, Math.min(x, this.width - 8 * text.length), bottom + 7);
    }
  }

  drawNames(context, model, rows, lane, left) {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const room = Math.floor((left - 26) / 7);
    rows.forEach((row, at) => {
      const system = model.systems[row];
      const isThere = system.state !== "gone" && system.state !== "absent";
      context.fillStyle = inks.line;
      context.fillRect(0, (at + 1) * lane - 0.5, this.width, 1);
      fillSystem(context, row, 0, at * lane + lane / 2 - 6, 12, 12);
      context.fillStyle = isThere ? inks.text : inks.soft;
      const name = system.name.length > room ? `${system.name.slice(0, room - 1)}…` : system.name;
      context.fillText(name, 18, at * lane + lane / 2);
    });
  }

  /** The indexes of the attempts in sight, or null if they are too many or not all known. */
  bars(model, scale) {
    if (model.attemptsKnownFrom > scale.from) return null;
    const { attempts } = model;
    const found = [];
    for (let at = 0; at < attempts.count; at++) {
      if (attempts.ended[at] < scale.from || attempts.began[at] > scale.to) continue;
      found.push(at);
      if (found.length > Timeline.mostBars) return null;
    }
    return found.sort((left, right) => attempts.began[left] - attempts.began[right]);
  }

  drawBars(context, model, rows, lane, scale, bars) {
    const { attempts, flying } = model;
    const lines = this.lines(model, bars);
    const place = new Map(rows.map((row, at) => [row, at]));
    const draw = (from, index, line) => {
      const row = from.system[index];
      if (!place.has(row)) return;
      const height = (lane - 4) / lines.count[row];
      const x = this.x(scale, from.began[index]);
      const y = place.get(row) * lane + 2 + line * height;
      this.bounds.push(from.sector[index], x, this.x(scale, from.ended[index]), y, height);
      drawAttempt(
        context, row,
        {
          ending: from.ending[index], isRetry: from.attempt[index] > 1 && !from.isHedge[index],
          isHedge: from.isHedge[index] === 1,
        },
        x, y,
        // A fault can be brief, and is to be seen.
        Math.max(isFault(from, index) ? 5 : 1, this.x(scale, from.ended[index]) - x - 0.5),
        Math.max(1.5, height - 1));
    };
    const isFault = (from, index) => from.ending[index] === endings.failed || from.ending[index] === endings.lost;
    bars.forEach((index, at) => { if (!isFault(attempts, index)) draw(attempts, index, lines.ofBar[at]); });
    bars.forEach((index, at) => { if (isFault(attempts, index)) draw(attempts, index, lines.ofBar[at]); });
    for (let index = 0; index < flying.count; index++) draw(flying, index, lines.ofFlight[index]);
  }

  /** Gives each attempt a line of its lane that is free meanwhile. */
  lines(model, bars) {
    const { attempts, flying } = model;
    const ends = model.systems.map(() => []);
    const count = model.systems.map((system) => Math.max(1, Math.min(system.slots, 16)));
    const take = (from, index) => {
      const free = ends[from.system[index]];
      if (!free) return 0;
      let line = free.findIndex((end) => end <= from.began[index] + 0.002);
      if (line < 0) line = free.length;
      free[line] = from.ended[index];
      count[from.system[index]] = Math.max(count[from.system[index]], line + 1);
      return line;
    };
    return {
      ofBar: bars.map((index) => take(attempts, index)),
      ofFlight: Array.from({ length: flying.count }, (_, index) => take(flying, index)),
      count,
    };
  }

  /** How many ended over time, by system, and beneath them what was tried again. */
  drawCounts(context, model, rows, lane, scale) {
    const { history } = model;
    if (history === null) return;
    const wide = Math.max(2, history.step * scale.perSecond);
    const right = Math.min(this.x(scale, scale.to), this.x(scale, Math.max(scale.from, history.end)));
    const columns = Math.max(0, Math.floor((right - scale.left) / wide + 1e-6));
    const rates = (bins) => Array.from({ length: columns }, (_, at) => {
      const from = scale.from + at * wide / scale.perSecond;
      return history.rate(bins, from, from + wide / scale.perSecond);
    });
    const all = rows.map((row) => rates(history.doneBy(row)));
    const most = Math.max(1e-9, ...all.map((values) => Math.max(0, ...values)));
    rows.forEach((row, index) => {
      this.drawOutline(context, all[index], most, scale.left, index * lane + 2, wide, lane - 4);
      context.fillStyle = css(systemColor(row));
      context.fill();
      if (systemStripes(row) > 0) stripeAlong(context, row, scale.left, index * lane + 2, columns * wide, lane - 4);
    });
    const retried = rates(history.retried);
    context.fillStyle = inks.soft;
    context.fillText("tried again", 18, rows.length * lane + Timeline.retriedLane / 2);
    this.drawOutline(
      context, retried, Math.max(1e-9, ...retried), scale.left, rows.length * lane + 2, wide, Timeline.retriedLane - 4);
    context.fillStyle = inks.warn;
    context.fill();
  }

  /** One outline a lane: thousands of rectangles would take longer than a frame has. */
  drawOutline(context, values, most, left, top, wide, room) {
    context.beginPath();
    context.moveTo(left, top + room);
    values.forEach((value, at) => {
      const y = top + room - (value > 0 ? Math.max(1, value / most * room) : 0);
      context.lineTo(left + at * wide, y);
      context.lineTo(left + (at + 1) * wide, y);
    });
    context.lineTo(left + values.length * wide, top + room);
  }

  drawMarks(context, marks, y, height, scale) {
    for (const mark of marks) {
      if (mark.at < scale.from || mark.at > scale.to) continue;
      drawPresence(context, mark.kind, this.x(scale, mark.at), y, height);
    }
  }

  drawMoment(context, now, scale, bottom) {
    const x = Math.round(this.x(scale, now));
    context.fillStyle = inks.text;
    context.fillRect(x - 1, 0, 2, bottom + 4);
  }

  /** The sector of the bar at a point of the canvas, or -1; a narrow bar is as good as a wide one. */
  sectorAt(x, y) {
    const { bounds = [] } = this;
    for (let at = bounds.length - 5; at >= 0; at -= 5) {
      const [sector, left, right, top, height] = bounds.slice(at, at + 5);
      if (x >= left - 2 && x <= right + 2 && y >= top && y <= top + height) return sector;
    }
    return -1;
  }

  /** The time of a point of the canvas, or null beside the lanes. */
  timeAt(model, x) {
    const [from, to] = this.range(model);
    const left = Math.min(110, this.width * 0.24);
    if (x < left) return null;
    return from + (x - left) / (this.width - left - 8) * (to - from);
  }

  /** What the canvas shows, in words. */
  description(model) {
    const joined = [];
    const gone = [];
    model.systems.forEach((system, row) => {
      for (const mark of model.marksOf(row)) {
        if (mark.at > model.now) continue;
        if (mark.kind === "joined") joined.push(`${system.name} joined at ${duration(mark.at)}`);
        if (mark.kind === "gone") gone.push(`${system.name} was gone at ${duration(mark.at)}`);
      }
    });
    return [
      `Attempts of ${counted(model.systems.length, "system")} over ${duration(model.now)}`,
      this.isOfBars ? "each a bar" : "counted together",
      `${counted(model.hedged, "hedge")}, ${whole(model.retried)} retried`,
      ...joined.slice(-3), ...gone.slice(-3),
    ].join("; ");
  }
}

/** Stripes over a long lane, as the swatch has them. */
function stripeAlong(context, row, x, y, width, height) {
  context.fillStyle = inks.ground;
  if (systemStripes(row) === 1) {
    for (let at = 3; at < height; at += 6) context.fillRect(x, y + at, width, 1.5);
  } else {
    for (let at = 3; at < width; at += 8) context.fillRect(x + at, y, 2, height);
  }
}

/** Draws the legend's marks; anew in another scheme. */
function drawLegend() {
  for (const canvas of document.querySelectorAll("canvas[data-mark]")) {
    const ratio = 2;
    canvas.width = 26 * ratio;
    canvas.height = 14 * ratio;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const mark = canvas.dataset.mark;
    if (mark === "joined" || mark === "gone" || mark === "silent") {
      drawPresence(context, mark, 10, 1, 12);
      continue;
    }
    const ending = endings[mark === "flying" ? "open" : mark] ?? endings.done;
    drawAttempt(
      context, 0, { ending, isRetry: mark === "retry", isHedge: mark === "hedge" }, 1, 1, 24, 12);
  }
}
