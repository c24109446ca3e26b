"use strict";
// Zoom, pan and choice of a cell: by wheel, pointer, two fingers, and keys.

class SkyControls {
  /**
   * The page is told of a new view by `changed`, of a chosen cell by `chose`, of a chosen point by `chosePoint`, of
   * those under the pointer by `over`.
   */
  constructor(sky, { changed, chose, chosePoint, over, nextFailure }) {
    this.sky = sky;
    this.changed = changed;
    this.chose = chose;
    this.chosePoint = chosePoint;
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
      const { offsetX: x, offsetY: y } = event;
      this.over(this.sky.cellAt(x, y), this.sky.rings.at(x, y));
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
    if (this.moved > 4) return;
    const { offsetX: x, offsetY: y } = event;
    this.chose(this.sky.cellAt(x, y));
    this.chosePoint(this.sky.rings.at(x, y));
  }

  none() {
    this.chosePoint(-1);
    this.chose(-1);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey) this.chose(this.sky.neighbour(...arrow), true);
    else if (arrow && !this.view.isFitted) {
      this.view.pan(-arrow[0] * this.view.width / 8, -arrow[1] * this.view.height / 8);
      this.viewChanged();
    } else if (event.key === "n") this.chosePoint(this.sky.rings.neighbour(1));
    else if (event.key === "p") this.chosePoint(this.sky.rings.neighbour(-1));
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-" || event.key === "_") this.zoom(1 / 1.5);
    else if (event.key === "0") this.all();
    else if (event.key === "Escape") this.none();
    else if (event.key === "f") this.nextFailure();
    // Where all is shown, the arrows scroll the page.
    else return;
    event.preventDefault();
  }
}
