"use strict";
// The table of systems: a row each, whose elements stay and only change their texts. Its heads sort, and a name opens
// the system's own view.

class SystemsTable {
  /** More rows would be read by nobody, and cost layout. */
  static mostRows = 60;
  /** More rows at once would take longer than a frame may. */
  static rowsAtOnce = 8;
  static rowHeight = 47;

  constructor(table, { open, changed }) {
    this.table = table;
    this.open = open;
    this.body = table.tBodies[0];
    this.rows = new Map();
    this.round = 0;
    this.none = byID("systems-none");
    this.more = byID("systems-more");
    /** What is sorted by, and whether the largest comes first; in the order of rows until a head is clicked. */
    this.sort = { key: null, isDown: false };
    for (const button of table.querySelectorAll("[data-sort]")) {
      button.addEventListener("click", () => {
        this.sortBy(button.dataset.sort);
        changed();
      });
    }
  }

  sortBy(key) {
    const isFirst = this.sort.key !== key;
    // Numbers begin with the largest, names with the first.
    this.sort = { key, isDown: isFirst ? key !== "name" : !this.sort.isDown };
    for (const button of this.table.querySelectorAll("[data-sort]")) {
      const way = button.dataset.sort !== key ? "none" : this.sort.isDown ? "descending" : "ascending";
      button.closest("th").setAttribute("aria-sort", way);
    }
  }

  /** Puts the rows in order, and returns what fills them, some rows each. */
  parts(model) {
    const shown = this.shown(model);
    const inSight = this.inSight();
    const hidden = shown.length > 0;
    if (this.none.hidden !== hidden) this.none.hidden = hidden;
    // So many scroll, and the part's height need not follow them.
    byID("systems-section").classList.toggle("many", shown.length > 8);
    this.table.classList.toggle("is-over", model.isOver);
    const count = model.systems.filter((system) => system.name !== "").length;
    const slots = model.systems.reduce((sum, system) => sum + (isThere(system) ? system.slots : 0), 0);
    const left = count > shown.length ? `; the busiest are shown, and ${whole(count - shown.length)} more are not` : "";
    setText(this.more, count > 0 ? `${counted(count, "system")}, ${counted(slots, "slot")}${left}` : "");
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
    const due = shown.filter((row, at) => this.isDue(this.rows.get(row), at, inSight));
    this.round += 1;
    const parts = [];
    for (let at = 0; at < due.length; at += SystemsTable.rowsAtOnce) {
      const rows = due.slice(at, at + SystemsTable.rowsAtOnce);
      parts.push(() => this.fillRows(rows, model));
    }
    return parts;
  }

  /** The first and last row that the table's frame shows, about. Asked before anything changes, it costs no layout. */
  inSight() {
    const { scrollTop, clientHeight } = this.table.parentElement;
    return [scrollTop / SystemsTable.rowHeight - 3, (scrollTop + clientHeight) / SystemsTable.rowHeight + 1];
  }

  /** Rows out of sight are filled each eighth time. */
  isDue(cells, at, [first, last]) {
    return !cells.isFilled || (at >= first && at <= last) || at % 8 === this.round % 8;
  }

  fillRows(rows, model) {
    // Of this moment too: messages come between the frames of one drawing.
    const all = model.systems.reduce((sum, system) => sum + system.tasks, 0);
    for (const row of rows) {
      const cells = this.rows.get(row);
      if (cells) this.fill(cells, cells.system, all, model);
    }
  }

  shown(model) {
    let rows = model.systems.map((_, row) => row).filter((row) => model.systems[row].name !== "");
    if (rows.length > SystemsTable.mostRows) {
      const weight = (row) => {
        const system = model.systems[row];
        return system.rate + (system.state === "present" || system.state === "gone" ? 0 : 1e9);
      };
      rows = rows.sort((left, right) => weight(right) - weight(left)).slice(0, SystemsTable.mostRows)
        .sort((left, right) => left - right);
    }
    const { key, isDown } = this.sort;
    if (key === null) return rows;
    const value = (row) => {
      const system = model.systems[row];
      return { name: system.name, share: system.tasks, done: doneBy(system, model), rate: rateOf(system, model) }[key]
        ?? system[key] ?? -1;
    };
    const order = (left, right) => key === "name" ? left.localeCompare(right) : left - right;
    return rows.sort((left, right) => (isDown ? -1 : 1) * order(value(left), value(right)) || left - right);
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
    const button = make("button", "plain-button");
    button.type = "button";
    const swatch = make("canvas", "swatch");
    swatch.width = swatch.height = 28;
    swatch.setAttribute("aria-hidden", "true");
    fillSystem(swatch.getContext("2d"), row, 0, 0, 28, 28);
    const name = make("span");
    name.id = `system-name-${row}`;
    // Readers hear the name with each cell, and the rest of the header when they come to it.
    header.setAttribute("aria-labelledby", name.id);
    button.append(swatch, name);
    button.addEventListener("click", () => this.open(row));
    const [host, more] = [make("span", "host"), make("p", "more")];
    const [state, about] = [make("span", "state"), make("span", "about")];
    more.append(state, about);
    header.append(button, host, more);
    const slots = cell("Slots", "slots");
    const [slotsText, tiles] = [make("span"), make("canvas", "tiles")];
    tiles.setAttribute("aria-hidden", "true");
    slots.append(tiles, slotsText);
    const cells = { row, line, header, name, host, state, about, slots: slotsText, tiles, tiled: "", drawn: "" };
    cells.rate = cell("Tasks/s", "number rate");
    const minute = cell("Last minute", "spark-cell");
    cells.spark = make("canvas", "spark");
    cells.spark.width = 236;
    cells.spark.height = 44;
    cells.spark.setAttribute("role", "img");
    cells.spark.setAttribute("aria-label", "nothing yet");
    minute.append(cells.spark);
    cells.done = cell("Done", "number");
    cells.retried = cell("Retried", "number");
    cells.share = cell("Share", "number");
    cells.latency = cell("Latency", "number not-cluster");
    return cells;
  }

  fill(cells, system, all, model) {
    cells.isFilled = true;
    if (cells.line.dataset.state !== system.state) cells.line.dataset.state = system.state;
    setText(cells.state, stateText(system));
    setText(cells.host, system.host === system.name ? "" : system.host);
    setText(cells.about, aboutText(system));
    // A run hands out more than there are slots, so that none stands empty between two scans.
    const busy = system.slots > 0 ? Math.min(system.inFlight, system.slots) : system.inFlight;
    setText(cells.slots, system.slots > 0 ? `${whole(busy)} of ${whole(system.slots)}` : whole(busy));
    this.drawTiles(cells, busy, system.slots);
    setText(cells.rate, rateText(rateOf(system, model)));
    setText(cells.done, short(doneBy(system, model)));
    setText(cells.retried, short(system.retried));
    setText(cells.share, all > 0 ? `${Math.round(100 * system.tasks / all)} %` : "–");
    setText(cells.latency, system.latency > 0 ? duration(system.latency) : "–");
    if (!model.isOver) drawSpark(cells, system);
  }

  /** A tile a slot, filled where it is busy; where there are too many, a bar. */
  drawTiles(cells, busy, slots) {
    const key = `${busy} ${slots} ${inks.line}`;
    if (cells.tiled === key) return;
    cells.tiled = key;
    const isBar = slots > 64;
    const columns = isBar ? 16 : Math.min(16, Math.max(1, slots));
    const lines = isBar ? 1 : Math.max(1, Math.ceil(slots / 16));
    const side = slots > 32 && !isBar ? 4 : slots > 8 ? 6 : 9;
    const { tiles } = cells;
    const [width, height] = [columns * (side + 1), lines * (side + 1)];
    if (tiles.width !== 2 * width || tiles.height !== 2 * height) {
      tiles.width = 2 * width;
      tiles.height = 2 * height;
      tiles.style.width = `${width}px`;
      tiles.style.height = `${height}px`;
    }
    const context = tiles.getContext("2d");
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = inks.line;
    if (isBar) {
      context.fillRect(0, 0, width, height);
      fillSystem(context, cells.row, 0, 0, width * busy / slots, height);
      return;
    }
    for (let slot = 0; slot < slots; slot++) {
      context.fillStyle = slot < busy ? css(systemColor(cells.row)) : inks.line;
      context.fillRect(slot % 16 * (side + 1), Math.floor(slot / 16) * (side + 1), side, side);
    }
  }

  /** Rows are drawn anew where the scheme has changed. */
  redraw() {
    for (const cells of this.rows.values()) cells.drawn = cells.tiled = "";
  }
}

function isThere(system) {
  return system.state !== "gone" && system.state !== "absent";
}

/** What a system has done: sectors of a run, tasks of a node. */
function doneBy(system, model) {
  return model.kind === "run" || model.kind === "report" ? system.completed : system.tasks;
}

/** Tasks a second lately; when the run is over, of the whole run. */
function rateOf(system, model) {
  return model.isOver ? system.tasks / Math.max(0.001, model.now) : system.rate;
}

/** What is to be said of a system's state; empty where it is simply there. */
function stateText(system) {
  const { state, note } = system;
  const text = state === "present" ? note : note && !note.startsWith(state) ? `${state}: ${note}` : note || state;
  const ahead = (system.waiting ?? 0) + (system.slots > 0 ? Math.max(0, system.inFlight - system.slots) : 0);
  return [text, ahead > 0 ? `${whole(ahead)} waiting` : ""].filter(Boolean).join(", ");
}

/** The machine in a line, as far as it is known. */
function aboutText(system) {
  return [
    system.cores ? counted(system.cores, "core") : "", system.load === null ? "" : `load ${system.load.toFixed(1)}`,
    system.memory ? `${bytes(system.memory.used)} of ${bytes(system.memory.total)}` : "", system.version && `version ${system.version}`,
  ].filter(Boolean).join(" · ");
}

/** The tasks of each second of the last minute. */
function drawSpark(cells, system) {
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
