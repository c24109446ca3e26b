"use strict";
// The end of a run that was watched: what came of it, what was slow and why, and the files that were written.

class Ended {
  constructor({ chose }) {
    this.section = byID("ended-section");
    this.files = byID("ended-files");
    this.slow = byID("ended-slow");
    this.chose = chose;
    this.shownFiles = this.shownSlow = "";
  }

  draw(model) {
    const isShown = model.kind === "run" && model.isOver;
    if (this.section.hidden === isShown) this.section.hidden = !isShown;
    if (!isShown) return;
    const { done, total, noun } = model.steps;
    setText(byID("ended-title"), model.state === "ended" ? "✓ Done" : model.end === "done" ? "✗ Done, with failures" : `✗ Ended: ${model.end}`);
    setText(byID("ended-summary"), model.summary || `${whole(done)} of ${whole(total)} ${noun} in ${duration(model.now)}`);
    this.drawFiles(model);
    this.drawSlow(model);
  }

  /** Made anew only with other files, as a button says that its file was saved. */
  drawFiles({ files }) {
    const key = JSON.stringify(files);
    if (key === this.shownFiles) return;
    this.shownFiles = key;
    this.files.replaceChildren(...files.filter(({ url }) => isOwn(url)).map((file) => this.file(file)));
    this.files.hidden = this.files.children.length === 0;
  }

  drawSlow(model) {
    const key = JSON.stringify([model.failed, model.attempts.total, model.history.version]);
    if (key === this.shownSlow) return;
    this.shownSlow = key;
    this.slow.replaceChildren(...this.reasons(model).map((reason) => this.reason(reason)));
    this.slow.hidden = this.slow.children.length === 0;
  }

  file({ kind, name, url }) {
    const line = make("li");
    if (kind === "report") {
      const button = make("button", "", `Save as ${name}`);
      button.type = "button";
      button.addEventListener("click", () => save(url, name, button));
      line.append(button);
    } else {
      const link = make("a", "", name);
      link.href = url;
      link.target = "_blank";
      link.rel = "noopener";
      line.append(make("span", "hint", `${capitalized(kind)} `), link);
    }
    return line;
  }

  reason({ text, sector }) {
    const line = make("li");
    if (sector === undefined) line.append(text);
    else {
      const button = make("button", "", `Sector ${sector}`);
      button.type = "button";
      button.addEventListener("click", () => this.chose(sector));
      line.append(button, ` ${text}`);
    }
    return line;
  }

  /** What was slow, and why, as far as the page knows it: {text, sector}. */
  reasons(model) {
    return [this.slowest(model), this.slowSystem(model), this.emptySlots(model), this.died(model), this.retried(model)]
      .filter(Boolean);
  }

  slowest(model) {
    const { attempts, systems } = model;
    let slowest = -1;
    for (let at = 0; at < attempts.count; at++) {
      if (attempts.ending[at] !== endings.done) continue;
      if (slowest < 0 || attempts.ended[at] - attempts.began[at] > attempts.ended[slowest] - attempts.began[slowest]) slowest = at;
    }
    if (slowest < 0) return null;
    const tasks = systems.reduce((sum, system) => sum + system.tasks, 0);
    const mean = systems.reduce((sum, system) => sum + system.latency * system.tasks, 0) / Math.max(1, tasks);
    const took = attempts.ended[slowest] - attempts.began[slowest];
    const name = systems[attempts.system[slowest]]?.name ?? "?";
    return {
      sector: attempts.sector[slowest],
      text: `was the slowest${attempts.total > attempts.count ? " of the latest" : ""}: ${duration(took)} on ${name}, where a task takes ${duration(mean)} in the mean`,
    };
  }

  slowSystem({ systems }) {
    const busy = systems.filter((system) => system.tasks > 4 && system.latency > 0);
    const slow = busy.reduce((most, system) => (most === null || system.latency > most.latency ? system : most), null);
    const others = busy.filter((system) => system !== slow);
    const tasks = others.reduce((sum, system) => sum + system.tasks, 0);
    if (tasks === 0) return null;
    const mean = others.reduce((sum, system) => sum + system.latency * system.tasks, 0) / tasks;
    return slow.latency < 1.25 * mean ? null
      : { text: `${slow.name} took ${duration(slow.latency)} for a task, the others ${duration(mean)}` };
  }

  /** At the end of a run slots stand empty, while the last sectors are waited for. */
  emptySlots({ history, now }) {
    const busy = [...history.busy.subarray(0, history.count)];
    const most = Math.max(0, ...busy);
    const last = busy.findLastIndex((number) => number > most / 2);
    const empty = now - (history.start + (last + 1) * history.step);
    return last < 0 || empty < Math.max(1, now / 20) ? null
      : { text: `for the last ${duration(empty)}, less than half of the slots were busy` };
  }

  died({ history, systems }) {
    const died = history.marks.filter(({ kind }) => kind === "died");
    const told = died.slice(0, 3).map(({ system, at }) => `${systems[system]?.name ?? "?"} died at ${duration(at)}`);
    return died.length === 0 ? null : { text: listed(told) + (died.length > 3 ? `; ${whole(died.length)} died in all` : "") };
  }

  retried(model) {
    if (model.retried === 0) return null;
    const most = model.systems.reduce((most, system) => (system.retried > (most?.retried ?? 0) ? system : most), null);
    const where = most ? `, most of them on ${most.name} (${whole(most.retried)})` : "";
    return { text: `${counted(model.retried, "attempt")} ${model.retried === 1 ? "was" : "were"} tried again${where}` };
  }
}

/** Whether an address is one of this page's server. */
function isOwn(url) {
  return new URL(url, location.href).origin === location.origin;
}

/** Fetches a file, and has the browser save it by this name. */
async function save(url, name, button) {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const link = make("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    setText(button, `saved as ${name}`);
  } catch (error) {
    setText(button, `${name} could not be saved (${error.message}): try again`);
  }
}
