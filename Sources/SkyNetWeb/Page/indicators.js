"use strict";
// The indicators at the top of the page (scheduled, tasks per second, connected, completed, and the animation of a
// device that scans for another), and the figures beside them.

class Indicators {
  constructor() {
    this.collaboration = byID("collaboration");
    this.progress = byID("progress");
  }

  draw(model) {
    setText(byID("scheduled"), whole(model.scheduled));
    setText(byID("rate"), rateText(model.rate));
    setText(byID("connected"), counted(model.connected, "system"));
    this.drawProgress(model);
    const left = model.end !== null && model.kind === "run" ? model.end
      : model.secondsLeft === null ? "not known yet" : duration(model.secondsLeft);
    setText(byID("time-left"), left);
    setText(byID("elapsed"), duration(model.now));
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

  drawProgress(model) {
    const { done, total, noun } = model.steps;
    const unit = model.parts ? ` ${noun}` : "";
    const restored = model.restored > 0
      ? ` (${whole(model.restored)} ${model.parts ? "sectors " : ""}restored)` : "";
    setText(byID("completed"), `${whole(done)} of ${whole(total)}${unit}${restored}`);
    this.progress.hidden = total === 0;
    const max = Math.max(1, total);
    if (this.progress.max !== max) this.progress.max = max;
    if (this.progress.value !== done) this.progress.value = done;
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
    return model.pass
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
    const { done, total } = model.steps;
    const share = total > 0 ? `${percent(done, total)} ` : "";
    const title = model.kind === "report" ? `Report: ${model.name}` : `${share}${this.title(model)} – SkyNet`;
    if (document.title !== title) document.title = title;
  }
}

/** The engagements of a cluster, a line each. */
class Engagements {
  constructor(list) {
    this.list = list;
    this.lines = new Map();
    this.none = byID("engagements-none");
  }

  draw(model) {
    this.none.hidden = model.engagements.length > 0;
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
