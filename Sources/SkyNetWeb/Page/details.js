"use strict";
// What is known of one cell, and the list of failed sectors.

class Details {
  constructor(element) {
    this.element = element;
    this.shown = "";
  }

  draw(model, cell) {
    const lines = cell >= 0 && model.field && cell < model.field.count ? this.lines(model, cell) : [];
    const key = JSON.stringify(lines);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(...lines.map((line) => this.line(line)));
  }

  line({ title, text, command }) {
    if (title) return make("h3", "", title);
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

  lines(model, cell) {
    return model.scans ? this.slotLines(model, cell) : this.sectorLines(model, cell);
  }

  slotLines(model, cell) {
    const system = model.systems[model.field.system[cell]];
    const scan = model.scans[cell];
    const where = system ? system.name : "a system";
    if (!scan) {
      const text = model.field.inFlight[cell] > 0
        ? "It scans. A system tells at most 64 of its scans one by one." : "It is free.";
      return [{ title: `A slot of ${where}` }, { text }];
    }
    return [
      { title: `Sector ${scan.sector}, on ${where}` },
      {
        text: `for ${scan.client}, since ${duration(scan.seconds ?? 0)}, pass ${scan.pass + 1}`
          + (scan.run ? `, run ${plain(scan.run)}` : ""),
      },
    ];
  }

  sectorLines(model, cell) {
    const { field } = model;
    const first = cell * field.perCell;
    const end = first + field.size(cell);
    const lines = [
      { title: capitalized(cellName(model, cell)) },
      { text: cellText(model, cell) },
    ];
    const attempts = this.attemptTexts(model, first, end);
    for (const text of attempts.slice(-8)) lines.push({ text });
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

  attemptTexts(model, first, end) {
    const { attempts, flying, systems } = model;
    const told = (from, index) => {
      const name = systems[from.system[index]]?.name ?? "?";
      const pass = model.passCount > 1 ? `, ${model.passes[from.pass[index]] ?? `pass ${from.pass[index] + 1}`}` : "";
      const hedge = from.isHedge[index] ? ", a hedge" : "";
      const took = duration(from.ended[index] - from.began[index]);
      const isOnItsWay = from.ending[index] === endings.open
        || (model.kind === "report" && from.ended[index] > model.now);
      const word = ["done", "failed", "lost", "withdrawn", "on its way"][isOnItsWay ? 4 : from.ending[index]];
      const reason = model.reason?.[index] >= 0 && !isOnItsWay ? `: ${model.reasons[model.reason[index]]}` : "";
      const shown = isOnItsWay ? duration(Math.max(0, model.now - from.began[index])) : took;
      return `Attempt ${from.attempt[index]} on ${name}${pass}${hedge}: ${word} after ${shown}${reason}`;
    };
    const found = attempts.ofSectors(first, end).filter((index) => attempts.began[index] <= model.now);
    const texts = found.map((index) => told(attempts, index));
    for (const index of flying.ofSectors(first, end)) texts.push(told(flying, index));
    return texts;
  }
}

/** A cell in one sentence. */
function cellText(model, cell) {
  const { field } = model;
  if (model.scans) {
    const scan = model.scans[cell];
    const name = model.systems[field.system[cell]]?.name ?? "";
    if (scan) return `${name} scans sector ${scan.sector} for ${scan.client}`;
    return field.inFlight[cell] > 0 ? `a slot of ${name} that scans` : `a free slot of ${name}`;
  }
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
