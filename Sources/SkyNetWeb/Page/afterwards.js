"use strict";
// What only a report has: the slider, and what was slow and why.

class Moment {
  /** How long playing a whole run takes, in seconds. */
  static playing = 20;

  constructor(report, changed) {
    this.report = report;
    this.changed = changed;
    this.slider = byID("slider");
    this.play = byID("play");
    this.isPlaying = false;
    this.slider.addEventListener("input", () => {
      this.setPlaying(false);
      this.seek(this.slider.value / 1000 * report.length);
    });
    this.play.addEventListener("click", () => this.setPlaying(!this.isPlaying));
    this.say();
  }

  seek(moment) {
    this.report.seek(Math.min(this.report.length, Math.max(0, moment)));
    this.slider.value = Math.round(this.report.now / this.report.length * 1000);
    this.say();
    this.changed();
  }

  say() {
    const { report } = this;
    const text = `${duration(report.now)} of ${duration(report.length)}, ${clockTime(report.began + report.now)}`;
    setText(byID("moment-text"), text);
    this.slider.setAttribute("aria-valuetext", text);
  }

  setPlaying(isPlaying) {
    if (this.isPlaying === isPlaying) return;
    this.isPlaying = isPlaying;
    setText(this.play, isPlaying ? "Pause" : "Play");
    this.play.setAttribute("aria-pressed", String(isPlaying));
    if (!isPlaying) return;
    const start = this.report.now >= this.report.length ? 0 : this.report.now;
    const began = performance.now();
    const step = () => {
      if (!this.isPlaying) return;
      const passed = (performance.now() - began) / 1000;
      this.seek(start + passed / Moment.playing * this.report.length);
      if (this.report.now >= this.report.length) this.setPlaying(false);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
}

/** The tables of a report's summary. */
class Slow {
  constructor(element, report, show) {
    this.report = report;
    this.show = show;
    const { summary } = report;
    const holder = this.figures(summary);
    for (const sentence of summary.reading ?? []) holder.append(make("p", "", plain(sentence)));
    element.append(holder);
    // Only the sectors of a run that grows belong to parts.
    const { one } = report.words.part;
    const part = (rows) => (row) =>
      (rows ?? []).some((row) => row[one]) ? [row ? plain(row[one]) : capitalized(one)] : [];
    const [partOfSlow, partOfRetry] = [part(summary.slowestSectors), part(summary.retries)];
    // Where there is one pass, its name says nothing.
    const pass = (head, row) => report.passCount > 1 ? [row ? this.passName(row.pass) : head] : [];
    this.table(
      element, "Slowest sectors", ["Sector", ...partOfSlow(), ...pass("Pass"), "System", "Began", "Took"],
      summary.slowestSectors,
      (row) => [
        this.sectorButton(row.sector, (row.at + row.took / 2) / 1000), ...partOfSlow(row),
        ...pass("Pass", row), this.name(row.system),
        duration(row.at / 1000), duration(row.took / 1000),
      ]);
    this.table(
      element, "Slowest systems", ["System", "Tasks", "Mean", "Slowest", "Retried", "Busy", "Idle"],
      summary.systems, (row) => [
        this.name(row.system), whole(row.tasks), duration(row.mean / 1000), duration(row.slowest / 1000),
        whole(row.retried), duration(row.busy / 1000), duration(row.idle / 1000),
      ]);
    this.table(
      element, "Most attempts", ["Sector", ...partOfRetry(), ...pass("Pass"), "Attempts", "Came to"],
      summary.retries,
      (row) => [
        this.sectorButton(row.sector, row.at / 1000), ...partOfRetry(row),
        ...pass("Pass", row), whole(row.attempts),
        row.done ? "a result" : "nothing",
      ]);
    this.table(element, "Reasons", ["Reason", "Attempts"], summary.reasons, (row) => [
      (report.reasons[row.reason] ?? "unknown").split("\n")[0], whole(row.count),
    ]);
  }

  figures(summary) {
    const list = make("ul", "figures");
    const figure = (name, text) => {
      const pair = make("li");
      pair.append(make("span", "name", name), " ", make("span", "value", text));
      list.append(pair);
    };
    if (summary.makespan >= 0) figure("It took", duration(summary.makespan / 1000));
    if (summary.ideal >= 0) figure("At best", duration(summary.ideal / 1000));
    if (summary.busy >= 0) figure("All attempts together", duration(summary.busy / 1000));
    if (summary.wasted >= 0) figure("Of that in vain", duration(summary.wasted / 1000));
    if (summary.idle >= 0) figure("Empty slots together", duration(summary.idle / 1000));
    const holder = make("div");
    holder.append(list);
    if (summary.idealText) holder.append(make("p", "hint", `At best: ${plain(summary.idealText)}`));
    return holder;
  }

  name(row) {
    return this.report.systems[row]?.name ?? "?";
  }

  passName(pass) {
    return this.report.passes[pass] ?? String((pass ?? 0) + 1);
  }

  sectorButton(sector, moment) {
    const button = make("button", "", String(sector));
    button.type = "button";
    button.setAttribute("aria-label", `Show sector ${sector} at that moment`);
    button.addEventListener("click", () => this.show(sector, moment));
    return button;
  }

  table(element, caption, heads, rows, cells) {
    if (!rows || rows.length === 0) return;
    const table = make("table", "plain");
    table.append(make("caption", "", caption));
    const line = make("tr");
    for (const head of heads) {
      const cell = make("th", "", head);
      cell.scope = "col";
      line.append(cell);
    }
    const top = make("thead");
    top.append(line);
    const body = make("tbody");
    for (const row of rows.slice(0, 100)) {
      const entry = make("tr");
      for (const content of cells(row)) {
        const cell = make("td");
        cell.append(content);
        entry.append(cell);
      }
      body.append(entry);
    }
    table.append(top, body);
    const frame = make("div", "scrolling");
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", caption);
    frame.append(table);
    element.append(frame);
  }
}
