"use strict";
// The page: takes messages or a report, and draws what has changed, one part a frame, texts at most four times a
// second.

class Page {
  /** Milliseconds between two changes of texts. */
  static pause = 240;

  constructor() {
    this.model = null;
    this.sky = new Sky(byID("sky"), byID("pulse"), byID("marks"), () => this.wantSky());
    this.shown = new Shown(this.sky, () => this.wantSky());
    this.card = new PointCard(byID("point-card"), this.sky);
    this.latest = new LatestPart(byID("latest"));
    this.choice = new Choice((sector) => this.chooseSector(sector));
    this.timeline = new Timeline(byID("timeline"));
    this.curve = new Curve(byID("curve"));
    this.curve.watch(() => this.changed(), (moment) => this.moment?.seek(moment));
    this.system = new SystemSheet({
      chose: (sector, moment) => this.chooseMoment(sector, moment), changed: () => this.changed(),
    });
    const openSystem = (row) => {
      if (this.model) this.system.open(this.model.systems[row]);
    };
    this.systems = new SystemsTable(byID("systems"), { open: openSystem, changed: () => this.changed() });
    this.constellation = new Constellation(byID("constellation"), byID("constellation-moving"), openSystem);
    this.ended = new Ended({ chose: (sector) => this.chooseSector(sector) });
    this.log = new Log(byID("log"));
    this.announcer = new Announcer(byID("announcer"));
    this.details = new Details(byID("details"), () => this.choice.back());
    this.indicators = new Indicators();
    this.engagements = new Engagements(byID("engagements"));
    this.failures = new Failures(byID("failures"), (sector) => this.sky.show(sector));
    this.controls = new SkyControls(this.sky, {
      changed: () => this.wantSky(),
      chose: (cell, isStep) => this.choose(cell, -1, isStep),
      over: (cell, point) => this.setOver(cell, point),
      chosePoint: (point) => this.choosePoint(point),
      nextFailure: () => this.nextFailure(),
    });
    this.isSkyWanted = false;
    this.isDirty = false;
    this.parts = [];
    this.drawnAt = -Infinity;
    this.labelledAt = -Infinity;
    this.frame = null;
    this.over = -1;
    this.overPoint = -1;
    this.watchSizes();
    this.watchControls();
    const report = embeddedReport();
    if (report) this.showReport(report);
    else this.connect();
  }

  // Messages

  connect() {
    this.feed = new Feed(
      "events", (name, message) => this.hear(name, message), (state) => this.connectionChanged(state));
  }

  /** Returns whether the message is understood. */
  hear(name, message) {
    if (name === "hello") {
      if (message.v !== 1) {
        this.setConnection("lost", "this page is of another version than its server: reload it");
        return false;
      }
      this.setModel(message.kind === "run" ? new Run(message) : new Cluster(message));
    } else if (this.model) {
      const wasOver = this.model.isOver;
      this.model.apply(name, message);
      if (this.model.isOver !== wasOver) this.connectionChanged(this.feed.state);
    }
    this.changed();
    return true;
  }

  setModel(model) {
    const isSame = this.model?.kind === model.kind;
    this.model = model;
    document.body.dataset.kind = model.kind;
    this.sky.generation = -1;
    if (!isSame) this.timeline.height = 0;
  }

  connectionChanged(state) {
    const end = this.model?.end ?? null;
    if (state === "live") {
      if (end === null) this.setConnection("live", "live");
      else this.setConnection("ended", `ended: ${end}`);
      if (this.wasLost) this.announcer.say("Connected again.");
      this.wasLost = false;
      return;
    }
    if (end !== null) {
      this.setConnection("ended", `the run has ended (${end}), and its page with it`);
      return;
    }
    const since = this.model ? `; what is shown is of ${clockTime(this.model.began + this.model.now)}` : "";
    const text = state === "silent" ? `no news${since}` : `connection lost, trying again${since}`;
    this.setConnection("lost", text);
    if (!this.wasLost) this.announcer.say("Connection lost, trying again. What is shown is old.");
    this.wasLost = true;
  }

  setConnection(state, text) {
    byID("connection").dataset.state = state;
    setText(byID("connection-text"), text);
    document.body.classList.toggle("old", state === "lost");
  }

  // Reports

  showReport(report) {
    this.setModel(report);
    this.setConnection("report", `report: ${report.end}`);
    this.moment = new Moment(report, () => this.changed());
    this.slow = new Slow(byID("slow"), report, (sector, moment) => {
      this.chooseMoment(sector, moment);
    });
    byID("timeline").addEventListener("click", (event) => {
      const time = this.timeline.timeAt(report, event.offsetX);
      if (time !== null) this.moment.seek(time);
    });
    if (report.picture?.png) this.showPicture(`data:image/png;base64,${report.picture.png}`);
    this.changed();
  }

  // The sky

  /** The picture grows while the run goes on. */
  followPicture(model) {
    const version = model.picture.version ?? 0;
    const shown = `${model.run} ${version}`;
    if (this.pictureOf === shown) return;
    this.pictureOf = shown;
    this.showPicture(`image?v=${version}`);
  }

  showPicture(address) {
    const picture = make("img");
    const number = this.picturesAsked = (this.picturesAsked ?? 0) + 1;
    picture.addEventListener("load", () => {
      // An earlier one may come later.
      if (number < (this.pictureShown ?? 0)) return;
      this.pictureShown = number;
      this.sky.setPicture(picture);
      this.wantSky();
    });
    picture.src = address;
  }

  /** Chooses a cell: by the sector of it that was asked for, or by its first one. */
  choose(cell, sector = -1, isStep = false) {
    this.sky.select(cell);
    const isChosen = cell >= 0 && Boolean(this.model?.field);
    const first = sector >= 0 || !isChosen ? sector : cell * this.model.field.perCell;
    this.choice.set(isChosen ? first : -1, isStep);
    if (isChosen) {
      this.announcer.answer(`${cellName(this.model, cell)}: ${cellText(this.model, cell)}`);
    }
    this.drawDetails();
    this.wantSky();
  }

  chooseSector(sector) {
    const { field } = this.model ?? {};
    if (!field) return;
    const isKnown = sector >= 0 && sector < field.sectors;
    this.choose(isKnown ? field.cellOf(sector) : -1, isKnown ? sector : -1);
    if (isKnown) byID("sky-section").scrollIntoView({ block: "nearest" });
  }

  /** Chooses a point of the picture, or with -1 none. */
  choosePoint(point) {
    this.sky.rings.selected = point;
    if (point >= 0) this.announcer.answer(this.card.text(this.model, point));
    this.drawOver();
    this.wantSky();
  }

  /** Shows a sector, in a report at a moment. */
  chooseMoment(sector, moment) {
    this.moment?.seek(moment);
    this.chooseSector(sector);
  }

  nextFailure() {
    const sectors = [...(this.model?.failures.keys() ?? [])].sort((left, right) => left - right);
    if (sectors.length === 0) return;
    const { field } = this.model;
    const next = sectors.find((sector) => field.cellOf(sector) > this.sky.selected);
    this.chooseSector(next ?? sectors[0]);
  }

  setOver(cell, point = -1) {
    if (this.over === cell && this.overPoint === point) return;
    this.over = cell;
    this.overPoint = point;
    this.drawOver();
  }

  drawOver() {
    const { model, over } = this;
    const isKnown = over >= 0 && model?.field && over < model.field.count;
    setText(byID("under-pointer"), isKnown ? `${cellName(model, over)}: ${cellText(model, over)}` : "");
    this.card.draw(model, this.overPoint >= 0 ? this.overPoint : this.sky.rings.selected);
  }

  drawDetails() {
    const { model, sky } = this;
    if (!model) return;
    this.details.draw(model, sky.selected);
    const card = byID("details-card");
    const isShown = byID("details").children.length > 0;
    if (card.hidden === isShown) card.hidden = !isShown;
    if (!isShown) return;
    // The card lies where the cell that it tells of does not.
    const y = sky.rectangle(...sky.worldOf(sky.selected))[1];
    const side = y > sky.view.height / 2 ? "top" : "bottom";
    if (card.dataset.side !== side) card.dataset.side = side;
  }

  // Frames

  changed() {
    this.isDirty = true;
    this.wantFrame();
  }

  wantSky() {
    this.isSkyWanted = true;
    this.wantFrame();
  }

  wantFrame() {
    this.frame ??= requestAnimationFrame((time) => {
      this.frame = null;
      this.drawFrame(time);
    });
  }

  /** One part a frame, so that no frame has much to do. */
  drawFrame(time) {
    const { model } = this;
    if (!model) return;
    if (this.isSkyWanted) {
      this.isSkyWanted = false;
      this.drawSky();
    } else if (this.parts.length > 0) {
      this.parts.shift()();
    } else if (this.isDirty && time - this.drawnAt >= Page.pause) {
      this.isDirty = false;
      this.drawnAt = time;
      this.parts = [
        () => this.drawTexts(), ...this.systems.parts(model), () => this.drawCurve(), () => this.drawTimeline(),
        ...this.log.parts(model),
        () => this.drawLists(),
      ];
      this.drawSky();
    }
    if (this.isSkyWanted || this.parts.length > 0) this.wantFrame();
    else if (this.isDirty && !this.timer) {
      this.timer = setTimeout(() => {
        this.timer = null;
        this.wantFrame();
      }, Math.max(0, Page.pause - (performance.now() - this.drawnAt)));
    }
  }

  drawSky() {
    const { model, sky } = this;
    if (!model?.field) return;
    const isNew = sky.generation !== model.generation || sky.model !== model;
    sky.draw(model);
    if (isNew) {
      // A selection outlives another shape of the window, a new connection, and cells of more sectors.
      const { sector } = this.choice;
      const cell = sector < 0 ? -1 : model.field.cellOf(sector);
      if (cell >= 0 && cell < model.field.count) sky.select(cell);
      // An address may name a sector before any is known.
      else if (sector < 0 && Choice.addressed() >= 0) this.chooseSector(Choice.addressed());
      this.shown.draw(model);
      this.controls.viewChanged();
    }
    if (model.picture && model.kind === "run") this.followPicture(model);
  }

  drawTexts() {
    this.indicators.draw(this.model);
    this.announcer.hear(this.model);
    this.drawOver();
    if (performance.now() - this.labelledAt < 4000) return;
    this.labelledAt = performance.now();
    this.label();
  }

  /** What the canvases show, in words; often enough for a reader who asks. */
  label() {
    const { model } = this;
    if (model.served) {
      this.constellation.canvas.setAttribute("aria-label", this.constellation.description(model));
      return;
    }
    this.curve.canvas.setAttribute("aria-label", this.curve.description(model));
    const failed = model.failed > 0 ? `, ${whole(model.failed)} failed` : "";
    const { parts, points, words } = model;
    const ofParts = parts ? ` of ${counted(parts.total, words.part)}` : "";
    const sky = `${counted(model.sectors, "sector")}${ofParts}: ${whole(model.completed)} completed${failed}, `
      + `${whole(model.inFlight)} on their way`
      + (points.count > 0 ? `, ${counted(points.count, words.point)} found` : "");
    this.sky.canvas.setAttribute("aria-label", sky);
    this.timeline.canvas.setAttribute("aria-label", this.timeline.description(model));
  }

  drawCurve() {
    if (this.model.served) this.constellation.draw(this.model);
    else this.curve.draw(this.model);
  }

  drawTimeline() {
    if (!this.model.served) this.timeline.draw(this.model);
  }

  drawLists() {
    this.system.draw(this.model);
    if (this.model.served) {
      this.engagements.draw(this.model);
      return;
    }
    this.drawDetails();
    this.latest.draw(this.model);
    this.failures.draw(this.model);
    this.ended.draw(this.model);
  }

  // Window and controls

  watchSizes() {
    const sizes = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        if (contentRect.width < 1) continue;
        this.resized(target.id, contentRect);
      }
    });
    for (const id of ["sky-frame", "timeline-frame", "curve-frame", "constellation-frame"]) sizes.observe(byID(id));
    const recolor = () => {
      readInks();
      drawLegend();
      this.systems.redraw();
      this.curve.redraw();
      this.changed();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);
    recolor();
  }

  resized(id, { width, height }) {
    if (id === "sky-frame") {
      this.sky.resize(width, height);
      this.wantSky();
      return;
    }
    if (id === "timeline-frame") this.timeline.resize(width, height);
    else (id === "curve-frame" ? this.curve : this.constellation).resize(width, height);
    this.changed();
  }

  watchControls() {
    document.addEventListener("sector-wanted", ({ detail }) => this.chooseSector(detail.sector));
    this.timeline.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const sector = this.timeline.sectorAt(offsetX, offsetY);
      if (sector >= 0) this.sky.show(sector);
    });
    byID("details-close").addEventListener("click", () => {
      this.choose(-1);
      this.sky.canvas.focus();
    });
    byID("window").addEventListener("change", (event) => {
      this.timeline.window = Number(event.target.value);
      this.changed();
    });
    byID("faults-only").addEventListener("change", (event) => {
      this.log.filter(event.target.checked);
      this.changed();
    });
  }
}

const page = new Page();
