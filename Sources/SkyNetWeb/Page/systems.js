"use strict";
// The table of systems: a row each, whose elements stay and only change their texts.

class SystemsTable {
  /** More rows would be read by nobody, and cost layout. */
  static mostRows = 60;
  /** More rows at once would take longer than a frame may. */
  static rowsAtOnce = 12;

  constructor(table) {
    this.body = table.tBodies[0];
    this.rows = new Map();
    this.none = byID("systems-none");
    this.more = byID("systems-more");
  }

  /** Puts the rows in order, and returns what fills them, some rows each. */
  parts(model) {
    const shown = this.shown(model);
    const all = model.systems.reduce((sum, system) => sum + system.tasks, 0);
    this.none.hidden = shown.length > 0;
    const count = model.systems.filter((system) => system.name !== "").length;
    setText(this.more, count > shown.length ? `the busiest, and ${whole(count - shown.length)} more` : "");
    const present = new Set(shown);
    for (const [row, cells] of this.rows) {
      if (present.has(row)) continue;
      cells.line.remove();
      this.rows.delete(row);
    }
    shown.forEach((row, at) => {
      let cells = this.rows.get(row);
      if (!cells) this.rows.set(row, cells = this.makeRow(row));
      if (this.body.children[at] !== cells.line) this.body.insertBefore(cells.line, this.body.children[at] ?? null);
      cells.system = model.systems[row];
      // A row is never without a name, though the rest of it comes a frame later.
      setText(cells.name, cells.system.name);
    });
    const parts = [];
    for (let at = 0; at < shown.length; at += SystemsTable.rowsAtOnce) {
      const rows = shown.slice(at, at + SystemsTable.rowsAtOnce);
      parts.push(() => this.fillRows(rows, all, model));
    }
    return parts;
  }

  fillRows(rows, all, model) {
    for (const row of rows) {
      const cells = this.rows.get(row);
      if (cells) this.fill(cells, cells.system, all, model);
    }
  }

  shown(model) {
    const rows = model.systems.map((_, row) => row).filter((row) => model.systems[row].name !== "");
    if (rows.length <= SystemsTable.mostRows) return rows;
    const weight = (row) => {
      const system = model.systems[row];
      return system.rate + (system.state === "present" || system.state === "gone" ? 0 : 1e9);
    };
    return rows.sort((left, right) => weight(right) - weight(left)).slice(0, SystemsTable.mostRows)
      .sort((left, right) => left - right);
  }

  makeRow(row) {
    const line = make("tr");
    line.setAttribute("role", "row");
    const cell = (label, className, tag = "td") => {
      const element = make(tag, className);
      element.dataset.label = label;
      element.setAttribute("role", tag === "th" ? "rowheader" : "cell");
      line.append(element);
      return element;
    };
    const header = cell("System", "name", "th");
    header.scope = "row";
    const swatch = make("canvas", "swatch");
    swatch.width = swatch.height = 28;
    swatch.setAttribute("aria-hidden", "true");
    fillSystem(swatch.getContext("2d"), row, 0, 0, 28, 28);
    const name = make("span");
    header.append(swatch, name);
    const state = cell("State", "state");
    const slots = cell("Slots", "slots");
    const slotsText = make("span");
    const bar = make("meter", "bar");
    bar.min = 0;
    bar.setAttribute("aria-hidden", "true");
    slots.append(slotsText, bar);
    const cells = {
      line, header, name, state, slots: slotsText, bar,
      rate: cell("Tasks/s", "number"), done: cell("Done", "number"), retried: cell("Retried"),
      share: cell("Share", "number"), latency: cell("Latency", "number"), spark: null, drawn: "",
    };
    const last = cell("Last minute", "spark-cell");
    cells.spark = make("canvas", "spark");
    cells.spark.width = 236;
    cells.spark.height = 44;
    cells.spark.setAttribute("role", "img");
    cells.spark.setAttribute("aria-label", "nothing yet");
    last.append(cells.spark);
    cells.row = row;
    return cells;
  }

  fill(cells, system, all, model) {
    const title = [system.address, system.version && `version ${system.version}`].filter(Boolean).join(", ");
    if (cells.header.title !== title) cells.header.title = title;
    if (cells.line.dataset.state !== system.state) cells.line.dataset.state = system.state;
    const state = system.note && system.state !== "present" && !system.note.startsWith(system.state)
      ? `${system.state}: ${system.note}` : system.note || system.state;
    // A run hands out more than there are slots, so that none stands empty between two scans.
    const busy = system.slots > 0 ? Math.min(system.inFlight, system.slots) : system.inFlight;
    const ahead = (system.waiting ?? 0) + system.inFlight - busy;
    const waiting = ahead > 0 ? `, ${whole(ahead)} waiting` : "";
    const load = system.load === null || system.load === undefined ? "" : `, load ${system.load.toFixed(1)}`;
    setText(cells.state, state + waiting + load);
    const slots = system.slots > 0 ? `${whole(busy)} of ${whole(system.slots)}` : whole(busy);
    setText(cells.slots, slots);
    cells.bar.hidden = system.slots === 0;
    const max = Math.max(1, system.slots);
    if (cells.bar.max !== max) cells.bar.max = max;
    const value = Math.min(max, system.inFlight);
    if (cells.bar.value !== value) cells.bar.value = value;
    setText(cells.rate, rateText(system.rate));
    const done = model.kind === "run" || model.kind === "report" ? system.completed : system.tasks;
    setText(cells.done, whole(done));
    const lost = system.lost > 0 ? `, ${whole(system.lost)} lost` : "";
    setText(cells.retried, `${whole(system.retried)}${lost}`);
    setText(cells.share, all > 0 ? `${Math.round(100 * system.tasks / all)} %` : "–");
    setText(cells.latency, system.latency > 0 ? duration(system.latency) : "–");
    this.drawSpark(cells, system);
  }

  drawSpark(cells, system) {
    const { history } = system;
    const key = `${history.join(" ")} ${inks.line}`;
    if (cells.drawn === key) return;
    cells.drawn = key;
    const most = Math.max(1e-9, ...history);
    const { width, height } = cells.spark;
    const context = cells.spark.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.fillStyle = inks.line;
    context.fillRect(0, height - 2, width, 2);
    context.fillStyle = css(systemColor(cells.row));
    const step = width / Math.max(1, history.length);
    history.forEach((count, at) => {
      const tall = count / most * (height - 4);
      if (tall > 0) context.fillRect(at * step, height - 2 - tall, Math.max(1, step - 1), tall);
    });
    const label = `${rateText(history.at(-1) ?? 0)} lately, at most ${rateText(Math.max(0, ...history))}`;
    cells.spark.setAttribute("aria-label", label);
  }

  /** Rows are drawn anew where the scheme has changed. */
  redraw() {
    for (const cells of this.rows.values()) cells.drawn = "";
  }
}
