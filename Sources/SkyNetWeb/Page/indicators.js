"use strict";
// The indicators at the top of the page (scheduled, tasks per second, connected, completed, and the animation of a
// device that scans for another), and the figures beside them.

class Indicators {
  constructor() {
    this.collaboration = byID("collaboration");
    this.progress = byID("progress");
  }

  draw(model) {
    if (document.body.dataset.state !== model.state) document.body.dataset.state = model.state;
    setText(byID("scheduled"), whole(model.scheduled));
    setText(byID("connected"), counted(model.connected, "system"));
    this.drawProgress(model);
    this.drawTimes(model);
    setText(byID("retried"), whole(model.retried));
    this.drawFailed(model);
    setText(byID("pass"), this.pass(model));
    setText(byID("run-name"), this.title(model));
    const { moving, text } = model.collaboration();
    const word = moving ? "yes" : "no";
    if (this.collaboration.dataset.moving !== word) this.collaboration.dataset.moving = word;
    setText(byID("collaboration-text"), text);
    setText(byID("software"), `SkyNet ${model.software}${model.run ? `, run ${plain(model.run)}` : ""}`);
    this.drawTitle(model);
  }

  /** How fast and how long; of a run that is over, how fast and how long it was. */
  drawTimes(model) {
    const isEnd = model.isOver;
    const tasks = model.systems.reduce((sum, system) => sum + system.tasks, 0);
    setText(byID("rate"), rateText(isEnd ? tasks / Math.max(0.001, model.now) : model.rate));
    setText(byID("rate-name"), isEnd ? "Tasks/s, mean" : "Tasks per second");
    setText(byID("time-left-name"), isEnd ? "It took" : "Time left");
    const left = isEnd ? duration(model.now)
      : model.secondsLeft === null ? "not known yet" : duration(model.secondsLeft);
    setText(byID("time-left"), left);
    setText(byID("elapsed"), duration(model.now));
  }

  drawProgress(model) {
    const { done, total, noun } = model.steps;
    const { share } = model;
    const unit = model.parts ? ` ${noun}` : "";
    const restored = model.restored > 0
      ? ` (${whole(model.restored)} ${model.parts ? "sectors " : ""}restored)` : "";
    setText(byID("completed"), `${whole(done)} of ${whole(total)}${unit}${restored}`);
    const mark = model.isOver ? (model.state === "ended" ? "✓ " : "✗ ") : "";
    setText(byID("share"), share === null ? "" : `${mark}${percent(share, 1)}`);
    this.progress.hidden = share === null;
    const max = Math.max(1, total);
    if (this.progress.max !== max) this.progress.max = max;
    const value = (share ?? 0) * max;
    if (Math.abs(this.progress.value - value) > max / 5000) this.progress.value = value;
    const label = `Completed ${noun}`;
    if (this.progress.getAttribute("aria-label") !== label) this.progress.setAttribute("aria-label", label);
  }

  drawFailed(model) {
    const { parts, words } = model;
    const isBoth = parts && model.failed > parts.failed;
    const ofParts = parts ? counted(parts.failed, words.part) : whole(model.failed);
    setText(byID("failed"), isBoth ? `${ofParts}, ${counted(model.failed, "sector")}` : ofParts);
    byID("failed").classList.toggle("fault", model.failed > 0);
  }

  /** The present pass, or the parts that are being scanned. */
  pass(model) {
    if (model.parts) {
      const names = model.parts.now ?? [];
      return names.length > 0 ? `scanning ${listed(names.map((name) => pathEnd(name)), 2)}` : "";
    }
    // What a pass has come to tells more than how many sectors are done, of which it may not have one.
    const number = Number(/^pass (\d+) of/.exec(model.pass ?? "")?.[1] ?? 0);
    if (number > 0 && !model.isOver) {
      return `${model.pass}: ${whole(model.field.passed(number - 1))} of ${whole(model.sectors)}`;
    }
    return (model.isOver ? null : model.pass)
      ?? (model.passes.length > 1 ? `${model.passes.length} passes: ${model.passes.join(", ")}` : "");
  }

  title(model) {
    switch (model.kind) {
      case "run": return model.name;
      case "report": return `${model.name}, ${new Date(model.began * 1000).toLocaleString("en-GB")}`;
      case "node": return `node ${model.hostName}`;
      default: return `cluster, seen from ${model.hostName}`;
    }
  }

  drawTitle(model) {
    const share = model.share === null ? "" : `${percent(model.share, 1)} `;
    const title = model.kind === "report" ? `Report: ${model.name}` : `${share}${this.title(model)} – SkyNet`;
    if (document.title !== title) document.title = title;
  }
}

/** The engagements of a cluster, a line each. */
class Engagements {
  constructor(list) {
    this.list = list;
    this.lines = new Map();
    this.section = byID("engagements-section");
  }

  draw(model) {
    this.section.hidden = model.engagements.length === 0;
    const seen = new Set();
    for (const engagement of model.engagements.slice(0, 100)) {
      seen.add(engagement.run);
      let line = this.lines.get(engagement.run);
      if (!line) {
        line = { element: make("li"), text: make("span"), bar: make("progress") };
        line.element.append(line.text, line.bar);
        this.list.append(line.element);
        this.lines.set(engagement.run, line);
      }
      const { parts } = engagement;
      const [done, total, lost] = parts
        ? [parts.done, parts.total, parts.failed]
        : [engagement.completed, engagement.sectors, engagement.failed];
      const failed = lost > 0 ? `, ${whole(lost)} failed` : "";
      const left = engagement.secondsLeft >= 0 ? `, ${duration(engagement.secondsLeft)} left` : "";
      const pass = engagement.pass ? `, ${engagement.pass}` : "";
      setText(
        line.text,
        `${engagement.name} of ${engagement.client}: ${whole(done)} of `
          + `${whole(total)}${parts ? ` ${plain(parts.noun)}` : ""}${failed}, ${rateText(engagement.rate)} sectors/s${pass}${left}`);
      line.bar.max = Math.max(1, total);
      line.bar.value = done;
      const label = `Progress of ${engagement.name}`;
      if (line.bar.getAttribute("aria-label") !== label) line.bar.setAttribute("aria-label", label);
    }
    for (const [run, line] of this.lines) {
      if (seen.has(run)) continue;
      line.element.remove();
      this.lines.delete(run);
    }
  }
}
