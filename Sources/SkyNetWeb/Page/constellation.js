"use strict";
// The cluster as a constellation: a star for each system, with its slots around it, and a line from each program that
// engages it. Where work is done, sectors move along the lines.

class Constellation {
  static most = 200;

  constructor(canvas, moving, opened) {
    this.canvas = canvas;
    this.moving = moving;
    this.context = canvas.getContext("2d", { alpha: false });
    this.movingContext = moving.getContext("2d");
    this.text = byID("constellation-text");
    this.stillness = matchMedia("(prefers-reduced-motion: reduce)");
    this.stars = [];
    this.links = [];
    this.frame = null;
    this.drawnAt = 0;
    this.resize(600, 400);
    canvas.addEventListener("click", (event) => {
      const star = this.starAt(event.offsetX, event.offsetY);
      if (star) opened(star.row);
    });
    canvas.addEventListener("pointermove", (event) => {
      canvas.classList.toggle("over", this.starAt(event.offsetX, event.offsetY) !== undefined);
    });
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.ratio = canvasScale();
    for (const canvas of [this.canvas, this.moving]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
  }

  starAt(x, y) {
    return this.stars.find((star) => star.row >= 0 && Math.hypot(star.x - x, star.y - y) < star.reach + 14);
  }

  draw(model) {
    this.place(model);
    const { context } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawSky(context);
    this.drawShape(context);
    for (const link of this.links) this.drawLink(context, link);
    for (const star of this.stars) this.drawStar(context, star);
    const idle = model.engagements.length === 0
      ? model.kind === "node" ? "Nobody engages this node now." : "Nobody engages the cluster now." : "";
    setText(this.text, idle === "" ? "" : `${idle} Start a run with ${model.program} engage.`);
    this.animate();
  }

  /** Systems on an ellipse, programs that engage them within it, unless they are systems themselves. */
  place(model) {
    const systems = model.systems.map((system, row) => ({ system, row })).filter(({ system }) => system.name !== "")
      .slice(0, Constellation.most);
    const [middleX, middleY] = [this.width / 2, this.height / 2 - 8];
    const reach = Math.max(4, Math.min(13, 90 / Math.sqrt(systems.length + 1)));
    const byName = new Map();
    this.stars = systems.map(({ system, row }, at) => {
      // Not quite regular, as stars are; the same for the same name.
      const chance = hashed(system.name);
      const angle = (at + 0.5 * (chance - 0.5)) / systems.length * 2 * Math.PI - Math.PI * 0.6;
      const far = systems.length === 1 ? 0.45 : 0.8 + 0.24 * (hashed(`${system.name}.`) - 0.5);
      const star = {
        row, reach, system, name: system.name, isOwn: model.isOwn(system),
        x: middleX + far * Math.cos(angle) * (this.width / 2 - 80),
        y: middleY + far * Math.sin(angle) * (this.height / 2 - 60),
      };
      byName.set(system.name, star);
      return star;
    });
    const clients = [...new Set([
      ...model.engagements.map(({ client }) => client), ...model.systems.flatMap(({ scans }) => scans.map(({ client }) => client)),
    ])].slice(0, 12);
    const others = clients.filter((client) => !byName.has(client));
    others.forEach((client, at) => {
      const angle = at / others.length * 2 * Math.PI;
      const far = others.length === 1 ? 0 : 0.22;
      const star = {
        row: -1, reach: 8, name: client,
        x: middleX + far * Math.cos(angle) * this.width / 2, y: middleY + far * Math.sin(angle) * this.height / 2,
      };
      byName.set(client, star);
      this.stars.push(star);
    });
    this.links = systems.flatMap(({ system, row }) => model.served(system).filter(({ client }) => byName.has(client))
      .map(({ client, scans }) => ({ from: byName.get(client), to: byName.get(system.name), row, scans })))
      .filter(({ from, to }) => from !== to);
  }

  drawSky(context) {
    context.fillStyle = css(darkness);
    context.fillRect(0, 0, this.width, this.height);
    for (let number = 0; number < 140; number++) {
      const [x, y, light] = [hashed(`x${number}`), hashed(`y${number}`), hashed(`l${number}`)];
      context.fillStyle = `rgb(255 255 255 / ${8 + Math.round(22 * light)}%)`;
      context.fillRect(x * this.width, y * this.height, 1 + light, 1 + light);
    }
  }

  /** The figure that the systems make: each is joined to the next. */
  drawShape(context) {
    const stars = this.stars.filter(({ row, system }) => row >= 0 && isThere(system));
    if (stars.length < 2) return;
    context.beginPath();
    stars.forEach(({ x, y }, at) => { if (at === 0) context.moveTo(x, y); else context.lineTo(x, y); });
    if (stars.length > 2) context.closePath();
    context.strokeStyle = "rgb(160 185 225 / 22%)";
    context.lineWidth = 1;
    context.stroke();
  }

  drawLink(context, { from, to, row, scans }) {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.strokeStyle = css(systemColor(row));
    context.globalAlpha = 0.6;
    context.lineWidth = Math.min(4, 1 + scans / 4);
    context.stroke();
    context.globalAlpha = 1;
  }

  drawStar(context, star) {
    const { x, y, row, reach, system, name } = star;
    const isProgram = row < 0;
    const isLit = isProgram || isThere(system);
    const color = isProgram ? [255, 250, 220] : systemColor(row);
    if (isLit) {
      const far = reach * (isProgram || system.inFlight > 0 ? 3.6 : 2.2);
      const glow = context.createRadialGradient(x, y, reach * 0.3, x, y, far);
      glow.addColorStop(0, `rgb(${color.join(" ")} / 65%)`);
      glow.addColorStop(1, `rgb(${color.join(" ")} / 0%)`);
      context.fillStyle = glow;
      context.fillRect(x - far, y - far, 2 * far, 2 * far);
    }
    context.beginPath();
    context.arc(x, y, reach * (isLit ? 0.62 : 0.5), 0, 2 * Math.PI);
    context.fillStyle = isLit ? css(mixed(color, [255, 255, 255], 0.35)) : "#596274";
    context.fill();
    if (star.isOwn) {
      context.strokeStyle = "#fff";
      context.lineWidth = 1.5;
      context.stroke();
    }
    if (!isProgram && isLit) this.drawSlots(context, star);
    if (this.stars.length > 40) return;
    context.textAlign = "center";
    context.font = "600 13px system-ui, sans-serif";
    context.textBaseline = "top";
    context.fillStyle = isLit ? "#eef1f7" : "#98a1b3";
    const below = y + reach + (isProgram ? 6 : 12);
    context.fillText(name.length > 22 ? `${name.slice(0, 21)}…` : name, x, below);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = "#aeb7c8";
    const text = isProgram ? "engages" : !isLit ? system.state
      : `${whole(Math.min(system.inFlight, system.slots))} of ${counted(system.slots, "slot")}`;
    context.fillText(text, x, below + 16);
    context.textAlign = "left";
  }

  /** A ring of dots, one a slot, lit where it is busy. */
  drawSlots(context, { x, y, row, reach, system }) {
    const count = Math.min(48, system.slots);
    const far = reach + 6;
    const busy = system.slots > 0 ? Math.round(Math.min(system.inFlight, system.slots) / system.slots * count) : 0;
    for (let slot = 0; slot < count; slot++) {
      const angle = slot / count * 2 * Math.PI - Math.PI / 2;
      context.beginPath();
      context.arc(x + far * Math.cos(angle), y + far * Math.sin(angle), count > 24 ? 1.3 : 2.2, 0, 2 * Math.PI);
      context.fillStyle = slot < busy ? css(systemColor(row)) : "#3a4252";
      context.fill();
    }
  }

  // What moves

  animate() {
    const isMoving = this.links.length > 0 && !this.stillness.matches;
    if (!isMoving) this.clearMoving();
    if (isMoving && this.frame === null) this.frame = requestAnimationFrame((time) => this.step(time));
  }

  clearMoving() {
    this.movingContext.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.movingContext.clearRect(0, 0, this.width, this.height);
  }

  step(time) {
    this.frame = null;
    if (this.links.length === 0 || this.stillness.matches) {
      this.clearMoving();
      return;
    }
    this.frame = requestAnimationFrame((next) => this.step(next));
    // Half of the frames are enough for what moves slowly.
    if (time - this.drawnAt < 30) return;
    this.drawnAt = time;
    this.clearMoving();
    const context = this.movingContext;
    for (const { from, to, row, scans } of this.links.slice(0, 100)) {
      const count = Math.min(3, scans);
      for (let number = 0; number < count; number++) {
        const way = (time / 1800 + number / count + hashed(to.name)) % 1;
        context.fillStyle = "#ffd27a";
        context.beginPath();
        context.arc(from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way, 2.6, 0, 2 * Math.PI);
        context.fill();
        const back = (way + 0.5) % 1;
        context.fillStyle = css(mixed(systemColor(row), [255, 255, 255], 0.3));
        context.fillRect(to.x + (from.x - to.x) * back - 2.5, to.y + (from.y - to.y) * back - 2.5, 5, 5);
      }
    }
  }

  /** What the canvas shows, in words. */
  description(model) {
    const work = this.links.slice(0, 8).map(({ from, to, scans }) => `${to.name} scans ${counted(scans, "sector")} for ${from.name}`);
    const there = model.systems.filter(isThere).length;
    return [`${counted(there, "system")}`, ...(work.length > 0 ? work : ["nobody works now"])].join("; ");
  }
}

/** A number from 0 to 1 that a text always has. */
function hashed(text) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296;
}
