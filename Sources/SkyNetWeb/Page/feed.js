"use strict";
// The server's events, and what becomes of the connection to it.

class Feed {
  static names = ["hello", "state", "cells", "attempts", "history", "failures", "notices", "cluster"];
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
