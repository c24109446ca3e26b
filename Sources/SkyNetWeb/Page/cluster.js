"use strict";
// A cluster as its nodes tell it: what each system scans, and for whom.

class Cluster extends Model {
  constructor(hello) {
    super(hello);
    this.waiting = 0;
  }

  get scheduled() {
    return this.inFlight + this.waiting;
  }

  get connected() {
    // A node is connected to the programs that engage it; it does not know the other nodes.
    if (this.kind === "node") return new Set(this.engagements.map((engagement) => engagement.client)).size;
    return this.systems.filter((system) => system.state !== "gone").length;
  }

  get state() {
    return this.engagements.length > 0 || this.inFlight > 0 ? "live" : "idle";
  }

  /** The other programs that a system serves, most scans first: {client, scans}. */
  served(system) {
    const counts = new Map();
    for (const { client } of system.scans) counts.set(client, (counts.get(client) ?? 0) + 1);
    return [...counts].map(([client, scans]) => ({ client, scans })).sort((left, right) => right.scans - left.scans);
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
    system.retried = row.retried ?? 0;
    system.applyMachine(row);
    system.history = row.history ?? [];
    const last = system.history.slice(-5);
    system.rate = last.length ? last.reduce((sum, count) => sum + count, 0) / last.length : 0;
    system.scans = (row.scans ?? []).map((scan) => ({ ...scan, client: plain(scan.client) }));
    const clients = this.served(system).map(({ client }) => client);
    system.note = plain(row.note ?? "") || (clients.length > 0 ? `scanning for ${listed(clients)}` : "");
    return system;
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
