"use strict";
// The notices, and what is said aloud of them.

class Log {
  static mostLines = 100;
  /** More lines at once would take longer than a frame may. */
  static linesAtOnce = 25;

  constructor(list) {
    this.list = list;
    this.shown = null;
    this.last = 0;
    this.faultsOnly = false;
    this.more = byID("log-more");
    this.section = byID("log-section");
  }

  /** What adds the new lines, some each. */
  parts(model) {
    return Array.from({ length: Math.ceil(Log.mostLines / Log.linesAtOnce) }, () => () => this.draw(model));
  }

  draw(model) {
    const { notices } = model;
    const latest = notices.at(-1)?.number ?? 0;
    this.section.hidden = notices.length === 0;
    // A report that went back, a connection that began anew, another filter: the list begins anew.
    if (this.shown !== model || latest < this.last) this.begin(model);
    setText(this.more, model.noticesLost > 0 ? `${whole(model.noticesLost)} were left out` : "");
    if (latest === this.last) return;
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 30;
    const fresh = notices.filter(
      (notice) => notice.number > this.last && (notice.fault || !this.faultsOnly)).slice(-Log.mostLines);
    const left = fresh.splice(Log.linesAtOnce);
    this.last = left.length > 0 ? fresh.at(-1).number : latest;
    const lines = document.createDocumentFragment();
    for (const notice of fresh) lines.append(this.line(notice));
    this.list.append(lines);
    while (this.list.children.length > Log.mostLines) this.list.firstChild.remove();
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
  }

  begin(model) {
    this.shown = model;
    this.last = 0;
    this.list.replaceChildren();
  }

  filter(faultsOnly) {
    this.faultsOnly = faultsOnly;
    this.shown = null;
  }

  line(notice) {
    const line = make("li", notice.fault ? "fault" : "");
    line.append(this.time(Math.floor(notice.time)), " ", ...linked(notice.text, this.shown));
    return line;
  }

  /** Many notices are of the same second, and to copy an element is faster than to write a time. */
  time(second) {
    if (this.second !== second) {
      this.second = second;
      this.timeOfSecond = make("time", "", clockTime(second));
      this.timeOfSecond.dateTime = new Date(second * 1000).toISOString();
    }
    return this.timeOfSecond.cloneNode(true);
  }
}

/** Says at most one sentence each few seconds, in a live region; what comes in between is counted. */
class Announcer {
  static pause = 5000;

  constructor(element) {
    this.element = element;
    this.pending = null;
    this.others = 0;
    this.saidAt = -Infinity;
    this.timer = null;
    this.heard = 0;
  }

  /** The reader asked for this one: it does not wait, and takes the place of others. */
  answer(text) {
    this.pending = text;
    this.others = 0;
    this.speak();
  }

  say(text) {
    if (this.pending !== null) this.others += 1;
    this.pending = text;
    if (this.timer !== null) return;
    const wait = Math.max(0, this.saidAt + Announcer.pause - performance.now());
    this.timer = setTimeout(() => this.speak(), wait);
  }

  speak() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.pending === null) return;
    const others = this.others > 0 ? ` And ${counted(this.others, "notice")} before.` : "";
    this.element.textContent = this.pending + others;
    this.pending = null;
    this.others = 0;
    this.saidAt = performance.now();
  }

  /** Comings, goings and failures are said; how far a run is, once a minute. */
  hear(model) {
    const latest = model.notices.at(-1)?.number ?? 0;
    if (this.model !== model) {
      // What was before the page was opened can be read in the list.
      this.model = model;
      this.heard = latest;
      this.progressAt = performance.now();
      this.end = model.end;
      return;
    }
    for (const notice of model.notices) if (notice.number > this.heard) this.say(notice.text);
    this.heard = latest;
    const { done, total, noun } = model.steps;
    if (model.end !== this.end && model.end !== null) {
      this.end = model.end;
      this.say(`The run has ended, ${model.end}: ${whole(done)} of ${whole(total)} ${noun}.`);
    } else if (performance.now() - this.progressAt > 60_000 && model.end === null && model.sectors > 0) {
      this.progressAt = performance.now();
      const left = model.secondsLeft === null ? "" : `, ${duration(model.secondsLeft)} left`;
      this.say(`${whole(done)} of ${whole(total)} ${noun}${left}.`);
    }
  }
}
