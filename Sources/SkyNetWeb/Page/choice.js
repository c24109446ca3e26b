"use strict";
// Which sector is chosen stands in the address (#sector=17), so that links lead to it, and the browser's way back
// leads back.

class Choice {
  /** `chose` gets the sector of another address, or -1. */
  constructor(chose) {
    this.sector = -1;
    this.chose = chose;
    // There is no way back within the page from where it was opened.
    if (history.state === null) history.replaceState({ isWayBack: false }, "");
    addEventListener("hashchange", () => {
      const sector = Choice.addressed();
      if (sector >= 0 && history.state === null) history.replaceState({ isWayBack: true }, "");
      // Links within the page, such as the one that skips to the sectors, choose none.
      if (sector !== this.sector && (sector >= 0 || location.hash === "")) this.chose(sector);
    });
  }

  /** The address of a sector: whole, as one that begins with # would be a place within the page. */
  static address(sector) {
    return `${location.href.split("#")[0]}#sector=${sector}`;
  }

  /** The sector of the address, or -1. */
  static addressed() {
    const match = /^#sector=(\d{1,9})$/.exec(location.hash);
    return match ? Number(match[1]) : -1;
  }

  /** Says which sector is chosen; a step from sector to sector by keys is none that leads back. */
  set(sector, isStep = false) {
    if (sector === this.sector) return;
    const isLeft = this.sector;
    this.sector = sector;
    document.dispatchEvent(new CustomEvent("sector", { detail: { sector } }));
    if (sector === Choice.addressed()) return;
    const address = sector < 0 ? location.href.split("#")[0] : Choice.address(sector);
    if (isStep && isLeft >= 0 || sector < 0) history.replaceState(history.state, "", address);
    else history.pushState({ isWayBack: true }, "", address);
  }

  /** Back to where the sector was chosen; without a way back, nothing is chosen. */
  back() {
    if (history.state?.isWayBack) history.back();
    else this.chose(-1);
  }
}

/** The sectors that a notice names: "re-run 17: …", "gave up sector 3 of 'night/a.fits' after …". */
function namedSectors(text, model) {
  if (!model?.field) return [];
  const pattern = /^(re-run |retried |gave up |completed |hedged )(\d+)\b|\bsector (\d+)(?: of '([^']+)')?/g;
  const named = [];
  for (const match of text.matchAll(pattern)) {
    const [all, before = "", number, ofPart, part] = match;
    const first = part === undefined ? 0 : model.partNames.all.find(({ name }) => name === part)?.first;
    const sector = Number(number ?? ofPart) + first;
    const from = match.index + before.length;
    if (sector < model.field.sectors) named.push({ sector, from, to: match.index + all.length });
  }
  return named;
}

/** The first one, or -1. */
function namedSector(text, model) {
  return namedSectors(text, model)[0]?.sector ?? -1;
}

/** The text with links to the sectors that it names. */
function linked(text, model) {
  const nodes = [];
  let end = 0;
  for (const { sector, from, to } of namedSectors(text, model)) {
    const link = make("a", "", text.slice(from, to));
    link.href = Choice.address(sector);
    if (from > end) nodes.push(text.slice(end, from));
    nodes.push(link);
    end = to;
  }
  return [...nodes, text.slice(end)];
}
