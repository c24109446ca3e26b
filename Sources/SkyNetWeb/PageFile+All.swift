// swift-format-ignore-file
// Made by deploy/embed-page of the files in Page.

extension PageFile {
  static let all: [PageFile] = [
    PageFile(name: "afterwards.js", text: ####"""
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
      element, "Slowest systems", ["System", "Tasks", "Mean", "Slowest", "Retried", "Lost", "Busy", "Idle"],
      summary.systems, (row) => [
        this.name(row.system), whole(row.tasks), duration(row.mean / 1000), duration(row.slowest / 1000),
        whole(row.retried), whole(row.lost), duration(row.busy / 1000), duration(row.idle / 1000),
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
    const list = make("dl", "figures");
    const figure = (name, text) => {
      const pair = make("div");
      pair.append(make("dt", "", name), make("dd", "", text));
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

"""####),
    PageFile(name: "aggregate.js", text: ####"""
"use strict";
// A report of a run with very many attempts: of each cell it is known when it began, when half of it was done, and
// when all was. In between, its share grows evenly.

class AggregateReport extends Report {
  constructor(data) {
    super(data);
    const aggregate = data.aggregate;
    this.step = aggregate.step / 1000;
    this.perCell = aggregate.sectorsPerCell;
    const count = Math.ceil(this.fieldSectors / this.perCell);
    this.cells = aggregate.cells.map((columns) => ({
      began: column(columns.began, count, Int16Array),
      middle: column(columns.middle, count, Int16Array),
      ended: column(columns.ended, count, Int16Array),
      done: column(columns.done, count, Uint32Array),
      failed: column(columns.failed, count, Uint32Array),
      system: column(columns.system, count, Uint16Array),
    }));
    // What a pass did and the next one did not, it ended.
    this.cells.forEach((cells, pass) => {
      const next = this.cells[pass + 1]?.done;
      cells.ends = cells.done.map((done, cell) => Math.max(0, done - (next?.[cell] ?? 0)));
    });
    this.lanes(aggregate);
    this.field = new Field(this.fieldSectors, this.perCell);
    // No attempt is known by itself.
    this.attemptsKnownFrom = Infinity;
    this.seek(this.length);
  }

  /** The buckets of the report, in those of a lane. */
  lanes(aggregate) {
    const step = aggregate.timelineStep / 1000;
    const count = aggregate.timelineBuckets;
    this.timelineStep = step;
    aggregate.timeline.forEach((columns, row) => {
      const system = this.systems[row];
      if (!system) return;
      const read = {};
      for (const name of ["done", "failed", "lost", "withdrawn"]) {
        read[name] = column(columns[name], count, Float32Array);
        for (let at = 0; at < count; at++) {
          if (read[name][at] > 0) {
            // The report's buckets and those of a lane begin at different times.
            const from = Math.min(this.length, at * step);
            const to = Math.min(this.length, (at + 1) * step);
            system.lane.spread(from, to, system.lane[name], read[name][at]);
            system.firstAttempt = Math.min(system.firstAttempt, at * step);
          }
        }
      }
      read.busy = column(columns.busy, count, Float32Array, 0.1);
      system.buckets = read;
    });
  }

  seek(moment) {
    const bucket = moment / this.step;
    const field = this.field;
    field.completed.fill(0);
    field.failed.fill(0);
    field.inFlight.fill(0);
    field.system.fill(noSystem);
    field.pass.fill(0);
    this.cells.forEach((cells, pass) => this.applyPass(cells, pass, bucket, moment >= this.length));
    field.touchAll();
    this.seekCommon(moment);
    this.setFigures(moment);
  }

  applyPass(cells, pass, bucket, isOver) {
    const { field } = this;
    const end = this.data.aggregate.buckets;
    for (let cell = 0; cell < field.count; cell++) {
      const began = cells.began[cell];
      if (began < 0 || began > bucket) continue;
      const share = isOver ? 1 : this.share(began, cells.middle[cell], cells.ended[cell], bucket, end);
      field.system[cell] = cells.system[cell];
      field.pass[cell] = pass;
      field.completed[cell] += Math.floor(share * cells.ends[cell]);
      if (share < 1) field.inFlight[cell] = 1;
      else field.failed[cell] += cells.failed[cell];
    }
  }

  /** How much of what was done of a cell was done by then. A cell may never have ended, nor come to its half. */
  share(began, middle, ended, bucket, end) {
    const last = ended >= 0 ? Math.max(began, ended) : end;
    if (bucket >= last) return 1;
    if (middle < 0 || ended < 0) return (bucket - began) / Math.max(1, last - began);
    return bucket < middle
      ? 0.5 * (bucket - began) / Math.max(1, middle - began)
      : 0.5 + 0.5 * (bucket - middle) / Math.max(1, last - middle);
  }

  setFigures(moment) {
    const { field, data } = this;
    const isOver = moment >= this.length;
    let completed = 0;
    let failed = 0;
    for (let cell = 0; cell < field.count; cell++) {
      completed += field.completed[cell];
      failed += field.failed[cell];
    }
    this.completed = isOver ? data.completed : completed;
    this.failed = isOver ? data.failed : failed;
    this.rate = this.inFlight = this.retried = 0;
    const buckets = Math.max(1, Math.round(5 / this.timelineStep));
    const end = Math.min(data.aggregate.timelineBuckets, Math.floor(moment / this.timelineStep) + 1);
    for (const system of this.systems) {
      const counts = system.buckets;
      if (!counts) continue;
      const sum = (values, from = 0) => values.subarray(from, end).reduce((all, value) => all + value, 0);
      system.tasks = system.completed = sum(counts.done);
      system.lost = sum(counts.lost);
      system.retried = sum(counts.failed) + system.lost;
      system.rate = sum(counts.done, Math.max(0, end - buckets)) / (buckets * this.timelineStep);
      system.inFlight = isOver ? 0 : Math.round(counts.busy[end - 1] ?? 0);
      const mean = (this.summary.systems ?? []).find((row) => this.systems[row.system] === system);
      system.latency = mean ? mean.mean / 1000 : 0;
      if (isOver && mean) system.retried = mean.retried;
      this.rate += system.rate;
      this.inFlight += system.inFlight;
      this.retried += system.retried;
      this.setHistory(system, moment);
    }
    if (isOver) this.retried = data.retried;
    this.hedged = data.hedged;
    this.secondsLeft = Math.max(0, this.length - moment);
  }
}

"""####),
    PageFile(name: "app.js", text: ####"""
"use strict";
// The page: takes messages or a report, and draws what has changed, one part a frame, texts at most four times a
// second.

class Page {
  /** Milliseconds between two changes of texts. */
  static pause = 240;

  constructor() {
    this.model = null;
    this.sky = new Sky(byID("sky"), byID("pulse"), byID("marks"));
    this.timeline = new Timeline(byID("timeline"));
    this.systems = new SystemsTable(byID("systems"));
    this.log = new Log(byID("log"));
    this.announcer = new Announcer(byID("announcer"));
    this.details = new Details(byID("details"));
    this.indicators = new Indicators();
    this.engagements = new Engagements(byID("engagements"));
    this.failures = new Failures(byID("failures"), (sector) => this.chooseSector(sector));
    this.controls = new SkyControls(this.sky, {
      changed: () => this.wantSky(),
      chose: (cell) => this.choose(cell),
      over: (cell) => this.setOver(cell),
      nextFailure: () => this.nextFailure(),
    });
    this.isSkyWanted = false;
    this.isDirty = false;
    this.parts = [];
    this.drawnAt = -Infinity;
    this.labelledAt = -Infinity;
    this.frame = null;
    this.over = -1;
    /** The first sector of the selected cell, or -1. */
    this.selectedSector = -1;
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
    if (!isSame) this.selectedSector = -1;
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
      this.chooseSector(sector);
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
      this.sky.picture = picture;
      this.wantSky();
    });
    picture.src = address;
  }

  choose(cell) {
    this.sky.select(cell);
    this.selectedSector = cell >= 0 && this.model?.field ? cell * this.model.field.perCell : -1;
    if (cell >= 0 && this.model) {
      this.announcer.answer(`${cellName(this.model, cell)}: ${cellText(this.model, cell)}`);
    }
    this.drawDetails();
    this.wantSky();
  }

  chooseSector(sector) {
    if (!this.model?.field) return;
    this.choose(this.model.field.cellOf(sector));
    byID("sky-section").scrollIntoView({ block: "nearest" });
  }

  nextFailure() {
    const sectors = [...(this.model?.failures.keys() ?? [])].sort((left, right) => left - right);
    if (sectors.length === 0) return;
    const { field } = this.model;
    const next = sectors.find((sector) => field.cellOf(sector) > this.sky.selected);
    this.chooseSector(next ?? sectors[0]);
  }

  setOver(cell) {
    if (this.over === cell) return;
    this.over = cell;
    this.drawOver();
  }

  drawOver() {
    const { model, over } = this;
    const isKnown = over >= 0 && model?.field && over < model.field.count;
    setText(byID("under-pointer"), isKnown ? `${cellName(model, over)}: ${cellText(model, over)}` : "");
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
        () => this.drawTexts(), ...this.systems.parts(model), () => this.drawTimeline(), () => this.drawLists(),
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
      const cell = this.selectedSector < 0 ? -1 : model.field.cellOf(this.selectedSector);
      if (cell >= 0 && cell < model.field.count) sky.select(cell);
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
    this.log.draw(this.model);
    this.drawDetails();
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

"""####),
    PageFile(name: "cluster.js", text: ####"""
"use strict";
// A cluster as its nodes tell it: the slots of each system are the field, and a slot shows the sector that is
// scanned in it, and for whom.

class Cluster extends Model {
  constructor(hello) {
    super(hello);
    this.scans = [];
    this.waiting = 0;
    this.shape = "";
  }

  get scheduled() {
    return this.inFlight + this.waiting;
  }

  get connected() {
    // A node is connected to the programs that engage it; it does not know the other nodes.
    if (this.kind === "node") return new Set(this.engagements.map((engagement) => engagement.client)).size;
    return this.systems.filter((system) => system.state !== "gone").length;
  }

  isOwn(system) {
    return this.kind === "node" && system.name === this.hostName;
  }

  apply(name, message) {
    switch (name) {
      case "cluster": this.applyCluster(message); break;
      case "notices":
        this.noticesLost += message.lost ?? 0;
        for (const notice of message.notices) this.addNotice(notice);
        break;
    }
  }

  applyCluster(message) {
    if (this.began === 0) this.began = message.time;
    this.now = message.time - this.began;
    const former = new Map(this.systems.map((system) => [system.name, system]));
    this.systems = message.systems.map((row) => this.system(row, former.get(plain(row.name))));
    this.inFlight = this.systems.reduce((sum, system) => sum + system.inFlight, 0);
    this.waiting = this.systems.reduce((sum, system) => sum + system.waiting, 0);
    this.rate = this.systems.reduce((sum, system) => sum + system.rate, 0);
    this.engagements = message.engagements.map((engagement) => ({
      ...engagement, name: plain(engagement.name), client: plain(engagement.client),
      pass: engagement.pass ? plain(engagement.pass) : null, parts: engagement.parts ?? null,
    }));
    for (const figure of ["sectors", "completed", "failed"]) {
      this[figure] = this.engagements.reduce((sum, engagement) => sum + engagement[figure], 0);
    }
    // Runs that grow do not know yet how many sectors there will be.
    const parts = this.engagements.map((engagement) => engagement.parts);
    const sum = (figure) => parts.reduce((sum, counts) => sum + counts[figure], 0);
    this.parts = parts.length > 0 && parts.every((counts) => counts)
      ? { total: sum("total"), done: sum("done"), failed: sum("failed"), now: [] } : null;
    const left = this.engagements.map((engagement) => engagement.secondsLeft);
    this.secondsLeft = left.length > 0 && left.every((seconds) => seconds >= 0) ? Math.max(...left) : null;
    this.fill();
  }

  system(row, former) {
    const system = former ?? new SystemView(row.name);
    system.address = plain(row.address);
    system.version = plain(row.version);
    system.slots = row.slots;
    system.state = row.state;
    system.inFlight = row.running;
    system.waiting = row.waiting;
    system.tasks = system.completed = row.done;
    system.retried = row.retried;
    system.load = row.load ?? null;
    system.history = row.history ?? [];
    const last = system.history.slice(-5);
    system.rate = last.length ? last.reduce((sum, count) => sum + count, 0) / last.length : 0;
    system.scans = (row.scans ?? []).map((scan) => ({ ...scan, client: plain(scan.client) }));
    const clients = [...new Set(system.scans.map((scan) => scan.client))];
    system.note = plain(row.note ?? "") || (clients.length > 0 ? `scanning for ${listed(clients)}` : "");
    return system;
  }

  /** Sets the cells of the slots. The field begins anew when systems or their slots are others. */
  fill() {
    const present = this.systems.map(
      (system) => ({ name: system.name, slots: system.state === "gone" ? 0 : Math.min(system.slots, 256) }));
    const shape = present.map((system) => `${system.name}/${system.slots}`).join("\n");
    if (shape !== this.shape || this.field === null) {
      this.shape = shape;
      this.layout = new SlotsLayout(present);
      this.field = new Field(this.layout.count, 1);
      this.generation += 1;
    }
    this.scans = new Array(this.field.count);
    this.systems.forEach((system, row) => {
      for (let slot = 0; slot < present[row].slots; slot++) {
        const cell = this.layout.first[row] + slot;
        const scan = system.scans[slot];
        this.scans[cell] = scan;
        const isBusy = slot < system.inFlight ? 1 : 0;
        if (this.field.inFlight[cell] === isBusy && this.field.system[cell] === row) continue;
        this.field.inFlight[cell] = isBusy;
        this.field.system[cell] = row;
        this.field.touch(cell);
      }
    });
  }

  collaboration() {
    const busy = this.systems.filter(
      (system) => (this.kind !== "node" || this.isOwn(system)) && (system.inFlight > 0 || system.rate > 0));
    if (busy.length === 0) {
      return {
        moving: false, text: this.kind === "node" ? "scanning for nobody now" : "No device scans for another now.",
      };
    }
    const running = busy.reduce((sum, system) => sum + system.inFlight, 0);
    const clients = [...new Set(busy.flatMap((system) => system.scans.map((scan) => scan.client)))];
    const forWhom = clients.length > 0
      ? ` for ${listed(clients)}` : this.engagements.length > 0
        ? ` for ${listed([...new Set(this.engagements.map((engagement) => engagement.client))])}` : "";
    const what = running > 0
      ? `scanning ${counted(running, "sector")}${forWhom}`
      : `${rateText(busy.reduce((sum, system) => sum + system.rate, 0))} sectors per second${forWhom}`;
    return { moving: true, text: this.kind === "node" ? what : `${counted(busy.length, "device")} ${what}` };
  }
}

"""####),
    PageFile(name: "details.js", text: ####"""
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
    this.none = byID("failures-none");
    this.more = byID("failures-more");
  }

  draw(model) {
    const latest = [...model.failures.keys()].at(-1);
    const key = `${model.failures.size} ${latest}`;
    if (this.shown === key && this.model === model) return;
    this.shown = key;
    this.model = model;
    const failures = [...model.failures.values()].slice(-Failures.mostLines).reverse();
    this.none.hidden = failures.length > 0;
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

"""####),
    PageFile(name: "feed.js", text: ####"""
"use strict";
// The server's events, and what becomes of the connection to it.

class Feed {
  static names = ["hello", "state", "cells", "attempts", "failures", "notices", "cluster"];
  /** A server sends something at least every two seconds. */
  static patience = 8000;

  /**
   * `heard` gets each message and returns whether it is understood; `changed` gets each state of the
   * connection: live, silent, lost.
   */
  constructor(address, heard, changed) {
    this.address = address;
    this.heard = heard;
    this.changed = changed;
    this.state = "waiting";
    this.last = performance.now();
    this.pause = 1000;
    this.open();
    setInterval(() => this.check(), 1000);
  }

  open() {
    this.source = new EventSource(this.address);
    this.listening = new Set();
    for (const name of Feed.names) this.listen(name);
    this.source.addEventListener("error", () => this.failed());
  }

  /** Hears the events of this name too. */
  listen(name) {
    if (this.listening.has(name)) return;
    this.listening.add(name);
    this.source.addEventListener(name, (event) => this.message(name, event.data));
  }

  message(name, data) {
    this.last = performance.now();
    this.pause = 1000;
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      // A line that was cut is no reason to lose the others.
      return;
    }
    if (!this.heard(name, message)) return;
    // The events that tell parts and points are named by the run's words for these.
    if (name === "hello") for (const { many } of Object.values(message.words)) this.listen(many);
    this.set("live");
  }

  failed() {
    this.set("lost");
    // The browser tries again by itself where the connection broke, and gives up where the server refused.
    if (this.source.readyState !== EventSource.CLOSED) return;
    this.source.close();
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(10_000, this.pause * 2);
  }

  check() {
    if (this.state === "live" && performance.now() - this.last > Feed.patience) this.set("silent");
  }

  set(state) {
    if (this.state === state) return;
    this.state = state;
    this.changed(state);
  }
}

"""####),
    PageFile(name: "field.js", text: ####"""
"use strict";
// What has happened to the sectors, as a field of cells in typed arrays: no object a cell.

class Field {
  /** The most cells that a server tells of. */
  static limit = 65_536;

  /** A field without any attempt; a cell stands for `perCell` sectors, the last one for what remains. */
  constructor(sectors, perCell) {
    this.sectors = sectors;
    this.perCell = Math.max(1, perCell);
    this.count = Math.ceil(sectors / this.perCell);
    this.changedCount = 0;
    this.makeRoom(this.count);
    this.touchAll();
  }

  /** Makes the columns so long, which may be longer than there are cells; what they hold stays. */
  makeRoom(length) {
    const column = (Column, former, empty = 0) => {
      const longer = new Column(length).fill(empty);
      if (former) longer.set(former);
      return longer;
    };
    this.completed = column(Uint32Array, this.completed);
    this.failed = column(Uint32Array, this.failed);
    this.inFlight = column(Uint16Array, this.inFlight);
    this.system = column(Uint16Array, this.system, noSystem);
    this.pass = column(Uint8Array, this.pass);
    this.isChanged = column(Uint8Array, this.isChanged);
    this.changed = column(Uint32Array, this.changed);
  }

  /** The run has more sectors than before. */
  grow(sectors) {
    const former = this.count;
    this.sectors = sectors;
    this.count = Math.ceil(sectors / this.perCell);
    if (this.count > this.completed.length) this.makeRoom(2 * this.count);
    // The last cell may stand for more sectors than before.
    for (let cell = Math.max(0, former - 1); cell < this.count; cell++) this.touch(cell);
  }

  size(cell) {
    return cell === this.count - 1 ? this.sectors - cell * this.perCell : this.perCell;
  }

  cellOf(sector) {
    return Math.floor(sector / this.perCell);
  }

  touch(cell) {
    if (this.isChanged[cell]) return;
    this.isChanged[cell] = 1;
    this.changed[this.changedCount++] = cell;
  }

  touchAll() {
    for (let cell = 0; cell < this.count; cell++) this.touch(cell);
  }

  /** The cells of a message: index, completed, failed, in flight, system, pass, and so on. */
  apply(flat) {
    for (let at = 0; at + 5 < flat.length; at += 6) {
      const cell = flat[at];
      if (!(cell >= 0 && cell < this.count)) continue;
      this.completed[cell] = flat[at + 1];
      this.failed[cell] = flat[at + 2];
      this.inFlight[cell] = flat[at + 3];
      this.system[cell] = flat[at + 4];
      this.pass[cell] = flat[at + 5];
      this.touch(cell);
    }
  }

  /** Gives each changed cell to the closure, and forgets that it has changed. */
  takeChanges(closure) {
    for (let at = 0; at < this.changedCount; at++) {
      this.isChanged[this.changed[at]] = 0;
      closure(this.changed[at]);
    }
    this.changedCount = 0;
  }

  /** How much of a cell is done, from 0 to 1, where a run has so many passes. */
  share(cell, passes) {
    const size = this.size(cell);
    const whole = this.completed[cell] / size;
    if (whole >= 1 || passes < 2 || this.system[cell] === noSystem) return whole;
    // A task of a later pass tells that the earlier ones are done. One that is not on its way has, most
    // often, just passed.
    const passed = this.pass[cell] + (this.inFlight[cell] > 0 ? 0 : 1);
    return whole + (1 - whole) * Math.min(passed, passes - 1) / passes;
  }
}

"""####),
    PageFile(name: "index.html", text: ####"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<!-- policy -->
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>SkyNet</title>
<link rel="stylesheet" href="style.css">
</head>
<body data-kind="waiting">
<a class="skip" href="#main">Skip to the sectors</a>
<header>
  <h1><span class="brand">SkyNet</span> <span id="run-name"></span></h1>
  <p id="connection" data-state="waiting"><span class="dot" aria-hidden="true"></span><span id="connection-text">connecting</span></p>
</header>
<p id="announcer" class="unseen" role="status"></p>
<noscript><p class="warning">This page needs JavaScript. The command <code>watch</code> shows the same in a terminal.</p></noscript>

<section id="indicators" aria-label="Indicators">
  <dl>
    <div><dt>Scheduled</dt><dd id="scheduled">–</dd></div>
    <div><dt>Tasks per second</dt><dd id="rate">–</dd></div>
    <div><dt>Connected to</dt><dd id="connected">–</dd></div>
    <div class="wide"><dt>Completed</dt><dd><span id="completed">–</span>
      <progress id="progress" max="1" value="0" aria-label="Completed sectors"></progress></dd></div>
    <div><dt>Time left</dt><dd id="time-left">–</dd></div>
    <div><dt>Elapsed</dt><dd id="elapsed">–</dd></div>
    <div class="of-run"><dt>Retried</dt><dd id="retried">–</dd></div>
    <div class="of-run"><dt>Failed</dt><dd id="failed">–</dd></div>
  </dl>
  <div id="collaboration" data-moving="no">
    <svg viewBox="0 0 120 36" width="120" height="36" aria-hidden="true" focusable="false">
      <rect class="device" x="3" y="7" width="26" height="18" rx="2"></rect>
      <rect class="device" x="1" y="27" width="30" height="3" rx="1"></rect>
      <rect class="device" x="91" y="7" width="26" height="18" rx="2"></rect>
      <rect class="device" x="89" y="27" width="30" height="3" rx="1"></rect>
      <circle class="sector-out" cx="36" cy="12" r="3"></circle>
      <rect class="sector-back" x="81" y="18" width="6" height="6"></rect>
    </svg>
    <p id="collaboration-text"></p>
  </div>
</section>

<main id="main">
  <section id="moment" class="of-report" aria-labelledby="moment-title">
    <h2 id="moment-title">Moment</h2>
    <div class="slider">
      <button type="button" id="play" aria-pressed="false">Play</button>
      <input type="range" id="slider" min="0" max="1000" step="1" value="1000" aria-label="Moment of the run">
      <output id="moment-text" for="slider"></output>
    </div>
  </section>

  <section id="sky-section" aria-labelledby="sky-title">
    <div class="title"><h2 id="sky-title">Sectors</h2> <p id="pass"></p>
      <div class="buttons" role="group" aria-label="Zoom">
        <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
        <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
        <button type="button" id="zoom-all" aria-label="Show all">0</button>
      </div>
    </div>
    <div id="sky-frame">
      <canvas id="sky" tabindex="0" role="application" aria-roledescription="map" aria-label="Sectors" aria-describedby="sky-help"></canvas>
      <canvas id="pulse" aria-hidden="true"></canvas>
      <canvas id="marks" aria-hidden="true"></canvas>
    </div>
    <p id="under-pointer" aria-hidden="true"></p>
    <p id="sky-help" class="hint">Click a sector, or move with shift and the arrows, to see what happened there. Zoom with the wheel, + and −, move with the arrows or by dragging, 0 shows all.</p>
    <div id="details"></div>
  </section>

  <div id="side">
    <section id="systems-section" aria-labelledby="systems-title">
      <div class="title"><h2 id="systems-title">Systems</h2> <p id="systems-more"></p></div>
      <div class="scrolling" tabindex="0" role="region" aria-label="Table of systems"><table id="systems" role="table" aria-labelledby="systems-title">
        <thead role="rowgroup"><tr role="row">
          <th scope="col" role="columnheader">System</th><th scope="col" role="columnheader">State</th>
          <th scope="col" role="columnheader">Slots</th><th scope="col" role="columnheader">Tasks/s</th>
          <th scope="col" role="columnheader">Done</th><th scope="col" role="columnheader">Retried</th>
          <th scope="col" role="columnheader">Share</th><th scope="col" role="columnheader">Latency</th>
          <th scope="col" role="columnheader">Minute</th>
        </tr></thead>
        <tbody role="rowgroup"></tbody>
      </table></div>
      <p id="systems-none" class="hint">No system yet.</p>
    </section>

    <section id="engagements-section" class="of-cluster" aria-labelledby="engagements-title">
      <h2 id="engagements-title">Engagements</h2>
      <ul id="engagements"></ul>
      <p id="engagements-none" class="hint">Nobody engages the cluster now.</p>
    </section>

    <section id="failures-section" class="not-cluster" aria-labelledby="failures-title">
      <div class="title"><h2 id="failures-title">Failed sectors</h2> <p id="failures-more"></p></div>
      <ul id="failures"></ul>
      <p id="failures-none" class="hint">None.</p>
    </section>

    <section id="log-section" aria-labelledby="log-title">
      <div class="title"><h2 id="log-title">Notices</h2> <p id="log-more"></p>
        <label><input type="checkbox" id="faults-only"> faults only</label>
      </div>
      <ol id="log" tabindex="0" aria-labelledby="log-title"></ol>
    </section>
  </div>

  <section id="timeline-section" class="not-cluster" aria-labelledby="timeline-title">
    <div class="title"><h2 id="timeline-title">Time line</h2>
      <label>Shown <select id="window">
        <option value="0">the whole run</option>
        <option value="600">10 minutes</option>
        <option value="60">1 minute</option>
        <option value="10">10 seconds</option>
      </select></label>
    </div>
    <div id="timeline-frame" tabindex="0" role="region" aria-label="Time line of attempts">
      <canvas id="timeline" role="img" aria-label="Attempts by system over time"></canvas>
    </div>
    <ul class="legend" aria-label="Marks of the time line">
      <li><canvas data-mark="done" width="26" height="14" aria-hidden="true"></canvas> done</li>
      <li><canvas data-mark="retry" width="26" height="14" aria-hidden="true"></canvas> tried again</li>
      <li><canvas data-mark="hedge" width="26" height="14" aria-hidden="true"></canvas> hedge: a second copy</li>
      <li><canvas data-mark="flying" width="26" height="14" aria-hidden="true"></canvas> on its way</li>
      <li><canvas data-mark="failed" width="26" height="14" aria-hidden="true"></canvas> no result</li>
      <li><canvas data-mark="lost" width="26" height="14" aria-hidden="true"></canvas> lost with its system</li>
      <li><canvas data-mark="withdrawn" width="26" height="14" aria-hidden="true"></canvas> withdrawn</li>
      <li><canvas data-mark="joined" width="26" height="14" aria-hidden="true"></canvas> joined</li>
      <li><canvas data-mark="gone" width="26" height="14" aria-hidden="true"></canvas> gone</li>
      <li><canvas data-mark="silent" width="26" height="14" aria-hidden="true"></canvas> silent</li>
    </ul>
  </section>

  <section id="slow-section" class="of-report" aria-labelledby="slow-title">
    <h2 id="slow-title">What was slow, and why</h2>
    <div id="slow"></div>
  </section>
</main>
<footer><p id="software"></p></footer>
<!-- report -->
<script src="text.js"></script>
<script src="palette.js"></script>
<script src="field.js"></script>
<script src="layout.js"></script>
<script src="layer.js"></script>
<script src="lanes.js"></script>
<script src="model.js"></script>
<script src="cluster.js"></script>
<script src="report.js"></script>
<script src="aggregate.js"></script>
<script src="view.js"></script>
<script src="sky.js"></script>
<script src="pointer.js"></script>
<script src="timeline.js"></script>
<script src="systems.js"></script>
<script src="log.js"></script>
<script src="details.js"></script>
<script src="indicators.js"></script>
<script src="afterwards.js"></script>
<script src="feed.js"></script>
<script src="app.js"></script>
</body>
</html>

"""####),
    PageFile(name: "indicators.js", text: ####"""
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

"""####),
    PageFile(name: "lanes.js", text: ####"""
"use strict";
// What the time line shows: for each system how its attempts ended over time, what came and went, and the
// latest attempts one by one.

/** How attempts ended, as the messages number it. */
const endings = { done: 0, failed: 1, lost: 2, withdrawn: 3, open: 4 };

/** Counts over time in a fixed number of buckets, which become twice as wide when time goes beyond them. */
class Lane {
  static buckets = 512;

  constructor(step = 0.25) {
    this.step = step;
    this.done = new Float32Array(Lane.buckets);
    this.failed = new Float32Array(Lane.buckets);
    this.lost = new Float32Array(Lane.buckets);
    this.withdrawn = new Float32Array(Lane.buckets);
  }

  /** Counts attempts that ended so many seconds after the run began. */
  add(seconds, counts, number = 1) {
    if (!(seconds >= 0)) return;
    while (seconds >= this.step * Lane.buckets) this.fold();
    counts[Math.floor(seconds / this.step)] += number;
  }

  /** Counts attempts that ended sometime between two moments: as many in each part of the time. */
  spread(from, to, counts, number) {
    if (!(number > 0)) return;
    while (to >= this.step * Lane.buckets) this.fold();
    if (to <= from) {
      this.add(to, counts, number);
      return;
    }
    for (let at = Math.floor(from / this.step); at <= Math.floor(to / this.step); at++) {
      const start = Math.max(from, at * this.step);
      const end = Math.min(to, (at + 1) * this.step);
      counts[at] += number * (end - start) / (to - from);
    }
  }

  fold() {
    for (const counts of [this.done, this.failed, this.lost, this.withdrawn]) {
      for (let at = 0; at < Lane.buckets / 2; at++) counts[at] = counts[2 * at] + counts[2 * at + 1];
      counts.fill(0, Lane.buckets / 2);
    }
    this.step *= 2;
  }

  /** How many there were per second around a time; wide buckets are taken as even. */
  density(counts, time, span) {
    const first = Math.floor(time / this.step);
    const last = Math.max(first, Math.floor((time + span) / this.step - 1e-9));
    let sum = 0;
    for (let at = first; at <= last && at < Lane.buckets; at++) sum += at >= 0 ? counts[at] : 0;
    return sum / ((last - first + 1) * this.step);
  }
}

/** Attempts as columns. A ring keeps the latest ones; a report has room for all. */
class Attempts {
  constructor(capacity) {
    this.capacity = capacity;
    this.total = 0;
    this.sector = new Int32Array(capacity);
    this.pass = new Uint8Array(capacity);
    this.attempt = new Uint16Array(capacity);
    this.system = new Uint16Array(capacity);
    this.began = new Float64Array(capacity);
    this.ended = new Float64Array(capacity);
    this.ending = new Uint8Array(capacity);
    this.isHedge = new Uint8Array(capacity);
  }

  get count() {
    return Math.min(this.total, this.capacity);
  }

  add(sector, pass, attempt, system, began, ended, ending, isHedge) {
    const at = this.total % this.capacity;
    this.sector[at] = sector;
    this.pass[at] = pass;
    this.attempt[at] = attempt;
    this.system[at] = system;
    this.began[at] = began;
    this.ended[at] = ended;
    this.ending[at] = ending;
    this.isHedge[at] = isHedge;
    this.total += 1;
  }

  clear() {
    this.total = 0;
  }

  /** The indexes of the attempts of a sector's cell, the earliest first. */
  ofSectors(first, end) {
    const found = [];
    for (let at = 0; at < this.count; at++) {
      if (this.sector[at] >= first && this.sector[at] < end) found.push(at);
    }
    return found.sort((left, right) => this.began[left] - this.began[right]);
  }
}

"""####),
    PageFile(name: "layer.js", text: ####"""
"use strict";
// A layer of the sky: a small picture with one dot for each place, which is drawn at any size.

class Layer {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
  }

  /** Begins anew, with nothing painted. */
  begin(columns, rows) {
    this.canvas.width = columns;
    this.canvas.height = rows;
    this.data = this.context.createImageData(columns, rows);
    /** The colours of the places, as `packed` makes them. */
    this.colors = new Uint32Array(this.data.data.buffer);
  }

  /** Takes the colours of these rows over. */
  show(first, last) {
    this.context.putImageData(this.data, 0, 0, 0, first, this.canvas.width, last - first + 1);
  }
}

/** Draws a picture, which may be a layer's canvas, into a rectangle. */
function drawScaled(context, picture, rectangle, isSmooth) {
  context.imageSmoothingEnabled = isSmooth;
  context.drawImage(picture, ...rectangle);
}

/** How many dots of a canvas a unit of the page gets along each axis. */
function canvasScale() {
  return Math.min(2, window.devicePixelRatio || 1);
}

"""####),
    PageFile(name: "layout.js", text: ####"""
"use strict";
// Where cells lie. The field is painted into layers with one dot a place, which are then drawn at any
// size; a layout says which cell has which place, and where the places lie in the world that is seen.

/** A numbered field, read like a page. */
class PageLayout {
  /** A layout with so many places, which may be more than the field has cells by now. */
  constructor(field, places, aspect) {
    this.field = field;
    this.columns = Math.max(1, Math.min(places, Math.ceil(Math.sqrt(places * aspect))));
    this.rows = Math.max(1, Math.ceil(places / this.columns));
    this.unit = 1;
    this.top = 0;
    this.width = this.columns;
    this.height = this.rows;
  }

  cellAt(column, row) {
    const cell = row * this.columns + column;
    return cell < this.field.count ? cell : -1;
  }

  places(cell, closure) {
    closure(cell);
  }

  label(column, row) {
    return this.cellAt(column, row);
  }
}

/** Sectors on a picture. Row 0 is the lowest, and the world is in the picture's units. */
class PictureLayout {
  constructor(grid, picture, sectors, perCell) {
    this.columns = grid.columns;
    this.rows = grid.rows;
    this.sectors = sectors;
    this.perCell = perCell;
    this.unit = grid.side;
    this.width = picture?.width ?? grid.columns * grid.side;
    this.height = picture?.height ?? grid.rows * grid.side;
    // The highest row of sectors may stand out beyond the picture.
    this.top = this.height - grid.rows * grid.side;
  }

  label(column, row) {
    return (this.rows - 1 - row) * this.columns + column;
  }

  cellAt(column, row) {
    const sector = this.label(column, row);
    return sector < this.sectors ? Math.floor(sector / this.perCell) : -1;
  }

  places(cell, closure) {
    const end = Math.min(this.sectors, (cell + 1) * this.perCell);
    for (let sector = cell * this.perCell; sector < end; sector++) {
      const row = this.rows - 1 - Math.floor(sector / this.columns);
      closure(row * this.columns + sector % this.columns);
    }
  }
}

/** The slots of systems: a block each, beneath its name. */
class SlotsLayout {
  /** The number of columns that makes slots largest. */
  static columns(systems, aspect) {
    let best = { columns: 1, side: 0 };
    for (let columns = 2; columns <= 32; columns++) {
      const rows = systems.reduce((sum, system) => sum + 1 + Math.ceil(system.slots / columns), 0);
      const side = Math.min(aspect / columns, 1 / Math.max(1, rows));
      if (side > best.side) best = { columns, side };
    }
    return best.columns;
  }

  constructor(systems, aspect = 1.1) {
    this.columns = SlotsLayout.columns(systems, aspect);
    this.titles = [];
    this.first = [];
    const places = [];
    let row = 0;
    let cell = 0;
    for (const system of systems) {
      this.titles.push({ row, text: system.slots > 0 ? system.name : `${system.name} (gone)` });
      this.first.push(cell);
      row += 1;
      for (let slot = 0; slot < system.slots; slot++) {
        places.push((row + Math.floor(slot / this.columns)) * this.columns + slot % this.columns);
        cell += 1;
      }
      row += Math.ceil(system.slots / this.columns);
    }
    this.rows = Math.max(1, row);
    this.count = cell;
    this.place = Int32Array.from(places);
    this.cell = new Int32Array(this.rows * this.columns).fill(-1);
    for (let index = 0; index < cell; index++) this.cell[this.place[index]] = index;
    this.unit = 1;
    this.top = 0;
    this.width = this.columns;
    this.height = this.rows;
  }

  cellAt(column, row) {
    return this.cell[row * this.columns + column];
  }

  places(cell, closure) {
    closure(this.place[cell]);
  }

  label(column, row) {
    return this.cellAt(column, row);
  }
}

"""####),
    PageFile(name: "log.js", text: ####"""
"use strict";
// The notices, and what is said aloud of them.

class Log {
  static mostLines = 100;

  constructor(list) {
    this.list = list;
    this.shown = null;
    this.last = 0;
    this.faultsOnly = false;
    this.more = byID("log-more");
  }

  draw(model) {
    const { notices } = model;
    const latest = notices.at(-1)?.number ?? 0;
    // A report that went back, a connection that began anew, another filter: the list begins anew.
    if (this.shown !== model || latest < this.last) this.begin(model);
    setText(this.more, model.noticesLost > 0 ? `${whole(model.noticesLost)} were left out` : "");
    if (latest === this.last) return;
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 30;
    const fresh = notices.filter(
      (notice) => notice.number > this.last && (notice.fault || !this.faultsOnly)).slice(-Log.mostLines);
    this.last = latest;
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
    const time = make("time", "", clockTime(notice.time));
    time.dateTime = new Date(notice.time * 1000).toISOString();
    line.append(time, ` ${notice.text}`);
    return line;
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

"""####),
    PageFile(name: "model.js", text: ####"""
"use strict";
// A run as the server's messages tell it. `Cluster`, `Report` and `Aggregate` have the same members, so that the
// views need not know where a run comes from. All times within a run are seconds since it began.

/** One system, as its row and its lane show it. */
class SystemView {
  constructor(name) {
    this.name = plain(name);
    this.address = "";
    this.slots = 0;
    this.version = "";
    this.state = "present";
    this.note = "";
    this.inFlight = 0;
    this.completed = 0;
    this.tasks = 0;
    this.retried = 0;
    this.lost = 0;
    this.rate = 0;
    this.latency = 0;
    this.history = [];
    this.lane = new Lane();
    /** What came over it: {at, kind, note}, by time. */
    this.marks = [];
  }

  mark(at, kind, note = "") {
    if (this.marks.length === 400) this.marks.shift();
    this.marks.push({ at, kind, note });
  }
}

/** Points on the picture, in columns that grow. */
class Points {
  static limit = 200_000;

  constructor() {
    this.count = 0;
    /** The points from this one on were found just now. */
    this.firstFresh = 0;
    this.x = new Float32Array(1024);
    this.y = new Float32Array(1024);
    this.strength = new Float32Array(1024);
  }

  add(x, y, strength) {
    if (this.count === Points.limit) return;
    if (this.count === this.x.length) {
      for (const column of ["x", "y", "strength"]) {
        const larger = new Float32Array(2 * this.count);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    this.x[this.count] = x;
    this.y[this.count] = y;
    this.strength[this.count] = strength;
    this.count += 1;
  }
}

/** The parts of a run that grows, by their sectors. */
class PartNames {
  static limit = 20_000;

  constructor() {
    /** {name, first, sectors}, by the first sector. */
    this.all = [];
  }

  add(parts) {
    for (const { name, first, sectors } of parts) this.all.push({ name: plain(name), first, sectors });
    if (this.all.length > PartNames.limit) this.all.splice(0, this.all.length - PartNames.limit);
  }

  /** The name of the part that a sector belongs to; `null` if it is not known. */
  of(sector) {
    let [first, end] = [0, this.all.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.all[middle].first > sector) end = middle;
      else first = middle + 1;
    }
    const part = this.all[first - 1];
    return part && sector < part.first + part.sectors ? part.name : null;
  }

  /** The parts of sectors from `first` on and before `end`, in words; empty if they are not known. */
  text(first, end) {
    const [name, last] = [this.of(first), this.of(end - 1)];
    return name === null || last === null ? "" : name === last ? name : `${name} to ${last}`;
  }
}

/** What all kinds of page have: a run, or a cluster. */
class Model {
  constructor(hello) {
    this.kind = hello.kind;
    this.hostName = plain(hello.name);
    this.software = plain(hello.software);
    /** What the program is called on a command line. */
    this.program = plain(hello.program);
    this.journal = hello.journal ? plain(hello.journal) : null;
    /** What parts are called, and the points on the picture: {part, point}, each {one, many}. */
    this.words = hello.words;
    this.name = "";
    this.run = null;
    this.began = 0;
    /** Seconds since it began. */
    this.now = 0;
    this.end = null;
    this.sectors = 0;
    this.completed = 0;
    this.failed = 0;
    this.restored = 0;
    this.retried = 0;
    this.hedged = 0;
    this.inFlight = 0;
    this.rate = 0;
    this.secondsLeft = null;
    this.pass = null;
    this.passes = [];
    this.systems = [];
    this.field = null;
    this.layout = null;
    this.grid = null;
    this.picture = null;
    /** Of a run that grows: {known, total, done, failed, now}, where `now` has names; else `null`. */
    this.parts = null;
    this.partNames = new PartNames();
    /** How many cells the sky is to have room for, if there will be more than there are. */
    this.places = 0;
    this.points = new Points();
    this.attempts = new Attempts(4096);
    this.flying = new Attempts(256);
    /** All attempts that ended after this time are in `attempts`. */
    this.attemptsKnownFrom = 0;
    this.failures = new Map();
    this.notices = [];
    this.noticesLost = 0;
    this.engagements = [];
    /** Counts up with each new layout, so that the sky begins anew. */
    this.generation = 0;
  }

  get passCount() {
    return Math.max(1, this.passes.length);
  }

  /** The systems other than this process, as far as they are there. */
  get connected() {
    return this.systems.filter((system) => system.name !== "local" && system.state !== "gone").length;
  }

  get scheduled() {
    return this.inFlight;
  }

  /** What the progress counts, parts if there are some, else sectors: {done, failed, total, noun}. */
  get steps() {
    const { parts } = this;
    return parts
      ? { done: parts.done, failed: parts.failed, total: parts.total, noun: this.words.part.many }
      : { done: this.completed, failed: this.failed, total: this.sectors, noun: "sectors" };
  }

  /** Which systems scan for this one, as {moving, text}. */
  collaboration() {
    const others = this.systems.filter(
      (system) => system.name !== "local" && system.state !== "gone"
        && (system.inFlight > 0 || system.rate > 0));
    const isOver = this.kind === "report" ? this.now >= this.length : this.end !== null;
    if (isOver) return { moving: false, text: "The run has ended." };
    if (others.length === 0) return { moving: false, text: "No other device scans for you now." };
    const sectors = others.reduce((sum, system) => sum + system.inFlight, 0);
    const names = listed(others.map((system) => system.name));
    return {
      moving: true,
      text: `${names} ${others.length === 1 ? "scans" : "scan"} `
        + `${sectors > 0 ? `${counted(sectors, "sector")} ` : ""}for you`,
    };
  }

  addNotice(notice) {
    this.notices.push({
      number: notice.number, time: notice.time, text: plain(notice.text), fault: notice.fault === true,
    });
    if (this.notices.length > 1000) this.notices.splice(0, 500);
  }
}

/** A run that goes on, of the messages of the server. */
class Run extends Model {
  /** What to do with a message, by its name. */
  apply(name, message) {
    switch (name) {
      case "state": this.applyState(message); break;
      case "cells": this.field?.apply(message.cells); break;
      case "attempts": this.applyAttempts(message); break;
      case "failures": this.applyFailures(message.failures); break;
      case "notices":
        // How many were lost since the message before.
        this.noticesLost += message.lost ?? 0;
        for (const notice of message.notices) this.addNotice(notice);
        break;
      case this.words.part.many: this.partNames.add(message[name]); break;
      case this.words.point.many: this.applyPoints(message[name]); break;
    }
  }

  applyState(state) {
    const isFirst = this.field === null;
    const former = this.now;
    this.name = plain(state.name);
    this.run = state.run;
    this.began = state.began;
    // A page that is kept after the run shows the run's end.
    if (this.end === null) this.now = Math.max(0, state.time - state.began);
    this.end = state.end === null || state.end === undefined ? null : plain(state.end);
    for (const figure of [
      "completed", "failed", "restored", "retried", "hedged", "inFlight", "rate", "secondsLeft",
    ]) {
      this[figure] = state[figure] ?? (figure === "secondsLeft" ? null : 0);
    }
    this.pass = state.pass ? plain(state.pass) : null;
    this.passes = (state.passes ?? []).map(plain);
    const parts = state[this.words.part.many];
    this.parts = parts ? { ...parts, now: parts.now.map(plain) } : null;
    this.applySectors(state);
    const { image: picture = null } = state;
    // A picture is known when some of it has been read.
    if (picture && !this.picture) this.generation += 1;
    this.picture = picture;
    for (const row of state.systems) this.applySystem(row, isFirst, former);
  }

  applySectors(state) {
    this.sectors = state.sectors;
    // The sectors of a part that was dropped keep their numbers, and do not count.
    const fieldSectors = state.fieldSectors ?? state.sectors;
    const { field } = this;
    const isGrown = field !== null && fieldSectors > field.sectors && field.perCell === state.sectorsPerCell;
    if (!isGrown && field?.sectors === fieldSectors && field.perCell === state.sectorsPerCell) return;
    this.grid = state.grid ?? null;
    if (isGrown) {
      field.grow(fieldSectors);
      if (field.count <= this.places) return;
    } else {
      // Where cells stand for more sectors than before, all of them are told again.
      this.field = new Field(fieldSectors, state.sectorsPerCell);
    }
    this.places = this.placesToCome();
    this.generation += 1;
  }

  /** How many cells there will be, so that those of parts that are still to come do not move the others. */
  placesToCome() {
    const { parts, sectors, field } = this;
    if (parts === null || parts.known === 0) return field.count;
    // Without a known end, room for half as many again is kept.
    const share = parts.total > parts.known ? parts.total / parts.known : 1.5;
    return Math.min(Field.limit, Math.ceil(Math.ceil(sectors * share) / field.perCell));
  }

  applySystem(row, isFirst, former) {
    let system = this.systems[row.row];
    // Another system of the same name has come, and both have their addresses after it now.
    if (plain(row.name) === `${system?.name}@${system?.address}`) system.name = plain(row.name);
    const isNew = system === undefined || system.name !== plain(row.name);
    if (isNew) system = this.systems[row.row] = new SystemView(row.name);
    // Rows come in their order, but one may be missing in a message that was cut.
    for (let before = 0; before < row.row; before++) this.systems[before] ??= new SystemView("");
    if (isNew && isFirst && this.now > 2) {
      this.applyHistory(system, row);
    } else {
      for (const [name, figure] of [["done", "tasks"], ["failed", "retried"]]) {
        const { lane } = system;
        lane.spread(former, this.now, lane[name], row[figure] - system[figure]);
      }
    }
    const before = isNew ? null : system.state;
    if (before !== row.state && !(isNew && isFirst && this.now > 2)) this.markChange(system, before, row, isFirst);
    system.address = plain(row.address);
    system.version = plain(row.version);
    system.state = row.state;
    system.note = plain(row.note);
    for (const figure of ["slots", "inFlight", "completed", "tasks", "retried", "lost", "rate", "latency"]) {
      system[figure] = row[figure] ?? 0;
    }
    system.history = row.history ?? [];
  }

  /** What a system did before this page was opened is known for the last minute. */
  applyHistory(system, row) {
    const history = row.history ?? [];
    const second = Math.floor(this.began + this.now) - this.began;
    for (let at = 0; at < history.length; at++) {
      system.lane.add(second - history.length + at + 0.5, system.lane.done, history[at]);
    }
  }

  markChange(system, former, row, isFirst) {
    const note = plain(row.note);
    if (row.state === "gone") system.mark(this.now, "gone", note);
    // A system of the first message was there from the beginning.
    else if (former === null || former === "gone") system.mark(isFirst ? 0 : this.now, "joined", note);
    else if (row.state === "silent") system.mark(this.now, "silent", note);
    else if (former === "silent") system.mark(this.now, "heard", note);
    else system.mark(this.now, row.state, note);
  }

  applyAttempts(message) {
    const flat = message.inFlight ?? [];
    this.flying.clear();
    for (let at = 0; at + 5 < flat.length; at += 6) {
      this.flying.add(
        flat[at], flat[at + 1], flat[at + 2], flat[at + 3], flat[at + 4] - this.began, this.now,
        endings.open, flat[at + 5]);
    }
    const ended = message.ended ?? [];
    let earliest = this.now;
    for (let at = 0; at + 7 < ended.length; at += 8) {
      const end = ended[at + 5] - this.began;
      earliest = Math.min(earliest, end);
      const system = this.systems[ended[at + 3]];
      if (system && ended[at + 6] === endings.withdrawn) system.lane.add(end, system.lane.withdrawn);
      this.attempts.add(
        ended[at], ended[at + 1], ended[at + 2], ended[at + 3], ended[at + 4] - this.began, end,
        ended[at + 6], ended[at + 7]);
    }
    if (message.skipped > 0) this.attemptsKnownFrom = earliest;
    if (this.attempts.total > this.attempts.capacity) {
      const oldest = this.attempts.ended[this.attempts.total % this.attempts.capacity];
      this.attemptsKnownFrom = Math.max(this.attemptsKnownFrom, oldest);
    }
  }

  applyFailures(failures) {
    for (const failure of failures) {
      this.failures.set(failure.sector, {
        sector: failure.sector, pass: failure.pass, attempts: failure.attempts, at: this.now,
        part: plain(failure[this.words.part.one]),
        reasons: failure.reasons.map(
          ({ system, reason }) => ({ system: plain(system), reason: plainLines(reason) })),
      });
      // The server keeps 200; a page that stays open hears of more.
      if (this.failures.size > 2000) this.failures.delete(this.failures.keys().next().value);
    }
  }

  applyPoints(flat) {
    const former = this.points.count;
    for (let at = 0; at + 2 < flat.length; at += 3) this.points.add(flat[at], flat[at + 1], flat[at + 2]);
    // Those that were found before the page was opened do not light up.
    this.points.firstFresh = former > 0 || this.now < 2 ? former : this.points.count;
  }
}

"""####),
    PageFile(name: "palette.js", text: ####"""
"use strict";
// Colours that colour-blind people can tell apart: those of Okabe & Ito (2008, "Color Universal Design"), as
// in the pictures that `--picture` writes. Systems beyond the sixth have the same colours, with stripes.

const systemColors = [
  [0x56, 0xb4, 0xe9], [0xd5, 0x5e, 0x00], [0x00, 0x9e, 0x73],
  [0xcc, 0x79, 0xa7], [0xe6, 0x9f, 0x00], [0x00, 0x72, 0xb2],
];
const pointColor = "#f0e442";
/** The sky's background in light and dark, so that colours mean the same in both. */
const darkness = [0x0c, 0x0e, 0x14];
const emptyCell = [0x26, 0x2b, 0x36];
const failedCell = [0xf4, 0xf4, 0xf4];
const noSystem = 0xffff;

function css(color) {
  return `rgb(${color[0]} ${color[1]} ${color[2]})`;
}

function systemColor(row) {
  return systemColors[row % systemColors.length];
}

/** 0 plain, 1 with stripes across, 2 with stripes upright. */
function systemStripes(row) {
  return Math.floor(row / systemColors.length) % 3;
}

/** A colour as a number of a layer. All machines that run browsers are little-endian. */
function packed(color, alpha = 255) {
  return ((alpha << 24) | (color[2] << 16) | (color[1] << 8) | color[0]) >>> 0;
}

function mixed(from, to, share) {
  return [0, 1, 2].map((part) => Math.round(from[part] + (to[part] - from[part]) * share));
}

/** How many shades there are between an empty cell and a complete one. */
const shades = 32;

/**
 * The colours of cells, by system and by how much of a cell is done. With a strength of 1 they are opaque; else they
 * are tints, through which a picture can be seen.
 */
class Shades {
  constructor(strength) {
    const isTint = strength < 1;
    this.table = new Uint32Array(systemColors.length * (shades + 1));
    this.flying = new Uint32Array(systemColors.length);
    for (let system = 0; system < systemColors.length; system++) {
      const color = systemColors[system];
      for (let shade = 0; shade <= shades; shade++) {
        const share = shade === 0 ? 0 : shade === shades ? 1 : 0.12 + 0.5 * shade / shades;
        this.table[system * (shades + 1) + shade] = isTint
          ? packed(color, Math.round(255 * strength * share)) : packed(mixed(emptyCell, color, share));
      }
      this.flying[system] = isTint ? packed(mixed(color, [255, 255, 255], 0.3), 150) : packed(color, 215);
    }
    this.empty = isTint ? 0 : packed(emptyCell);
    this.failed = packed(failedCell, isTint ? 150 : 255);
  }
}

/** The colours of canvases that follow the page's scheme. They are read anew when the scheme changes. */
const inks = { text: "", soft: "", ground: "", line: "" };

function readInks() {
  const style = getComputedStyle(document.body);
  inks.text = style.getPropertyValue("--text").trim();
  inks.soft = style.getPropertyValue("--soft").trim();
  inks.ground = style.getPropertyValue("--panel").trim();
  inks.line = style.getPropertyValue("--line").trim();
}

/** Fills a rectangle with a system's colour and stripes. */
function fillSystem(context, row, x, y, width, height) {
  context.fillStyle = css(systemColor(row));
  context.fillRect(x, y, width, height);
  stripe(context, row, x, y, width, height);
}

/** The stripes of a system beyond the sixth. */
function stripe(context, row, x, y, width, height) {
  const stripes = systemStripes(row);
  if (stripes === 0) return;
  context.fillStyle = "rgb(0 0 0 / 45%)";
  const step = Math.max(4, Math.min(10, (stripes === 1 ? height : width) / 3));
  if (stripes === 1) {
    for (let at = step / 2; at < height; at += step) {
      context.fillRect(x, y + at, width, Math.min(step / 2, height - at));
    }
  } else {
    for (let at = step / 2; at < width; at += step) {
      context.fillRect(x + at, y, Math.min(step / 2, width - at), height);
    }
  }
}

"""####),
    PageFile(name: "pointer.js", text: ####"""
"use strict";
// Zoom, pan and choice of a cell: by wheel, pointer, two fingers, and keys.

class SkyControls {
  /** The page is told of a new view by `changed`, of a chosen cell by `chose`, of one under the pointer by `over`. */
  constructor(sky, { changed, chose, over, nextFailure }) {
    this.sky = sky;
    this.changed = changed;
    this.chose = chose;
    this.over = over;
    this.nextFailure = nextFailure;
    this.pointers = new Map();
    this.moved = 0;
    const { canvas } = sky;
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.over(-1));
    canvas.addEventListener("keydown", (event) => this.key(event));
    byID("zoom-in").addEventListener("click", () => this.zoom(1.5));
    byID("zoom-out").addEventListener("click", () => this.zoom(1 / 1.5));
    byID("zoom-all").addEventListener("click", () => this.all());
  }

  get view() {
    return this.sky.view;
  }

  zoom(factor, x, y) {
    this.view.zoom(factor, x, y);
    this.viewChanged();
  }

  all() {
    this.view.fit();
    this.viewChanged();
  }

  viewChanged() {
    // Where all is shown, a finger scrolls the page.
    this.sky.canvas.style.touchAction = this.view.isFitted ? "pan-y" : "none";
    this.changed();
  }

  wheel(event) {
    // Out beyond all, the wheel scrolls the page.
    if (event.deltaY > 0 && this.view.isFitted) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const delta = Math.max(-120, Math.min(120, event.deltaY * lines));
    this.zoom(Math.exp(-delta * 0.004), event.offsetX, event.offsetY);
  }

  down(event) {
    if (event.button > 0) return;
    this.sky.canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 0) this.moved = 0;
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  }

  move(event) {
    const former = this.pointers.get(event.pointerId);
    if (!former) {
      this.over(this.sky.cellAt(event.offsetX, event.offsetY));
      return;
    }
    const now = [event.offsetX, event.offsetY];
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.pointers.set(event.pointerId, now);
    this.moved += Math.abs(now[0] - former[0]) + Math.abs(now[1] - former[1]);
    if (others.length > 0) this.pinch(others[0], former, now);
    // A hand is never quite still when it clicks.
    else if (this.moved > 4) this.view.pan(now[0] - former[0], now[1] - former[1]);
    this.viewChanged();
  }

  pinch(other, former, now) {
    const distance = (left, right) => Math.hypot(left[0] - right[0], left[1] - right[1]);
    const before = distance(other, former);
    if (before < 1) return;
    this.view.zoom(distance(other, now) / before, (other[0] + now[0]) / 2, (other[1] + now[1]) / 2);
    this.view.pan((now[0] - former[0]) / 2, (now[1] - former[1]) / 2);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.moved <= 4) this.chose(this.sky.cellAt(event.offsetX, event.offsetY));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) this.chose(this.sky.neighbour(...arrow));
    else if (arrow && !this.view.isFitted) {
      this.view.pan(-arrow[0] * this.view.width / 8, -arrow[1] * this.view.height / 8);
      this.viewChanged();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / 1.5);
    else if (event.key === "0") this.all();
    else if (event.key === "Escape") this.chose(-1);
    else if (event.key === "f") this.nextFailure();
    // Where all is shown, the arrows scroll the page.
    else return;
    event.preventDefault();
  }
}

"""####),
    PageFile(name: "report.js", text: ####"""
"use strict";
// A run that is over, at any moment of it: its attempts as columns, applied up to the moment. Going forth applies
// what lies between; going back begins anew, which takes some milliseconds.

/** A column of a report: an array, or one number for all. */
function column(values, count, Kind, scale = 1) {
  const result = new Kind(count);
  if (!Array.isArray(values)) return result.fill((values ?? 0) * scale);
  for (let at = 0; at < count; at++) result[at] = values[at] * scale;
  return result;
}

/** What reports have in common, whether their attempts are there one by one or not. */
class Report extends Model {
  constructor(data) {
    super({ ...data, kind: "report" });
    this.data = data;
    this.name = plain(data.name);
    this.run = data.run ?? null;
    this.began = data.began;
    this.length = data.length / 1000;
    this.end = plain(data.end);
    this.sectors = data.sectors;
    /** The sectors' numbers are less than this. */
    this.fieldSectors = data.fieldSectors ?? data.sectors;
    this.passes = (data.passes ?? []).map(plain);
    this.grid = data.grid ?? null;
    this.picture = data.image ?? null;
    this.partNames.add(data.parts ?? []);
    this.summary = data.summary ?? {};
    this.reasons = (data.reasons ?? []).map(plainLines);
    this.allFailures = (data.failures ?? []).map((failure) => ({
      sector: failure.sector, part: plain(failure[this.words.part.one]), pass: failure.pass,
      attempts: failure.attempts, at: failure.at / 1000,
      reasons: failure.reasons.map(([system, reason]) => ({
        system: plain(data.systems[system]?.name ?? "?"), reason: this.reasons[reason] ?? "unknown",
      })),
    })).sort((left, right) => left.at - right.at);
    this.allNotices = (data.notices ?? []).map(([at, text, fault], index) => ({
      number: index + 1, at: at / 1000, time: data.began + at / 1000, text: plain(text), fault: fault === 1,
    }));
    this.noticesLost = data.noticesLeftOut ?? 0;
    this.systems = data.systems.map((row) => this.system(row));
    this.readPoints(data[this.words.point.many]);
    this.now = this.length;
    this.generation = 1;
  }

  system(row) {
    const system = new SystemView(row.name);
    system.slots = row.slots ?? 0;
    system.address = plain(row.address ?? "");
    system.version = plain(row.version ?? "");
    const kinds = { connected: "joined", disconnected: "gone" };
    for (const [at, kind, note] of row.presence ?? []) {
      system.marks.push({ at: at / 1000, kind: kinds[kind] ?? kind, note: plain(note) });
    }
    system.firstAttempt = Infinity;
    system.lane = new Lane(Math.max(0.001, this.length * 1.0001 / Lane.buckets));
    return system;
  }

  readPoints(points) {
    if (!points) return;
    const order = points.x.map((_, index) => index).sort((left, right) => points.at[left] - points.at[right]);
    this.pointTimes = Float64Array.from(order, (index) => points.at[index] / 1000);
    for (const index of order) this.points.add(points.x[index], points.y[index], points.flux[index]);
  }

  /** Sets what is known at a moment without the attempts. */
  seekCommon(moment) {
    this.now = moment;
    this.notices = this.allNotices.filter((notice) => notice.at <= moment);
    this.failures = new Map(
      this.allFailures.filter((failure) => failure.at <= moment).map((failure) => [failure.sector, failure]));
    if (this.pointTimes) {
      this.points.count = countUpTo(this.pointTimes, moment);
      this.points.firstFresh = countUpTo(this.pointTimes, moment - this.length / 100);
    }
    for (const system of this.systems) this.setState(system, moment);
  }

  setState(system, moment) {
    if (system.marks.length === 0 || system.marks[0].at > moment) {
      // A journal that does not hold comings knows a system by its attempts.
      const hasJoined = system.marks.length === 0 || system.marks[0].kind !== "joined";
      system.state = hasJoined && system.firstAttempt <= moment ? "present" : "absent";
      system.note = "";
      return;
    }
    // A silence hides what else is wrong with a system, and its end shows it again.
    let standing = { kind: "present", note: "" };
    let silence = null;
    for (const mark of system.marks) {
      if (mark.at > moment) break;
      if (mark.kind === "silent") {
        silence = mark;
        continue;
      }
      silence = null;
      if (mark.kind === "joined" || mark.kind === "resumed") standing = { kind: "present", note: "" };
      else if (mark.kind !== "heard") standing = mark;
    }
    const { kind, note } = silence ?? standing;
    system.state = kind;
    system.note = note;
  }

  setHistory(system, moment) {
    const { lane } = system;
    system.history = Array.from(
      { length: 59 }, (_, at) => lane.density(lane.done, moment - 59 + at, 1));
  }
}

/** How many of the ascending values are at most the limit. */
function countUpTo(values, limit) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A report with each attempt. */
class DetailedReport extends Report {
  constructor(data) {
    super(data);
    this.readAttempts(data.attempts);
    this.seek(this.length);
  }

  readAttempts(columns) {
    const count = columns.began.length;
    const attempts = new Attempts(Math.max(1, count));
    attempts.total = count;
    attempts.sector = column(columns.sector, count, Int32Array);
    attempts.pass = column(columns.pass, count, Uint8Array);
    attempts.attempt = column(columns.attempt, count, Uint16Array);
    attempts.system = column(columns.system, count, Uint16Array);
    attempts.ending = column(columns.ending, count, Uint8Array);
    attempts.isHedge = column(columns.hedge, count, Uint8Array);
    this.reason = column(columns.reason ?? -1, count, Int16Array);
    const took = column(columns.took, count, Float64Array, 0.001);
    let began = 0;
    for (let at = 0; at < count; at++) {
      began += columns.began[at] / 1000;
      attempts.began[at] = began;
      attempts.ended[at] = took[at] >= 0 ? began + took[at] : this.endOfProcess(began);
      const system = this.systems[attempts.system[at]];
      if (!system) continue;
      system.firstAttempt = Math.min(system.firstAttempt, began);
      const lane = system.lane;
      const counts = [lane.done, lane.failed, lane.lost, lane.withdrawn, null][attempts.ending[at]];
      if (counts) lane.add(attempts.ended[at], counts);
    }
    this.attempts = attempts;
    this.ended = attempts.ended.slice(0, count).sort();
    this.ends = column(columns.ends, count, Uint8Array);
    this.byEnd = Uint32Array.from({ length: count }, (_, index) => index)
      .sort((left, right) => attempts.ended[left] - attempts.ended[right]);
  }

  /** An attempt without an end lasted until its process ended, as far as that is known. */
  endOfProcess(time) {
    const process = (this.data.processes ?? []).findLast((process) => process.began / 1000 <= time);
    return process?.ended ? Math.max(time, process.ended / 1000) : this.length;
  }

  reset() {
    this.field = new Field(this.fieldSectors, Math.ceil(this.fieldSectors / 65_536));
    this.isDone = new Uint8Array(this.fieldSectors);
    this.begun = 0;
    this.finished = 0;
    this.late = 0;
    this.failedSeen = 0;
    this.completed = 0;
    this.failed = 0;
    this.retried = 0;
    this.hedged = 0;
    this.inFlight = 0;
    for (const system of this.systems) {
      system.inFlight = system.completed = system.tasks = system.retried = system.lost = 0;
      system.seconds = system.recent = 0;
    }
  }

  seek(moment) {
    if (this.field === null || moment < this.now || this.begun === undefined) this.reset();
    const { began, ended } = this.attempts;
    const count = this.attempts.total;
    // An attempt ends after it began, so of the two next ones the earlier is applied.
    while (true) {
      const next = this.begun < count ? began[this.begun] : Infinity;
      const end = this.finished < count ? ended[this.byEnd[this.finished]] : Infinity;
      if (Math.min(next, end) > moment) break;
      if (next <= end) this.begin(this.begun++);
      else this.finish(this.byEnd[this.finished++]);
    }
    for (; this.late < count && ended[this.byEnd[this.late]] <= moment - 5; this.late++) {
      this.countRecent(this.byEnd[this.late], -1);
    }
    while (this.failedSeen < this.allFailures.length && this.allFailures[this.failedSeen].at <= moment) {
      this.giveUp(this.allFailures[this.failedSeen++]);
    }
    this.seekCommon(moment);
    this.setFigures(moment);
  }

  begin(at) {
    const { sector, system, pass, isHedge } = this.attempts;
    const cell = this.field.cellOf(sector[at]);
    this.field.inFlight[cell] += 1;
    this.field.system[cell] = system[at];
    this.field.pass[cell] = pass[at];
    this.field.touch(cell);
    this.inFlight += 1;
    if (this.systems[system[at]]) this.systems[system[at]].inFlight += 1;
    if (isHedge[at]) this.hedged += 1;
  }

  finish(at) {
    const { sector, system, pass, ending, began, ended } = this.attempts;
    const cell = this.field.cellOf(sector[at]);
    const row = this.systems[system[at]];
    this.field.inFlight[cell] -= 1;
    this.field.touch(cell);
    this.inFlight -= 1;
    if (!row) return;
    row.inFlight -= 1;
    if (ending[at] === endings.failed || ending[at] === endings.lost) row.retried += 1;
    if (ending[at] === endings.lost) row.lost += 1;
    if (ending[at] !== endings.done) return;
    row.tasks += 1;
    row.seconds += ended[at] - began[at];
    this.countRecent(at, 1);
    this.field.system[cell] = system[at];
    this.field.pass[cell] = pass[at];
    if (this.ends[at] !== 1 || this.isDone[sector[at]]) return;
    this.isDone[sector[at]] = 1;
    row.completed += 1;
    this.completed += 1;
    this.field.completed[cell] += 1;
  }

  countRecent(at, number) {
    const row = this.systems[this.attempts.system[at]];
    if (row && this.attempts.ending[at] === endings.done) row.recent += number;
  }

  giveUp({ sector, reasons }) {
    // No attempt followed the last one.
    const last = this.systems.find((system) => system.name === reasons.at(-1)?.system);
    if (last?.retried > 0) last.retried -= 1;
    const cell = this.field.cellOf(sector);
    this.field.failed[cell] += 1;
    this.field.touch(cell);
    this.failed += 1;
  }

  setFigures(moment) {
    const window = Math.min(5, Math.max(0.001, moment));
    this.rate = 0;
    for (const system of this.systems) {
      system.rate = system.recent / window;
      system.latency = system.tasks > 0 ? system.seconds / system.tasks : 0;
      this.rate += system.rate;
      this.setHistory(system, moment);
    }
    this.retried = this.systems.reduce((sum, system) => sum + system.retried, 0);
    if (moment >= this.length) {
      // The list of failures is cut, and attempts that were lost before their scans began are no retries.
      const { completed, failed, retried } = this.data;
      Object.assign(this, { completed, failed, retried });
      for (const row of this.summary.systems ?? []) this.systems[row.system].retried = row.retried;
    }
    this.secondsLeft = Math.max(0, this.length - moment);
  }
}

/** The report in the page, or null if this is a page of a server. */
function embeddedReport() {
  const element = byID("report");
  if (!element) return null;
  const data = JSON.parse(element.textContent);
  element.remove();
  return data.aggregate ? new AggregateReport(data) : new DetailedReport(data);
}

"""####),
    PageFile(name: "sky.js", text: ####"""
"use strict";
// The sky: the field of cells over the picture, if there is one. Cells are painted as single dots into a layer,
// only those that changed, and the layer is drawn at the size that is looked at. What is in flight is in a second
// canvas above, whose opacity an animation of the style sheet moves: that costs this thread nothing. Numbers,
// crosses and the picture's points are in a third one, above what pulses.

class Sky {
  constructor(canvas, pulse, marks) {
    this.canvas = canvas;
    this.pulse = pulse;
    this.marks = marks;
    this.context = canvas.getContext("2d", { alpha: false });
    this.pulseContext = pulse.getContext("2d");
    this.marksContext = marks.getContext("2d");
    this.view = new View();
    this.model = null;
    this.layout = null;
    this.generation = -1;
    this.selected = -1;
    this.hadMarks = false;
    this.picture = null;
    this.cells = new Layer();
    this.flying = new Layer();
    this.ratio = 1;
  }

  resize(width, height) {
    this.ratio = canvasScale();
    for (const canvas of [this.canvas, this.pulse, this.marks]) {
      canvas.width = Math.max(1, Math.round(width * this.ratio));
      canvas.height = Math.max(1, Math.round(height * this.ratio));
    }
    const aspect = width / height;
    const formerAspect = this.view.width / this.view.height;
    this.view.resize(width, height);
    // A page of sectors is set anew for another shape of window, as text is.
    const isOther = aspect / formerAspect > 1.2 || formerAspect / aspect > 1.2;
    if (this.layout instanceof PageLayout && isOther) this.generation = -1;
  }

  /** Takes the layout of a new field. */
  begin(model) {
    this.generation = model.generation;
    this.model = model;
    const field = model.field;
    this.layout = model.layout
      ?? (model.grid
        ? new PictureLayout(model.grid, model.picture, field.sectors, field.perCell)
        : new PageLayout(field, Math.max(field.count, model.places), this.view.width / this.view.height));
    const { columns, rows } = this.layout;
    for (const layer of [this.cells, this.flying]) layer.begin(columns, rows);
    this.shades = new Shades(model.grid ? (model.picture ? 0.3 : 0.5) : 1);
    this.view.setWorld(this.layout.width, this.layout.height, this.layout.unit, model.grid ? 8 : 0);
    this.selected = -1;
    field.touchAll();
  }

  /** Paints the cells that changed. */
  paint() {
    const { field, passCount } = this.model;
    const { table, empty, failed, flying } = this.shades;
    const { columns, rows } = this.layout;
    let top = rows;
    let bottom = -1;
    let color = 0;
    let flight = 0;
    const { colors } = this.cells;
    const { colors: flights } = this.flying;
    const set = (place) => {
      colors[place] = color;
      flights[place] = flight;
      const row = Math.floor(place / columns);
      if (row < top) top = row;
      if (row > bottom) bottom = row;
    };
    field.takeChanges((cell) => {
      const system = field.system[cell];
      const hue = system % systemColors.length;
      flight = field.inFlight[cell] > 0 && system !== noSystem ? flying[hue] : 0;
      if (2 * field.failed[cell] >= field.size(cell)) {
        color = failed;
      } else if (system === noSystem) {
        color = empty;
      } else {
        const share = field.share(cell, passCount);
        const shade = share >= 1 ? shades : share <= 0 ? 0 : Math.max(1, Math.floor(share * shades));
        color = table[hue * (shades + 1) + shade];
      }
      this.layout.places(cell, set);
    });
    if (bottom < 0) return;
    for (const layer of [this.cells, this.flying]) layer.show(top, bottom);
  }

  draw(model) {
    if (model.field === null) return;
    if (this.model !== model || this.generation !== model.generation) this.begin(model);
    this.paint();
    const { context, view, layout } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = css(darkness);
    context.fillRect(0, 0, view.width, view.height);
    this.drawPicture(context);
    const placed = this.rectangle(0, layout.top, layout.columns * layout.unit, layout.rows * layout.unit);
    context.save();
    this.clip(context);
    drawScaled(context, this.cells.canvas, placed, false);
    context.restore();
    this.drawPulse(placed);
    this.drawOnTop(this.marksContext);
  }

  /** What is to be read is above what pulses. */
  drawOnTop(context) {
    const hasMarks = this.hasMarks;
    // A canvas that is not touched costs nothing.
    if (!hasMarks && !this.hadMarks) return;
    this.hadMarks = hasMarks;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.save();
    this.clip(context);
    this.drawDetail(context);
    this.drawPoints(context);
    this.drawLabels(context);
    this.drawFailures(context);
    context.restore();
    this.drawSelection(context);
  }

  get hasMarks() {
    const { layout, view, model } = this;
    return layout.unit * view.scale >= 5 || model.failures.size > 0 || model.points.count > 0 || this.selected >= 0;
  }

  /** Where a rectangle of the world is on the canvas. */
  rectangle(x, y, width, height) {
    const { view } = this;
    return [(x - view.x) * view.scale, (y - view.y) * view.scale, width * view.scale, height * view.scale];
  }

  clip(context) {
    context.beginPath();
    context.rect(...this.rectangle(0, 0, this.layout.width, this.layout.height));
    context.clip();
  }

  drawPicture(context) {
    if (!this.picture || !this.model.picture) return;
    const { width, height } = this.layout;
    drawScaled(context, this.picture, this.rectangle(0, 0, width, height), this.view.scale < 3);
  }

  drawPulse(placed) {
    const context = this.pulseContext;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.save();
    this.clip(context);
    drawScaled(context, this.flying.canvas, placed, false);
    this.drawFresh(context);
    context.restore();
  }

  /** The places in sight: first and last column and row. */
  get seen() {
    const { layout, view } = this;
    const left = Math.max(0, Math.floor(view.x / layout.unit));
    const top = Math.max(0, Math.floor((view.y - layout.top) / layout.unit));
    return {
      left, top,
      right: Math.min(layout.columns - 1, Math.floor((view.x + view.width / view.scale) / layout.unit)),
      bottom: Math.min(
        layout.rows - 1, Math.floor((view.y - layout.top + view.height / view.scale) / layout.unit)),
    };
  }

  /** What one dot a cell does not show: gaps, stripes, passes, numbers; as much as there is room for. */
  drawDetail(context) {
    const { layout, view, model } = this;
    const side = layout.unit * view.scale;
    if (side < 5) return;
    const { left, right, top, bottom } = this.seen;
    const isTint = model.grid !== null;
    context.fillStyle = isTint ? "rgb(255 255 255 / 16%)" : css(darkness);
    const [x, y] = this.rectangle(0, layout.top, 0, 0);
    for (let column = left; column <= right + 1; column++) {
      context.fillRect(Math.round(x + column * side), y + top * side, 1, (bottom - top + 1) * side);
    }
    for (let row = top; row <= bottom + 1; row++) {
      context.fillRect(x + left * side, Math.round(y + row * side), (right - left + 1) * side, 1);
    }
    const count = (right - left + 1) * (bottom - top + 1);
    if (side >= 10 && count <= 6000) {
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const cell = layout.cellAt(column, row);
          if (cell >= 0) this.drawMarks(context, cell, x + column * side, y + row * side, side);
        }
      }
    }
  }

  drawMarks(context, cell, x, y, side) {
    const { field, passCount, grid } = this.model;
    const system = field.system[cell];
    if (system === noSystem) return;
    if (system >= systemColors.length && field.completed[cell] > 0 && !grid) {
      stripe(context, system, x + 1, y + 1, side - 1, side - 1);
    }
    if (passCount < 2) return;
    // A pip for each pass that it has come to; the last one is hollow while the pass goes on.
    const pip = Math.max(2, Math.min(5, side / 8));
    const isDone = field.completed[cell] === field.size(cell) || field.inFlight[cell] === 0;
    for (let pass = 0; pass <= Math.min(field.pass[cell], 7); pass++) {
      const isFilled = pass < field.pass[cell] || isDone;
      context.fillStyle = isFilled ? "#fff" : "rgb(255 255 255 / 40%)";
      context.fillRect(x + 3 + pass * (pip + 2), y + side - pip - 3, pip, pip);
    }
  }

  drawLabels(context) {
    const { layout, model, view } = this;
    const { field, grid } = model;
    const { left, right, top, bottom } = this.seen;
    const side = layout.unit * view.scale;
    const [x, y] = this.rectangle(0, layout.top, 0, 0);
    for (const title of layout.titles ?? []) this.drawTitle(context, title, x, y, side);
    if (side < 22 || (right - left + 1) * (bottom - top + 1) > 900) return;
    const size = Math.max(8, Math.min(13, side * 0.36));
    context.font = `${size}px system-ui, sans-serif`;
    context.textBaseline = "top";
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = layout.cellAt(column, row);
        if (cell < 0) continue;
        const system = field.system[cell];
        const isFilled = field.completed[cell] > 0 || field.failed[cell] > 0;
        context.fillStyle = grid ? "rgb(255 255 255 / 85%)"
          : !isFilled ? (field.inFlight[cell] > 0 ? "#fff" : "#c3cad8")
          : system % systemColors.length === 5 && field.failed[cell] === 0 ? "#fff" : "#000";
        const [first, second] = this.labels(cell, layout.label(column, row), side);
        const room = Math.floor(side / size / 0.58);
        context.fillText(first.slice(0, room), x + column * side + 4, y + row * side + 4);
        if (second && side >= 3 * size) {
          context.fillText(second.slice(0, room), x + column * side + 4, y + row * side + 6 + size);
        }
      }
    }
  }

  /** The lines in a cell: the sector, and the system that has it. */
  labels(cell, label, side) {
    const { model } = this;
    if (model.scans) {
      const scan = model.scans[cell];
      return scan ? [String(scan.sector), `for ${scan.client}`] : ["", ""];
    }
    const first = model.grid ? label : label * model.field.perCell;
    const system = model.systems[model.field.system[cell]];
    return [String(first), system && side >= (model.grid ? 64 : 44) ? system.name : ""];
  }

  drawTitle(context, title, x, y, side) {
    const size = Math.max(9, Math.min(15, side * 0.5));
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.textBaseline = "alphabetic";
    context.fillStyle = "#e8ebf2";
    context.fillText(title.text, x + 2, y + (title.row + 1) * side - Math.max(3, side * 0.14));
  }

  /** Where a cell's first place lies in the world. */
  worldOf(cell) {
    const { layout } = this;
    let first = -1;
    layout.places(cell, (place) => { if (first < 0) first = place; });
    return [
      first % layout.columns * layout.unit,
      layout.top + Math.floor(first / layout.columns) * layout.unit, layout.unit, layout.unit,
    ];
  }

  /** A cross at each failed sector, which can be seen at any size. */
  drawFailures(context) {
    const { model } = this;
    context.lineCap = "round";
    for (const failure of model.failures.values()) {
      const cell = model.field.cellOf(failure.sector);
      if (cell >= model.field.count) continue;
      const [x, y, side] = this.rectangle(...this.worldOf(cell));
      const reach = Math.max(3.5, Math.min(side * 0.28, 14));
      const middleX = x + side / 2;
      const middleY = y + side / 2;
      context.beginPath();
      context.moveTo(middleX - reach, middleY - reach);
      context.lineTo(middleX + reach, middleY + reach);
      context.moveTo(middleX + reach, middleY - reach);
      context.lineTo(middleX - reach, middleY + reach);
      context.lineWidth = 5;
      context.strokeStyle = "#fff";
      context.stroke();
      context.lineWidth = 2;
      context.strokeStyle = "#000";
      context.stroke();
    }
  }

  /** Where a point of the picture is on the canvas. The first unit's middle is at (1, 1), and y grows upwards. */
  placeOf(index) {
    const { points } = this.model;
    return this.rectangle(points.x[index] - 0.5, this.layout.height - points.y[index] + 0.5, 0, 0);
  }

  drawPoints(context) {
    const { points, grid } = this.model;
    if (!grid || points.count === 0) return;
    // Rings, so that what is within can be seen; where they would hide all, dots.
    const { layout, view } = this;
    const isCrowded = layout.width * layout.height * view.scale ** 2 / points.count < 400;
    const reach = isCrowded ? 1.2 : Math.max(3.5, Math.min(9, 5 * this.view.scale));
    context.beginPath();
    for (let index = 0; index < points.count; index++) {
      const [x, y] = this.placeOf(index);
      if (x < -9 || y < -9 || x > this.view.width + 9 || y > this.view.height + 9) continue;
      if (reach < 3) {
        context.rect(x - reach, y - reach, 2 * reach, 2 * reach);
      } else {
        context.moveTo(x + reach, y);
        context.arc(x, y, reach, 0, 2 * Math.PI);
      }
    }
    if (reach < 3) {
      context.fillStyle = pointColor;
      context.fill();
    } else {
      context.lineWidth = 1.4;
      context.strokeStyle = pointColor;
      context.stroke();
    }
  }

  /** Points light up as they are found. */
  drawFresh(context) {
    const { points, grid } = this.model;
    if (!grid) return;
    context.fillStyle = "rgb(255 250 190 / 90%)";
    const first = Math.max(points.firstFresh, points.count - 2000);
    for (let index = first; index < points.count; index++) {
      const [x, y] = this.placeOf(index);
      context.beginPath();
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.fill();
    }
  }

  drawSelection(context) {
    if (this.selected < 0 || this.selected >= this.model.field.count) return;
    const [x, y, side] = this.rectangle(...this.worldOf(this.selected));
    const margin = Math.max(0, (9 - side) / 2);
    const box = [x - margin, y - margin, side + 2 * margin, side + 2 * margin];
    context.lineWidth = 4;
    context.strokeStyle = "#000";
    context.strokeRect(...box);
    context.lineWidth = 2;
    context.strokeStyle = "#fff";
    context.strokeRect(...box);
  }

  /** The cell at a point of the canvas, or -1. */
  cellAt(x, y) {
    const { layout, view } = this;
    if (!layout) return -1;
    const [worldX, worldY] = view.toWorld(x, y);
    if (worldX < 0 || worldY < 0 || worldX >= layout.width || worldY >= layout.height) return -1;
    const column = Math.floor(worldX / layout.unit);
    const row = Math.floor((worldY - layout.top) / layout.unit);
    if (column >= layout.columns || row < 0 || row >= layout.rows) return -1;
    return layout.cellAt(column, row);
  }

  /** The cell beside the selected one; the first in sight if none is selected. */
  neighbour(columns, rows) {
    const { layout, seen } = this;
    if (!layout) return -1;
    if (this.selected < 0) {
      // The first in sight that is a cell: blocks of slots begin with a title.
      for (let row = seen.top; row <= seen.bottom; row++) {
        if (layout.cellAt(seen.left, row) >= 0) return layout.cellAt(seen.left, row);
      }
      return -1;
    }
    const [x, y] = this.worldOf(this.selected);
    let column = Math.round(x / layout.unit);
    let row = Math.round((y - layout.top) / layout.unit);
    // Blocks of slots have titles and gaps between them.
    for (let step = 0; step < Math.max(layout.columns, layout.rows); step++) {
      column += columns;
      row += rows;
      if (column < 0 || row < 0 || column >= layout.columns || row >= layout.rows) return this.selected;
      const cell = layout.cellAt(column, row);
      if (cell >= 0 && cell !== this.selected) return cell;
    }
    return this.selected;
  }

  select(cell) {
    this.selected = cell;
    if (cell >= 0 && cell < (this.model?.field.count ?? 0)) this.view.reveal(...this.worldOf(cell));
  }
}

"""####),
    PageFile(name: "style.css", text: ####"""
/* Colours are those of Okabe & Ito where they tell something; texts have a contrast of at least 4.5. */
:root {
  color-scheme: light dark;
  --ground: #f3f4f7;
  --panel: #ffffff;
  --text: #14171f;
  --soft: #565d6d;
  --line: #d6dae2;
  --accent: #00548a;
  --fault: #a33b00;
  --bar: #0072b2;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1117;
    --panel: #181b23;
    --text: #e9ecf3;
    --soft: #a4acbc;
    --line: #323846;
    --accent: #7cc6f2;
    --fault: #ff9d5c;
    --bar: #56b4e9;
  }
}

* { box-sizing: border-box; }

[hidden] { display: none !important; }

body {
  margin: 0 auto;
  padding: 0 1rem 1rem;
  max-width: 110rem;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}

h1, h2, h3, p, dl, dd, ul, ol { margin: 0; }
h1 { font-size: 1.15rem; font-weight: 600; }
h2 { font-size: 1rem; font-weight: 600; }
h3 { font-size: .95rem; }
.brand { color: var(--accent); }
.hint, footer { color: var(--soft); font-size: .85rem; }
.fault { color: var(--fault); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip { position: absolute; left: -999px; padding: .5rem 1rem; background: var(--panel); color: var(--text); z-index: 2; }
.skip:focus { left: 1rem; top: .5rem; }

button, select {
  min-height: 2rem;
  padding: .15rem .7rem;
  border: 1px solid var(--soft);
  border-radius: 6px;
  background: var(--panel);
  color: var(--text);
  font: inherit;
  cursor: pointer;
}

button:hover { border-color: var(--accent); }

header {
  display: flex;
  flex-wrap: wrap;
  gap: .2rem 1rem;
  align-items: baseline;
  justify-content: space-between;
  padding: .7rem 0 .5rem;
}

#connection { color: var(--soft); }
#connection .dot { display: inline-block; width: .65rem; height: .65rem; margin-right: .4rem; border: 2px solid var(--soft); border-radius: 50%; }
#connection[data-state="live"] .dot { background: #009e73; border-color: #009e73; }
#connection[data-state="lost"] { color: var(--fault); font-weight: 600; }
#connection[data-state="lost"] .dot { border-radius: 0; background: var(--fault); border-color: var(--fault); }
body.old main, body.old #indicators { opacity: .55; }

section, #moment {
  padding: .7rem .9rem .8rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--panel);
  min-width: 0;
  /* What changes in one part is no matter of the others. */
  contain: layout style;
}

#indicators { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; justify-content: space-between; margin-bottom: .8rem; }
#indicators dl { display: flex; flex-wrap: wrap; gap: .4rem 1.1rem; flex: 0 1 auto; }
#indicators dt { color: var(--soft); font-size: .8rem; }
#indicators dd { font-size: 1.15rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
#indicators .wide { min-width: 9.5rem; }
progress { display: block; width: 100%; height: .45rem; border: 0; border-radius: 3px; background: var(--line); overflow: hidden; appearance: none; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--bar); }
progress::-moz-progress-bar { background: var(--bar); }

#collaboration { display: flex; gap: .5rem; align-items: center; max-width: 100%; min-height: 2.6rem; flex: 1 1 15rem; justify-content: flex-end; }
#collaboration svg { flex: none; }
#collaboration .device { fill: none; stroke: var(--soft); stroke-width: 2; }
#collaboration .sector-out { fill: #d55e00; opacity: 0; }
#collaboration .sector-back { fill: var(--bar); opacity: 0; }
#collaboration[data-moving="yes"] .device { stroke: var(--bar); }
#collaboration[data-moving="yes"] .sector-out { opacity: 1; animation: out 1.6s linear infinite; }
#collaboration[data-moving="yes"] .sector-back { opacity: 1; animation: back 1.6s linear .8s infinite; }
@keyframes out { from { transform: translateX(0); } to { transform: translateX(48px); } }
@keyframes back { from { transform: translateX(0); } to { transform: translateX(-48px); } }

main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .8rem; align-items: start; }
#side { display: grid; gap: .8rem; min-width: 0; }
#timeline-section, #moment, #slow-section { grid-column: 1 / -1; }
.title { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: center; min-height: 2.2rem; }
.title > :last-child:not(h2) { margin-left: auto; }
.title p { color: var(--soft); font-size: .85rem; }
.buttons { display: flex; gap: .3rem; }
.buttons button { min-width: 2.4rem; font-weight: 600; }

#sky-frame { position: relative; height: min(60vh, 36rem); border-radius: 6px; overflow: hidden; background: #0c0e14; }
#sky-frame:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; }
#sky, #pulse, #marks { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
#sky { cursor: crosshair; touch-action: pan-y; outline: none; }
#marks { pointer-events: none; }
#pulse { pointer-events: none; animation: pulse 1.1s ease-in-out infinite alternate; will-change: opacity; }
@keyframes pulse { from { opacity: 1; } to { opacity: .35; } }
body.old #pulse { animation: none; opacity: .5; }
#under-pointer { min-height: 1.4em; font-size: .85rem; color: var(--soft); }
#details h3 { margin-top: .4rem; }
#details p, #details li { white-space: pre-line; overflow-wrap: anywhere; }
code { padding: .05rem .35rem; border-radius: 4px; background: var(--ground); font: .9em ui-monospace, "DejaVu Sans Mono", monospace; }

table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
/* Columns whose widths do not follow their texts: these change four times a second. */
#systems { table-layout: fixed; min-width: 33rem; }
#systems th:nth-child(1) { width: 14%; }
#systems th:nth-child(2) { width: 20%; }
#systems .slots span { white-space: nowrap; }
#systems th:nth-child(7) { width: 8%; }
/* Nodes do not tell how long scans take. */
body[data-kind="cluster"] #systems :is(th, td):nth-child(8), body[data-kind="node"] #systems :is(th, td):nth-child(8) { display: none; }
body[data-kind="cluster"] #systems th:nth-child(2), body[data-kind="node"] #systems th:nth-child(2) { width: 26%; }
#systems th:nth-child(9) { width: 12%; }
th { text-align: left; font-weight: 600; }
thead th { color: var(--soft); font-size: .75rem; font-weight: 400; white-space: nowrap; }
th, td { padding: .25rem .5rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
#systems .number { white-space: nowrap; }
.swatch { width: 14px; height: 14px; margin-right: .45rem; border-radius: 3px; vertical-align: -2px; }
.bar { display: block; width: 90%; height: .4rem; border: 0; background: var(--line); appearance: none; }
.bar::-webkit-meter-bar { height: .4rem; border: 0; border-radius: 2px; background: var(--line); }
.bar::-webkit-meter-optimum-value { background: var(--bar); border-radius: 2px; }
.bar::-moz-meter-bar { background: var(--bar); }
.spark { display: block; width: 100%; max-width: 8rem; height: 22px; }
tr[data-state="gone"] .name span, tr[data-state="absent"] .name span { text-decoration: line-through; color: var(--soft); }
tr[data-state="gone"] .state, tr[data-state="silent"] .state, tr[data-state="paused"] .state, tr[data-state="unsuited"] .state { color: var(--fault); font-weight: 600; }

#engagements { padding: 0; list-style: none; }
#engagements li { padding: .3rem 0; }
#timeline-frame { max-height: 24rem; overflow: auto; }
#timeline { display: block; width: 100%; height: 100px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
.legend canvas { width: 26px; height: 14px; vertical-align: -2px; }
#failures { max-height: 14rem; padding: 0; overflow: auto; list-style: none; }
#failures button { width: 100%; margin: .15rem 0; text-align: left; }
#log { max-height: 16rem; padding: 0; overflow: auto; list-style: none; font-size: .9rem; }
#log time { color: var(--soft); font-variant-numeric: tabular-nums; }
#log .fault::before { content: "! "; font-weight: 700; }

.slider { display: flex; gap: .8rem; align-items: center; flex-wrap: wrap; }
.slider input { flex: 1 1 14rem; accent-color: var(--bar); min-height: 2rem; }
.slider output { font-variant-numeric: tabular-nums; min-width: 13rem; }
#moment { position: sticky; top: 0; z-index: 1; }
#slow { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: .8rem 1.6rem; align-items: start; }
.figures { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; }
.figures dt { color: var(--soft); font-size: .8rem; }
.scrolling { overflow: auto; max-height: 24rem; }
.plain td, .plain th { white-space: nowrap; }
.plain button { min-height: 1.5rem; padding: 0 .5rem; }
#slow > :first-child { grid-column: 1 / -1; }
caption { text-align: left; font-weight: 600; padding-bottom: .2rem; }
.warning { padding: 1rem; }
footer { padding-top: .8rem; }

.of-report, .of-cluster { display: none; }
body[data-kind="report"] .of-report, body[data-kind="cluster"] .of-cluster, body[data-kind="node"] .of-cluster { display: block; }
body[data-kind="cluster"] .not-cluster, body[data-kind="node"] .not-cluster,
body[data-kind="cluster"] .of-run, body[data-kind="node"] .of-run { display: none; }

@media (max-width: 68rem) {
  main { grid-template-columns: minmax(0, 1fr); }
}

/* A phone: the rows of the table become cards; their roles stay. */
@media (max-width: 42rem) {
  body { padding: 0 .5rem .5rem; font-size: 14px; }
  section { padding: .5rem .6rem; }
  #indicators dl { display: grid; grid-template-columns: 1fr 1fr; gap: .3rem .8rem; flex-basis: 100%; }
  #indicators .wide { grid-column: 1 / -1; }
  #indicators dd { font-size: 1.05rem; }
  #sky-frame { height: 56vh; }
  #systems thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  #systems tr { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0 .6rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  #systems tbody, #systems { display: block; min-width: 0; }
  #systems th, #systems td { display: block; padding: .1rem 0; border: 0; }
  #systems .name, #systems .state { grid-column: 1 / -1; }
  #systems tr th:nth-child(1) { width: auto; }
  #collaboration { justify-content: flex-start; }
  #systems td:not(.state)::before { content: attr(data-label); display: block; color: var(--soft); font-size: .75rem; }
  #systems-section .scrolling { max-height: none; }
  .bar { width: 100%; }
  .spark-cell { grid-column: span 2; }
  .spark { width: 100%; }
  button { min-height: 2.6rem; }
}

@media (prefers-reduced-motion: reduce) {
  *, #pulse, #collaboration[data-moving="yes"] .sector-out, #collaboration[data-moving="yes"] .sector-back { animation: none; }
  #collaboration[data-moving="yes"] .sector-out { transform: translateX(24px); }
}

"""####),
    PageFile(name: "systems.js", text: ####"""
"use strict";
// The table of systems: a row each, whose elements stay and only change their texts.

class SystemsTable {
  /** More rows would be read by nobody, and cost layout. */
  static mostRows = 60;
  /** More rows at once would take longer than a frame may. */
  static rowsAtOnce = 12;

  constructor(table) {
    this.body = table.tBodies[0];
    this.rows = new Map();
    this.none = byID("systems-none");
    this.more = byID("systems-more");
  }

  /** Puts the rows in order, and returns what fills them, some rows each. */
  parts(model) {
    const shown = this.shown(model);
    const all = model.systems.reduce((sum, system) => sum + system.tasks, 0);
    this.none.hidden = shown.length > 0;
    const count = model.systems.filter((system) => system.name !== "").length;
    setText(this.more, count > shown.length ? `the busiest, and ${whole(count - shown.length)} more` : "");
    const present = new Set(shown);
    for (const [row, cells] of this.rows) {
      if (present.has(row)) continue;
      cells.line.remove();
      this.rows.delete(row);
    }
    shown.forEach((row, at) => {
      let cells = this.rows.get(row);
      if (!cells) this.rows.set(row, cells = this.makeRow(row));
      if (this.body.children[at] !== cells.line) this.body.insertBefore(cells.line, this.body.children[at] ?? null);
      cells.system = model.systems[row];
      // A row is never without a name, though the rest of it comes a frame later.
      setText(cells.name, cells.system.name);
    });
    const parts = [];
    for (let at = 0; at < shown.length; at += SystemsTable.rowsAtOnce) {
      const rows = shown.slice(at, at + SystemsTable.rowsAtOnce);
      parts.push(() => this.fillRows(rows, all, model));
    }
    return parts;
  }

  fillRows(rows, all, model) {
    for (const row of rows) {
      const cells = this.rows.get(row);
      if (cells) this.fill(cells, cells.system, all, model);
    }
  }

  shown(model) {
    const rows = model.systems.map((_, row) => row).filter((row) => model.systems[row].name !== "");
    if (rows.length <= SystemsTable.mostRows) return rows;
    const weight = (row) => {
      const system = model.systems[row];
      return system.rate + (system.state === "present" || system.state === "gone" ? 0 : 1e9);
    };
    return rows.sort((left, right) => weight(right) - weight(left)).slice(0, SystemsTable.mostRows)
      .sort((left, right) => left - right);
  }

  makeRow(row) {
    const line = make("tr");
    line.setAttribute("role", "row");
    const cell = (label, className, tag = "td") => {
      const element = make(tag, className);
      element.dataset.label = label;
      element.setAttribute("role", tag === "th" ? "rowheader" : "cell");
      line.append(element);
      return element;
    };
    const header = cell("System", "name", "th");
    header.scope = "row";
    const swatch = make("canvas", "swatch");
    swatch.width = swatch.height = 28;
    swatch.setAttribute("aria-hidden", "true");
    fillSystem(swatch.getContext("2d"), row, 0, 0, 28, 28);
    const name = make("span");
    header.append(swatch, name);
    const state = cell("State", "state");
    const slots = cell("Slots", "slots");
    const slotsText = make("span");
    const bar = make("meter", "bar");
    bar.min = 0;
    bar.setAttribute("aria-hidden", "true");
    slots.append(slotsText, bar);
    const cells = {
      line, header, name, state, slots: slotsText, bar,
      rate: cell("Tasks/s", "number"), done: cell("Done", "number"), retried: cell("Retried"),
      share: cell("Share", "number"), latency: cell("Latency", "number"), spark: null, drawn: "",
    };
    const last = cell("Last minute", "spark-cell");
    cells.spark = make("canvas", "spark");
    cells.spark.width = 236;
    cells.spark.height = 44;
    cells.spark.setAttribute("role", "img");
    cells.spark.setAttribute("aria-label", "nothing yet");
    last.append(cells.spark);
    cells.row = row;
    return cells;
  }

  fill(cells, system, all, model) {
    const title = [system.address, system.version && `version ${system.version}`].filter(Boolean).join(", ");
    if (cells.header.title !== title) cells.header.title = title;
    if (cells.line.dataset.state !== system.state) cells.line.dataset.state = system.state;
    const state = system.note && system.state !== "present" && !system.note.startsWith(system.state)
      ? `${system.state}: ${system.note}` : system.note || system.state;
    // A run hands out more than there are slots, so that none stands empty between two scans.
    const busy = system.slots > 0 ? Math.min(system.inFlight, system.slots) : system.inFlight;
    const ahead = (system.waiting ?? 0) + system.inFlight - busy;
    const waiting = ahead > 0 ? `, ${whole(ahead)} waiting` : "";
    const load = system.load === null || system.load === undefined ? "" : `, load ${system.load.toFixed(1)}`;
    setText(cells.state, state + waiting + load);
    const slots = system.slots > 0 ? `${whole(busy)} of ${whole(system.slots)}` : whole(busy);
    setText(cells.slots, slots);
    cells.bar.hidden = system.slots === 0;
    const max = Math.max(1, system.slots);
    if (cells.bar.max !== max) cells.bar.max = max;
    const value = Math.min(max, system.inFlight);
    if (cells.bar.value !== value) cells.bar.value = value;
    setText(cells.rate, rateText(system.rate));
    const done = model.kind === "run" || model.kind === "report" ? system.completed : system.tasks;
    setText(cells.done, whole(done));
    const lost = system.lost > 0 ? `, ${whole(system.lost)} lost` : "";
    setText(cells.retried, `${whole(system.retried)}${lost}`);
    setText(cells.share, all > 0 ? `${Math.round(100 * system.tasks / all)} %` : "–");
    setText(cells.latency, system.latency > 0 ? duration(system.latency) : "–");
    this.drawSpark(cells, system);
  }

  drawSpark(cells, system) {
    const { history } = system;
    const key = `${history.join(" ")} ${inks.line}`;
    if (cells.drawn === key) return;
    cells.drawn = key;
    const most = Math.max(1e-9, ...history);
    const { width, height } = cells.spark;
    const context = cells.spark.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.fillStyle = inks.line;
    context.fillRect(0, height - 2, width, 2);
    context.fillStyle = css(systemColor(cells.row));
    const step = width / Math.max(1, history.length);
    history.forEach((count, at) => {
      const tall = count / most * (height - 4);
      if (tall > 0) context.fillRect(at * step, height - 2 - tall, Math.max(1, step - 1), tall);
    });
    const label = `${rateText(history.at(-1) ?? 0)} lately, at most ${rateText(Math.max(0, ...history))}`;
    cells.spark.setAttribute("aria-label", label);
  }

  /** Rows are drawn anew where the scheme has changed. */
  redraw() {
    for (const cells of this.rows.values()) cells.drawn = "";
  }
}

"""####),
    PageFile(name: "text.js", text: ####"""
"use strict";
// Text and numbers as people read them.

/** A peer's text, with what would steer the reading (control and direction characters) written out. */
function plain(text) {
  return String(text ?? "").replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** The same with its lines, such as what a program wrote to standard error. */
function plainLines(text) {
  return String(text ?? "").split("\n").map(plain).join("\n");
}

const wholeNumbers = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 12345 as 12,345. */
function whole(number) {
  return wholeNumbers.format(number);
}

/** "sector 3" as "Sector 3". */
function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "1 system", "2 systems"; a noun with another plural is {one, many}. */
function counted(number, noun) {
  const { one, many } = typeof noun === "string" ? { one: noun, many: `${noun}s` } : noun;
  return `${whole(number)} ${number === 1 ? one : many}`;
}

/** A rate: a tenth where it tells something. */
function rateText(rate) {
  return rate < 100 ? rate.toFixed(1) : whole(Math.round(rate));
}

function percent(part, all) {
  if (!(all > 0)) return "–";
  const share = 100 * part / all;
  // Not all is not 100 %.
  return share >= 10 ? `${Math.floor(share)} %` : `${(Math.floor(share * 10) / 10).toFixed(1)} %`;
}

/** A duration in seconds: "0.3 s", "12 s", "4 min 5 s", "2 h 10 min". */
function duration(seconds) {
  if (seconds < 0.0995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  const parts = (first, name, second, other) => `${first} ${name}${second > 0 ? ` ${second} ${other}` : ""}`;
  if (rounded < 3600) return parts(Math.floor(rounded / 60), "min", rounded % 60, "s");
  if (rounded < 48 * 3600) {
    return parts(Math.floor(rounded / 3600), "h", Math.floor(rounded % 3600 / 60), "min");
  }
  return parts(Math.floor(rounded / 86400), "d", Math.floor(rounded % 86400 / 3600), "h");
}

/** The time of day, of seconds since 1970. */
function clockTime(seconds) {
  return new Date(seconds * 1000).toTimeString().slice(0, 8);
}

/** "a", "a and b", "a, b and 3 more". */
function listed(names, most = 3) {
  if (names.length <= 1) return names.join("");
  if (names.length <= most) return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
}

/** A path that is cut where it is long. Its end stays, since the file's name tells most. */
function pathEnd(path, most = 48) {
  const characters = [...path];
  return characters.length > most ? `…${characters.slice(1 - most).join("")}` : path;
}

/** Sets an element's text if it is another one: setting the same text would cost a layout. */
function setText(element, text) {
  if (element.shown === text) return;
  element.shown = text;
  const { firstChild } = element;
  // To change a text takes half as long as to replace it.
  if (firstChild !== null && firstChild === element.lastChild && firstChild.nodeType === Node.TEXT_NODE) {
    firstChild.data = text;
  } else {
    element.textContent = text;
  }
}

/** A new element with a class and a text. */
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) setText(element, text);
  return element;
}

function byID(id) {
  return document.getElementById(id);
}

"""####),
    PageFile(name: "timeline.js", text: ####"""
"use strict";
// The time line: a lane for each system, and in it each attempt as a bar, or, where there are too many, how many
// ended over time.

/** Draws one attempt: what it came to is told by its shape as well as its colour. */
function drawAttempt(context, row, { ending, isRetry, isHedge }, x, y, width, height) {
  const wide = Math.max(1.5, width);
  switch (ending) {
    case endings.done:
      fillSystem(context, row, x, y, wide, height);
      break;
    case endings.failed:
      context.fillStyle = inks.text;
      context.fillRect(x, y, wide, height);
      cross(context, inks.ground, x + wide / 2, y + height / 2, Math.min(wide, height) / 3);
      break;
    case endings.lost:
      context.strokeStyle = inks.text;
      context.lineWidth = 1.2;
      context.strokeRect(x + 0.6, y + 0.6, Math.max(1, wide - 1.2), Math.max(1, height - 1.2));
      cross(context, inks.text, x + wide / 2, y + height / 2, Math.min(wide, height) / 3);
      break;
    case endings.withdrawn:
      context.fillStyle = inks.soft;
      context.fillRect(x, y + height / 2 - 1, wide, 2);
      break;
    case endings.open:
      context.strokeStyle = css(systemColor(row));
      context.lineWidth = 1.5;
      context.strokeRect(x + 0.75, y + 0.75, Math.max(1, wide - 1.5), Math.max(1, height - 1.5));
      break;
  }
  if (isHedge) {
    // Two lines through the bar: there are two copies.
    context.fillStyle = inks.ground;
    context.fillRect(x, y + height * 0.3, wide, Math.max(1, height * 0.12));
    context.fillRect(x, y + height * 0.6, wide, Math.max(1, height * 0.12));
  } else if (isRetry) {
    // A notch at its beginning.
    context.fillStyle = inks.text;
    context.fillRect(x, y, Math.min(3, wide), height);
  }
}

function cross(context, ink, x, y, reach) {
  if (reach < 1.5) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.3;
  context.beginPath();
  context.moveTo(x - reach, y - reach);
  context.lineTo(x + reach, y + reach);
  context.moveTo(x + reach, y - reach);
  context.lineTo(x - reach, y + reach);
  context.stroke();
}

/** Marks of what came over a system. */
function drawPresence(context, kind, x, y, height) {
  context.fillStyle = inks.text;
  context.strokeStyle = inks.text;
  const middle = y + height / 2;
  if (kind === "joined") {
    context.beginPath();
    context.moveTo(x, y + 1);
    context.lineTo(x + 7, middle);
    context.lineTo(x, y + height - 1);
    context.fill();
  } else if (kind === "gone") {
    context.fillRect(x - 1, y, 2, height);
    cross(context, inks.text, x, middle, 5);
  } else if (kind === "silent") {
    for (let at = 0; at < height; at += 4) context.fillRect(x - 1, y + at, 2, 2);
  } else {
    context.fillRect(x - 0.5, y, 1, height);
  }
}

class Timeline {
  /** More attempts in sight are drawn as counts. */
  static mostBars = 2000;
  static mostLanes = 40;

  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.width = 600;
    this.ratio = 1;
    this.window = 0;
    this.height = 0;
    this.isOfBars = true;
  }

  resize(width) {
    this.width = Math.max(200, width);
    this.ratio = canvasScale();
    this.height = 0;
  }

  /** The systems that have a lane: where there are too many, those with most tasks. */
  lanes(model) {
    const rows = model.systems.map((_, row) => row).filter((row) => model.systems[row].name !== "");
    if (rows.length <= Timeline.mostLanes) return rows;
    return rows.sort((left, right) => model.systems[right].tasks - model.systems[left].tasks)
      .slice(0, Timeline.mostLanes).sort((left, right) => left - right);
  }

  /** The times in sight. */
  range(model) {
    const isReport = model.kind === "report";
    const all = Math.max(isReport ? model.length : model.now, 0.5);
    if (this.window === 0 || this.window >= all) return [0, all];
    if (!isReport) return [model.now - this.window, model.now];
    const from = Math.max(0, Math.min(all - this.window, model.now - this.window / 2));
    return [from, from + this.window];
  }

  draw(model) {
    const rows = this.lanes(model);
    const lane = rows.length <= 8 ? Math.max(24, Math.min(48, 240 / Math.max(1, rows.length))) : 18;
    const height = Math.ceil(rows.length * lane + 24);
    if (height !== this.height) {
      this.height = height;
      this.canvas.width = Math.round(this.width * this.ratio);
      this.canvas.height = Math.round(height * this.ratio);
      this.canvas.style.height = `${height}px`;
    }
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, height);
    const [from, to] = this.range(model);
    const left = Math.min(110, this.width * 0.24);
    const scale = { from, to, left, perSecond: (this.width - left - 8) / (to - from) };
    this.drawAxis(context, scale, rows.length * lane);
    this.drawNames(context, model, rows, lane, left);
    const bars = this.bars(model, scale);
    this.isOfBars = bars !== null;
    if (bars) this.drawBars(context, model, rows, lane, scale, bars);
    else this.drawCounts(context, model, rows, lane, scale);
    rows.forEach((row, at) => this.drawMarks(context, model.systems[row], at * lane + 3, lane - 6, scale));
    if (model.kind === "report") this.drawMoment(context, model.now, scale, rows.length * lane);
  }

  x(scale, time) {
    return scale.left + (Math.min(scale.to, Math.max(scale.from, time)) - scale.from) * scale.perSecond;
  }

  drawAxis(context, scale, bottom) {
    const steps = [
      0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400,
      43_200, 86_400, 604_800,
    ];
    const step = steps.find((step) => step * scale.perSecond >= 80) ?? steps.at(-1);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "top";
    for (let at = Math.ceil(scale.from / step) * step; at <= scale.to; at += step) {
      const x = Math.round(this.x(scale, at));
      context.fillStyle = inks.line;
      context.fillRect(x, 0, 1, bottom + 4);
      context.fillStyle = inks.soft;
      const text = at < step / 2 ? "0" : duration(at);
      context.fillText(text, Math.min(x, this.width - 8 * text.length), bottom + 7);
    }
  }

  drawNames(context, model, rows, lane, left) {
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const room = Math.floor((left - 26) / 7);
    rows.forEach((row, at) => {
      const system = model.systems[row];
      const isThere = system.state !== "gone" && system.state !== "absent";
      context.fillStyle = inks.line;
      context.fillRect(0, (at + 1) * lane - 0.5, this.width, 1);
      fillSystem(context, row, 0, at * lane + lane / 2 - 6, 12, 12);
      context.fillStyle = isThere ? inks.text : inks.soft;
      const name = system.name.length > room ? `${system.name.slice(0, room - 1)}…` : system.name;
      context.fillText(name, 18, at * lane + lane / 2);
    });
  }

  /** The indexes of the attempts in sight, or null if they are too many or not all known. */
  bars(model, scale) {
    if (model.attemptsKnownFrom > scale.from) return null;
    const { attempts } = model;
    const found = [];
    for (let at = 0; at < attempts.count; at++) {
      if (attempts.ended[at] < scale.from || attempts.began[at] > scale.to) continue;
      found.push(at);
      if (found.length > Timeline.mostBars) return null;
    }
    return found.sort((left, right) => attempts.began[left] - attempts.began[right]);
  }

  drawBars(context, model, rows, lane, scale, bars) {
    const { attempts, flying } = model;
    const lines = this.lines(model, bars);
    const place = new Map(rows.map((row, at) => [row, at]));
    const draw = (from, index, line) => {
      const row = from.system[index];
      if (!place.has(row)) return;
      const height = (lane - 4) / lines.count[row];
      const x = this.x(scale, from.began[index]);
      drawAttempt(
        context, row,
        {
          ending: from.ending[index], isRetry: from.attempt[index] > 1 && !from.isHedge[index],
          isHedge: from.isHedge[index] === 1,
        },
        x, place.get(row) * lane + 2 + line * height,
        // A fault can be brief, and is to be seen.
        Math.max(isFault(from, index) ? 5 : 1, this.x(scale, from.ended[index]) - x - 0.5),
        Math.max(1.5, height - 1));
    };
    const isFault = (from, index) => from.ending[index] === endings.failed || from.ending[index] === endings.lost;
    bars.forEach((index, at) => { if (!isFault(attempts, index)) draw(attempts, index, lines.ofBar[at]); });
    bars.forEach((index, at) => { if (isFault(attempts, index)) draw(attempts, index, lines.ofBar[at]); });
    for (let index = 0; index < flying.count; index++) draw(flying, index, lines.ofFlight[index]);
  }

  /** Gives each attempt a line of its lane that is free meanwhile. */
  lines(model, bars) {
    const { attempts, flying } = model;
    const ends = model.systems.map(() => []);
    const count = model.systems.map((system) => Math.max(1, Math.min(system.slots, 16)));
    const take = (from, index) => {
      const free = ends[from.system[index]];
      if (!free) return 0;
      let line = free.findIndex((end) => end <= from.began[index] + 0.002);
      if (line < 0) line = free.length;
      free[line] = from.ended[index];
      count[from.system[index]] = Math.max(count[from.system[index]], line + 1);
      return line;
    };
    return {
      ofBar: bars.map((index) => take(attempts, index)),
      ofFlight: Array.from({ length: flying.count }, (_, index) => take(flying, index)),
      count,
    };
  }

  drawCounts(context, model, rows, lane, scale) {
    const wide = 2;
    const columns = Math.floor((this.width - scale.left - 8) / wide);
    const span = wide / scale.perSecond;
    let most = 1e-9;
    for (const row of rows) {
      const { lane: counts } = model.systems[row];
      for (let at = 0; at < columns; at++) {
        most = Math.max(most, counts.density(counts.done, scale.from + at * span, span));
      }
    }
    rows.forEach((row, index) => {
      const { lane: counts } = model.systems[row];
      const top = index * lane + 2;
      const room = lane - 4;
      // One outline a lane: thousands of rectangles would take longer than a frame has.
      context.beginPath();
      context.moveTo(scale.left, top + room);
      for (let at = 0; at < columns; at++) {
        const done = counts.density(counts.done, scale.from + at * span, span) / most * room;
        const y = top + room - (done > 0 ? Math.max(1, done) : 0);
        context.lineTo(scale.left + at * wide, y);
        context.lineTo(scale.left + (at + 1) * wide, y);
      }
      context.lineTo(scale.left + columns * wide, top + room);
      context.fillStyle = css(systemColor(row));
      context.fill();
      if (systemStripes(row) > 0) stripeAlong(context, row, scale.left, top, columns * wide, room);
      context.fillStyle = inks.text;
      for (let at = 0; at < columns; at++) {
        const time = scale.from + at * span;
        const bad = (counts.density(counts.failed, time, span)
          + counts.density(counts.lost, time, span)) / most * room;
        if (bad > 0) context.fillRect(scale.left + at * wide, top, wide, Math.max(3, Math.min(room, bad)));
      }
    });
  }

  drawMarks(context, system, y, height, scale) {
    for (const mark of system.marks) {
      if (mark.at < scale.from || mark.at > scale.to) continue;
      drawPresence(context, mark.kind, this.x(scale, mark.at), y, height);
    }
  }

  drawMoment(context, now, scale, bottom) {
    const x = Math.round(this.x(scale, now));
    context.fillStyle = inks.text;
    context.fillRect(x - 1, 0, 2, bottom + 4);
  }

  /** The time of a point of the canvas, or null beside the lanes. */
  timeAt(model, x) {
    const [from, to] = this.range(model);
    const left = Math.min(110, this.width * 0.24);
    if (x < left) return null;
    return from + (x - left) / (this.width - left - 8) * (to - from);
  }

  /** What the canvas shows, in words. */
  description(model) {
    const joined = [];
    const gone = [];
    for (const system of model.systems) {
      for (const mark of system.marks) {
        if (mark.at > model.now) continue;
        if (mark.kind === "joined") joined.push(`${system.name} joined at ${duration(mark.at)}`);
        if (mark.kind === "gone") gone.push(`${system.name} was gone at ${duration(mark.at)}`);
      }
    }
    return [
      `Attempts of ${counted(model.systems.length, "system")} over ${duration(model.now)}`,
      this.isOfBars ? "each a bar" : "counted together",
      `${counted(model.hedged, "hedge")}, ${whole(model.retried)} retried`,
      ...joined.slice(-3), ...gone.slice(-3),
    ].join("; ");
  }
}

/** Stripes over a long lane, as the swatch has them. */
function stripeAlong(context, row, x, y, width, height) {
  context.fillStyle = inks.ground;
  if (systemStripes(row) === 1) {
    for (let at = 3; at < height; at += 6) context.fillRect(x, y + at, width, 1.5);
  } else {
    for (let at = 3; at < width; at += 8) context.fillRect(x + at, y, 2, height);
  }
}

/** Draws the legend's marks; anew in another scheme. */
function drawLegend() {
  for (const canvas of document.querySelectorAll("canvas[data-mark]")) {
    const ratio = 2;
    canvas.width = 26 * ratio;
    canvas.height = 14 * ratio;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const mark = canvas.dataset.mark;
    if (mark === "joined" || mark === "gone" || mark === "silent") {
      drawPresence(context, mark, 10, 1, 12);
      continue;
    }
    const ending = endings[mark === "flying" ? "open" : mark] ?? endings.done;
    drawAttempt(
      context, 0, { ending, isRetry: mark === "retry", isHedge: mark === "hedge" }, 1, 1, 24, 12);
  }
}

"""####),
    PageFile(name: "view.js", text: ####"""
"use strict";
// Which part of the world a canvas shows: zoom and pan as arithmetic.

class View {
  constructor() {
    this.width = 1;
    this.height = 1;
    this.setWorld(1, 1, 1);
  }

  /** Shows all of a world in which cells are so wide; `finest` is how many points a unit may come to cover. */
  setWorld(width, height, unit, finest = 0) {
    this.worldWidth = width;
    this.worldHeight = height;
    this.finest = Math.max(finest, 120 / unit);
    // A few cells need not fill the window, and a small picture may.
    this.largest = finest > 0 ? Infinity : 120 / unit;
    this.fit();
  }

  resize(width, height) {
    const isFitted = this.isFitted;
    const [x, y] = this.toWorld(this.width / 2, this.height / 2);
    this.width = width;
    this.height = height;
    if (isFitted) this.fit();
    else this.center(x, y);
  }

  get fitting() {
    return Math.min(this.largest, this.width / this.worldWidth, this.height / this.worldHeight);
  }

  get isFitted() {
    return this.scale <= this.fitting * 1.001;
  }

  fit() {
    this.scale = this.fitting;
    this.x = 0;
    this.y = 0;
    this.clamp();
  }

  toWorld(x, y) {
    return [this.x + x / this.scale, this.y + y / this.scale];
  }

  center(x, y) {
    this.x = x - this.width / 2 / this.scale;
    this.y = y - this.height / 2 / this.scale;
    this.clamp();
  }

  /** Zooms so that what is at a point stays there. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const [worldX, worldY] = this.toWorld(x, y);
    const most = Math.max(this.fitting, this.finest);
    this.scale = Math.min(most, Math.max(this.fitting, this.scale * factor));
    this.x = worldX - x / this.scale;
    this.y = worldY - y / this.scale;
    this.clamp();
  }

  pan(x, y) {
    this.x -= x / this.scale;
    this.y -= y / this.scale;
    this.clamp();
  }

  /** Brings a rectangle of the world into sight. */
  reveal(x, y, width, height) {
    const seenWidth = this.width / this.scale;
    const seenHeight = this.height / this.scale;
    if (x < this.x || y < this.y || x + width > this.x + seenWidth || y + height > this.y + seenHeight) {
      this.center(x + width / 2, y + height / 2);
    }
  }

  /** The world stays in sight: centred where it is smaller than the canvas, else without a margin. */
  clamp() {
    const along = (at, seen, world) =>
      seen >= world ? (world - seen) / 2 : Math.min(world - seen, Math.max(0, at));
    this.x = along(this.x, this.width / this.scale, this.worldWidth);
    this.y = along(this.y, this.height / this.scale, this.worldHeight);
  }
}

"""####),
  ]
}
