"use strict";
// The story of one cell, and the list of failed sectors.

class Details {
  static mostAttempts = 8;

  /** `back` is called by the button that leads back to where the sector was chosen. */
  constructor(element, back) {
    this.element = element;
    this.back = back;
    this.shown = "";
  }

  draw(model, cell) {
    const lines = cell >= 0 && model.field && cell < model.field.count ? this.lines(model, cell) : [];
    const key = JSON.stringify(lines);
    if (key === this.shown) return;
    this.shown = key;
    // The button stays, since somebody may be on it.
    const hadBack = this.element.contains(document.activeElement) && document.activeElement.className === "back";
    this.element.replaceChildren(...lines.map((line) => this.line(line)));
    if (hadBack) this.element.querySelector(".back")?.focus({ preventScroll: true });
  }

  line({ title, text, command, attempts }) {
    if (title) return this.heading(title);
    if (attempts) return this.attemptList(attempts);
    if (!command) return make("p", "", text);
    const line = make("p", "replay");
    const code = make("code", "", command);
    const button = make("button", "", "Copy");
    button.type = "button";
    button.setAttribute("aria-label", "Copy the replay command");
    button.addEventListener("click", () => copy(code, button));
    line.append(make("span", "", `${text} `), code, " ", button);
    return line;
  }

  heading(title) {
    const line = make("div", "heading");
    const button = make("button", "back", "Back");
    button.type = "button";
    button.addEventListener("click", () => this.back());
    line.append(make("h3", "", title), button);
    return line;
  }

  /** Each attempt with a bar of when it was, among all of them. */
  attemptList(attempts) {
    const list = make("ol", "attempts");
    const from = Math.min(...attempts.map(({ began }) => began));
    const all = Math.max(...attempts.map(({ ended }) => ended)) - from || 1;
    for (const attempt of attempts) {
      const bar = make("canvas", "attempt");
      [bar.width, bar.height] = [240, 20];
      bar.setAttribute("aria-hidden", "true");
      const line = make("li", attempt.isFault ? "fault" : "");
      line.append(bar, " ", attempt.text);
      list.append(line);
      drawAttempt(
        bar.getContext("2d"), attempt.system, attempt, (attempt.began - from) / all * 232 + 2, 1,
        Math.max(4, (attempt.ended - attempt.began) / all * 234), 18);
    }
    return list;
  }

  lines(model, cell) {
    const { field } = model;
    const first = cell * field.perCell;
    const end = first + field.size(cell);
    const lines = [
      { title: capitalized(cellName(model, cell)) },
      { text: cellText(model, cell) },
    ];
    const attempts = this.attempts(model, first, end);
    if (attempts.length > 0) {
      lines.push({ text: this.summary(attempts, attempts.slice(-Details.mostAttempts)) });
      lines.push({ attempts: attempts.slice(-Details.mostAttempts) });
    } else if (field.completed[cell] + field.failed[cell] > 0) {
      lines.push({ text: this.unknown(model) });
    }
    const failures = [];
    for (let sector = first; sector < end; sector++) {
      const failure = model.failures.get(sector);
      if (failure) failures.push(failure);
    }
    for (const failure of failures.slice(0, 4)) {
      lines.push({ text: failureText(failure) });
      lines.push({ text: "Run it here, alone:", command: replayCommand(model, failure.sector) });
    }
    return lines;
  }

  /** A page keeps the latest attempts, and a report of very many attempts has none one by one. */
  unknown(model) {
    return model.kind === "report" ? "This report does not hold the attempts one by one."
      : "Its attempts ended before those that this page knows. The run's report has them.";
  }

  summary(attempts, shown) {
    const count = (is) => attempts.filter(is).length;
    const parts = [counted(attempts.length, "attempt")];
    const systems = new Set(attempts.map(({ name }) => name));
    parts.push(`on ${listed([...systems])}`);
    const retried = count(({ isRetry }) => isRetry);
    const hedged = count(({ isHedge }) => isHedge);
    if (retried > 0) parts.push(`${whole(retried)} retried`);
    if (hedged > 0) parts.push(`${whole(hedged)} hedged`);
    const seconds = attempts.reduce((sum, { began, ended }) => sum + Math.max(0, ended - began), 0);
    parts.push(`${duration(seconds)} of work`);
    const cut = attempts.length > shown.length ? `; the latest ${shown.length}:` : "";
    return `${parts.join(", ")}${cut}`;
  }

  /** What is known of the attempts of sectors, the earliest first. */
  attempts(model, first, end) {
    const { attempts, flying } = model;
    const found = attempts.ofSectors(first, end).filter((index) => attempts.began[index] <= model.now);
    return [
      ...found.map((index) => this.attempt(model, attempts, index)),
      ...flying.ofSectors(first, end).map((index) => this.attempt(model, flying, index)),
    ];
  }

  attempt(model, from, index) {
    const isOnItsWay = from.ending[index] === endings.open
      || (model.kind === "report" && from.ended[index] > model.now);
    const [began, ended] = [from.began[index], isOnItsWay ? Math.max(model.now, from.began[index]) : from.ended[index]];
    const system = from.system[index];
    const name = model.systems[system]?.name ?? "?";
    const ending = isOnItsWay ? endings.open : from.ending[index];
    const pass = model.passCount > 1 ? `, ${model.passes[from.pass[index]] ?? `pass ${from.pass[index] + 1}`}` : "";
    const isHedge = from.isHedge[index] === 1;
    const word = ["done", "failed", "lost", "withdrawn", "on its way"][ending];
    const reason = isOnItsWay ? null : this.reason(model, from, index);
    return {
      system, name, ending, isHedge, began, ended, isRetry: from.attempt[index] > 1 && !isHedge,
      isFault: ending === endings.failed || ending === endings.lost,
      text: `Attempt ${from.attempt[index]} on ${name}${pass}${isHedge ? ", a hedge" : ""}: ${word} after `
        + `${duration(ended - began)}${reason ? `: ${reason}` : ""}`,
    };
  }

  /** Why an attempt failed: a report tells it of each, and a run in its notices. */
  reason(model, from, index) {
    if (model.reason) return model.reason[index] >= 0 ? model.reasons[model.reason[index]] : null;
    if (from.ending[index] !== endings.failed) return null;
    const after = `on ${model.systems[from.system[index]]?.name}: `;
    const told = model.notices.filter(
      ({ text }) => text.includes(after) && namedSector(text, model) === from.sector[index]);
    const far = ({ time }) => Math.abs(time - model.began - from.ended[index]);
    const [nearest] = told.sort((left, right) => far(left) - far(right));
    return nearest ? nearest.text.slice(nearest.text.indexOf(after) + after.length) : null;
  }
}

/** A cell in one sentence. */
function cellText(model, cell) {
  const { field } = model;
  const size = field.size(cell);
  const name = model.systems[field.system[cell]]?.name;
  const parts = [];
  if (field.completed[cell] > 0) {
    parts.push(size === 1 ? `done by ${name}` : `${whole(field.completed[cell])} of ${whole(size)} done, lately by ${name}`);
  }
  if (field.failed[cell] > 0) parts.push(size === 1 ? "failed" : `${whole(field.failed[cell])} failed`);
  if (field.inFlight[cell] > 0) parts.push(`${size === 1 ? "" : `${field.inFlight[cell]} `}on its way to ${name}`);
  if (parts.length === 0 && name && model.passCount > 1) {
    parts.push(`had by ${name}: ${model.passes[field.pass[cell]] ?? `pass ${field.pass[cell] + 1}`}`);
  } else if (parts.length === 0) {
    parts.push(name ? `came back from ${name}, and waits` : "not handed out yet");
  }
  return parts.join(", ");
}

function cellName(model, cell) {
  const { field } = model;
  if (model.scans) return "slot";
  const first = cell * field.perCell;
  const end = first + field.size(cell);
  const sectors = field.perCell === 1 ? `sector ${first}` : `sectors ${first} to ${end - 1}`;
  const parts = model.partNames.text(first, end);
  return parts === "" ? sectors : `${sectors}, ${parts}`;
}

/** Why a sector was given up; equal reasons once. */
function failureText(failure) {
  const where = failure.part ? ` of ${failure.part}` : "";
  // A part that could not be begun had no attempt, and its reason may name it.
  if (failure.part && failure.attempts === 0) {
    const reason = failure.reasons.at(-1)?.reason ?? "";
    return `Sector ${failure.sector}${reason.includes(failure.part) ? "" : where} failed: ${reason}`;
  }
  const counts = new Map();
  for (const { system, reason } of failure.reasons) {
    const text = `on ${system}: ${reason}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const reasons = [...counts].map(([text, count]) => count > 1 ? `${text} (${count} times)` : text);
  return `Sector ${failure.sector}${where} failed after ${counted(failure.attempts, "attempt")}: ${reasons.join("; ")}`;
}

/** The command that runs a sector alone, as a shell reads it. */
function replayCommand(model, sector) {
  const journal = model.journal ?? "RUN.sqlite";
  const quoted = /^[\w.\/@:+-]+$/.test(journal) ? journal : `'${journal.replaceAll("'", "'\\''")}'`;
  return `${model.program} replay ${quoted} --sector ${sector}`;
}

/** Copies a command; where that is not allowed, selects it, so that a key can. */
async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    setText(button, "Copied");
  } catch {
    getSelection().selectAllChildren(code);
    setText(button, "Selected");
  }
}

/** The failed sectors, each a button that shows it in the sky. */
class Failures {
  static mostLines = 100;

  constructor(list, chose) {
    this.list = list;
    this.chose = chose;
    this.shown = null;
    this.section = byID("failures-section");
    this.more = byID("failures-more");
  }

  draw(model) {
    const latest = [...model.failures.keys()].at(-1);
    const key = `${model.failures.size} ${latest}`;
    if (this.shown === key && this.model === model) return;
    this.shown = key;
    this.model = model;
    const failures = [...model.failures.values()].slice(-Failures.mostLines).reverse();
    this.section.hidden = failures.length === 0;
    setText(
      this.more,
      model.failed > failures.length ? `the latest ${whole(failures.length)} of ${whole(model.failed)}` : "");
    this.list.replaceChildren(...failures.map((failure) => {
      const button = make("button", "failure", failureText(failure));
      button.type = "button";
      button.addEventListener("click", () => this.chose(failure.sector));
      const line = make("li");
      line.append(button);
      return line;
    }));
  }
}
