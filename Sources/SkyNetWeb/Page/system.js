"use strict";
// One system's own view: what it scans now, how its latest attempts ended, the failures that it had a part in, and
// whom it serves. It takes the place of the table.

class SystemSheet {
  static mostLines = 40;

  /** `chose` is told of a sector that is to be shown; `changed`, that the view opens or closes. */
  constructor({ chose, changed }) {
    this.section = byID("system-section");
    this.table = byID("systems-section");
    this.title = byID("system-title");
    this.facts = byID("system-facts");
    this.lists = byID("system-lists");
    this.chose = chose;
    this.changed = changed;
    this.name = null;
    this.shown = "";
    byID("system-close").addEventListener("click", () => this.close());
    this.section.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  open(system) {
    this.name = system.name;
    this.opener = document.activeElement;
    this.shown = "";
    this.section.hidden = false;
    this.table.hidden = true;
    setText(this.title, system.name);
    this.title.focus();
    this.changed();
  }

  close() {
    this.name = null;
    this.section.hidden = true;
    this.table.hidden = false;
    this.opener?.focus();
    this.changed();
  }

  draw(model) {
    if (this.name === null) return;
    const row = model.systems.findIndex((system) => system.name === this.name);
    if (row < 0) {
      this.close();
      return;
    }
    const system = model.systems[row];
    const lists = model.served ? this.clusterLists(model, system) : this.runLists(model, system, row);
    const facts = this.factsOf(model, system);
    const key = JSON.stringify([row, facts, lists, inks.line]);
    if (key === this.shown) return;
    this.shown = key;
    fillSystem(byID("system-swatch").getContext("2d"), row, 0, 0, 28, 28);
    this.facts.replaceChildren(...facts.map(([name, text]) => {
      const pair = make("li");
      pair.append(make("span", "name", name), " ", make("span", "value", text));
      return pair;
    }));
    // A reader's place and a key's are kept: the focus stays on the same button.
    const focused = document.activeElement?.dataset?.line;
    this.lists.replaceChildren(...lists.filter(({ lines }) => lines.length > 0).map((list) => this.list(list)));
    if (focused) this.lists.querySelector(`[data-line="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  factsOf(model, system) {
    const all = model.systems.reduce((sum, { tasks }) => sum + tasks, 0);
    const busy = system.slots > 0 ? Math.min(system.inFlight, system.slots) : system.inFlight;
    return [
      ["State", stateText(system) || system.state], ["Host", system.host], ["Address", system.address],
      ["Version", system.version], ["Cores", system.cores ? whole(system.cores) : ""],
      ["Load", system.load === null ? "" : system.load.toFixed(1)],
      ["Memory", system.memory ? `${bytes(system.memory.used)} of ${bytes(system.memory.total)}` : ""],
      ["Slots", system.slots > 0 ? `${whole(busy)} of ${whole(system.slots)}` : ""],
      [model.isOver ? "Tasks per second, mean" : "Tasks per second", rateText(rateOf(system, model))],
      ["Done", whole(doneBy(system, model))], ["Retried", whole(system.retried)],
      ["Share", all > 0 ? `${Math.round(100 * system.tasks / all)} %` : ""],
      ["Latency", system.latency > 0 ? duration(system.latency) : ""],
    ].filter(([, text]) => text !== "");
  }

  /** Of a cluster: {title, lines}, each line {text, sector}. */
  clusterLists(model, system) {
    const scans = system.scans.map(({ sector, client, pass, seconds }) => ({
      text: `Sector ${sector} for ${client}, for ${sinceText(seconds ?? 0)}${pass > 0 ? `, pass ${pass + 1}` : ""}`,
    }));
    const told = system.inFlight > scans.length ? [{ text: `${whole(system.inFlight - scans.length)} more` }] : [];
    return [
      { title: "Scans now", lines: [...scans, ...told] },
      {
        title: "Serves",
        lines: model.served(system).map(({ client, scans: count }) => ({ text: `${client}: ${counted(count, "scan")}` })),
      },
    ];
  }

  runLists(model, system, row) {
    const { attempts, flying } = model;
    const line = (from, at, text) => ({ sector: from.sector[at], moment: from.began[at], text });
    const now = [];
    for (let at = 0; at < flying.count && now.length < SystemSheet.mostLines; at++) {
      if (flying.system[at] === row) {
        now.push(line(flying, at, `on its way for ${sinceText(model.now - flying.began[at])}`));
      }
    }
    const ended = [];
    const words = ["done", "failed", "lost", "withdrawn", "no end"];
    // The latest first; a ring goes round.
    for (let back = 1; back <= attempts.count && ended.length < 12; back++) {
      const at = (attempts.total - back) % attempts.capacity;
      if (attempts.system[at] !== row || attempts.began[at] > model.now) continue;
      const isOpen = attempts.ended[at] > model.now;
      const hedge = attempts.isHedge[at] ? ", a hedge" : "";
      if (isOpen) now.push(line(attempts, at, "on its way"));
      else ended.push(line(attempts, at, `${words[attempts.ending[at]]} after ${duration(attempts.ended[at] - attempts.began[at])}${hedge}`));
    }
    const failures = [...model.failures.values()]
      .filter(({ reasons }) => reasons.some(({ system: name }) => name === system.name)).slice(-12)
      .map((failure) => ({ sector: failure.sector, moment: failure.at, text: `given up: ${failure.reasons.at(-1)?.reason.split("\n")[0] ?? ""}` }));
    return [
      { title: "Scans now", lines: now.slice(0, SystemSheet.mostLines) }, { title: "Latest attempts", lines: ended },
      { title: "Failed sectors that it tried", lines: failures },
    ];
  }

  list({ title, lines }) {
    const list = make("ul", "lines");
    for (const { sector, moment, text } of lines) {
      const line = make("li");
      if (sector === undefined) line.append(text);
      else {
        const button = make("button", "", `Sector ${sector}`);
        button.type = "button";
        button.dataset.line = `${title} ${sector}`;
        button.addEventListener("click", () => this.chose(sector, moment));
        line.append(button, ` ${text}`);
      }
      list.append(line);
    }
    const part = make("div");
    part.append(make("h3", "", title), list);
    return part;
  }
}

/** How long something has gone on, which does not change with each tenth of a second. */
function sinceText(seconds) {
  return seconds < 1 ? "less than 1 s" : duration(Math.floor(seconds) + 1e-9).replace(/\.0 s$/, " s");
}
