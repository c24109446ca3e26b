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
    this.readBuckets(aggregate);
    this.field = new Field(this.fieldSectors, this.perCell);
    // No attempt is known by itself.
    this.attemptsKnownFrom = Infinity;
    this.seek(this.length);
  }

  /** What each system did over time. */
  readBuckets(aggregate) {
    const step = aggregate.timelineStep / 1000;
    const count = aggregate.timelineBuckets;
    this.timelineStep = step;
    aggregate.timeline.forEach((columns, row) => {
      const system = this.systems[row];
      if (!system) return;
      const read = {};
      for (const name of ["done", "failed", "lost"]) read[name] = column(columns[name], count, Float32Array);
      const first = ["done", "failed", "lost"].map((name) => read[name].findIndex((number) => number > 0));
      system.firstAttempt = Math.min(Infinity, ...first.filter((at) => at >= 0)) * step;
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
    this.systems.forEach((system, row) => {
      const counts = system.buckets;
      if (!counts) return;
      const sum = (values, from = 0) => values.subarray(from, end).reduce((all, value) => all + value, 0);
      system.tasks = system.completed = sum(counts.done);
      system.retried = sum(counts.failed) + sum(counts.lost);
      system.rate = sum(counts.done, Math.max(0, end - buckets)) / (buckets * this.timelineStep);
      system.inFlight = isOver ? 0 : Math.round(counts.busy[end - 1] ?? 0);
      const mean = (this.summary.systems ?? []).find((row) => this.systems[row.system] === system);
      system.latency = mean ? mean.mean / 1000 : 0;
      if (isOver && mean) system.retried = mean.retried;
      this.rate += system.rate;
      this.inFlight += system.inFlight;
      this.retried += system.retried;
      this.setHistory(system, row, moment);
    });
    if (isOver) this.retried = data.retried;
    this.hedged = data.hedged;
    this.secondsLeft = Math.max(0, this.length - moment);
  }
}
