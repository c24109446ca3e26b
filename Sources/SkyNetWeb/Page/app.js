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
    this.systems = new SystemsTable(byID("systems"));
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
      this.model.apply(name, message);
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
      this.setConnection("live", "live");
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
      this.moment.seek(moment);
      this.sky.show(sector);
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
    if (this.model?.scans) this.choice.keep(isChosen ? first : -1);
    else this.choice.set(isChosen ? first : -1, isStep);
    if (isChosen) {
      this.announcer.answer(`${cellName(this.model, cell)}: ${cellText(this.model, cell)}`);
    }
    this.drawDetails();
    this.wantSky();
  }

  chooseSector(sector) {
    const { field, scans } = this.model ?? {};
    if (!field || scans) return;
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
    if (this.model) this.details.draw(this.model, this.sky.selected);
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
        () => this.drawTexts(), ...this.systems.parts(model), () => this.drawTimeline(), ...this.log.parts(model),
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
    const failed = model.failed > 0 ? `, ${whole(model.failed)} failed` : "";
    const { parts, points, words } = model;
    const ofParts = parts ? ` of ${counted(parts.total, words.part)}` : "";
    const sky = model.scans
      ? `Slots of ${counted(model.systems.length, "system")}, ${whole(model.inFlight)} scanning`
      : `${counted(model.sectors, "sector")}${ofParts}: ${whole(model.completed)} completed${failed}, `
        + `${whole(model.inFlight)} on their way`
        + (points.count > 0 ? `, ${counted(points.count, words.point)} found` : "");
    this.sky.canvas.setAttribute("aria-label", sky);
    this.timeline.canvas.setAttribute("aria-label", this.timeline.description(model));
  }

  drawTimeline() {
    if (!this.model.scans) this.timeline.draw(this.model);
  }

  drawLists() {
    this.drawDetails();
    this.latest.draw(this.model);
    if (this.model.scans) this.engagements.draw(this.model);
    else this.failures.draw(this.model);
  }

  // Window and controls

  watchSizes() {
    const sizes = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) {
        if (contentRect.width < 1) continue;
        if (target.id === "sky-frame") {
          this.sky.resize(contentRect.width, contentRect.height);
          this.wantSky();
        } else {
          this.timeline.resize(contentRect.width);
          this.changed();
        }
      }
    });
    sizes.observe(byID("sky-frame"));
    sizes.observe(byID("timeline-frame"));
    const recolor = () => {
      readInks();
      drawLegend();
      this.systems.redraw();
      this.changed();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor);
    recolor();
  }

  watchControls() {
    document.addEventListener("sector-wanted", ({ detail }) => this.chooseSector(detail.sector));
    this.timeline.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const sector = this.timeline.sectorAt(offsetX, offsetY);
      if (sector >= 0) this.sky.show(sector);
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
