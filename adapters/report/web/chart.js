// A Dygraphs chart with names at the ends of its lines, marks, a crosshair, and keyboard control.
const AXES = {
  linear: { to: (x) => x, from: (x) => x },
  log: { to: (x) => Math.log10(Math.max(x, 0.5)), from: (x) => 10 ** x },
};
// No Dygraphs legend: it would write names as HTML and use inline styles, which the page's policy forbids.
Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);

class Chart {
  // `hovered(x)` is called with the position of the cursor, null without one.
  constructor({ title, low = false, hovered = () => {} }) {
    this.hovered = hovered;
    this.canvas = h(low ? "div.chart.low" : "div.chart", {});
    this.cross = h("div.cross", { hidden: true });
    this.ends = h("div", { "aria-hidden": "true" });
    this.plot = h("div.plot", {
      tabindex: 0, role: "group", "aria-label": `${title}. Left and right arrows move the cursor, plus and minus zoom, 0 shows all.`,
      onkeydown: (event) => this.key(event),
      onblur: () => this.point(null),
    }, this.canvas, this.cross, this.ends);
    const button = (text, label, act) => h("button.plain", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.zoom = h("span.zoom", {},
      button("+", "Zoom in", () => this.narrow(0.5)), button("−", "Zoom out", () => this.narrow(2)),
      button("All", "Show all", () => this.all()));
    this.graph = null;
    this.lines = [];
    this.x = null;
  }

  // All lines have the same kind of x; `marks` are {x, colour, dash}; `labelled` formats a value of x.
  draw({ lines, marks = [], log = false, time = false, hidden = new Set(), from = null, named = true, labelled = grouped }) {
    const kind = `${log}${time}`;
    const kept = this.graph && this.kind === kind && this.zoomed() ? this.window() : null;
    Object.assign(this, { lines, marks, log, time, hidden, named, labelled, kind, axis: log ? AXES.log : AXES.linear });
    const shown = lines.filter((line) => line.values.some((value) => value !== null));
    this.shown = shown;
    const rows = joined(shown, this.axis.to);
    this.extent = rows.length ? [rows[0][0], rows[rows.length - 1][0]] : [0, 1];
    if (this.extent[0] === this.extent[1]) this.extent = [this.extent[0] - 0.5, this.extent[1] + 0.5];
    this.rows = rows;
    if (this.graph) this.graph.destroy();
    this.graph = null;
    if (!rows.length) return;
    const narrow = this.canvas.clientWidth < 560;
    this.graph = new Dygraph(this.canvas, rows, {
      labels: ["x", ...shown.map((line, i) => `line ${i}`)],
      colors: shown.map((line) => ink(line.look.colour)),
      series: Object.fromEntries(shown.map((line, i) => [`line ${i}`, { strokePattern: line.look.dash, strokeWidth: line.look.width }])),
      visibility: shown.map((line) => !hidden.has(line.name)),
      connectSeparatedPoints: true, animatedZooms: false,
      highlightCircleSize: 3.5, rightGap: !named ? 8 : Math.min(narrow ? 62 : 140, 14 + 7 * Math.max(...shown.map((line) => line.name.length))), labelsUTC: true,
      gridLineColor: ink("--line"), axisLineColor: ink("--strong"), gridLineWidth: 1,
      rangeSelectorHeight: 0, xRangePad: 0, yRangePad: 8, includeZero: from === 0,
      dateWindow: kept,
      axes: {
        x: { drawGrid: false, ticker: (low, high, pixels) => this.ticks(low, high, pixels), axisLabelWidth: 80 },
        y: { axisLabelWidth: narrow ? 38 : 46, pixelsPerLabel: 36, axisLabelFormatter: (y) => axisFigure(y) },
      },
      underlayCallback: (context, area, graph) => this.underlay(context, area, graph),
      drawCallback: () => this.overlay(),
      highlightCallback: (event, x) => this.point(this.axis.from(x), true),
      unhighlightCallback: () => this.point(null, true),
    });
    this.overlay();
  }

  zoomed() {
    const [low, high] = this.window(), [first, last] = this.extent, near = (last - first) * 1e-6;
    return low > first + near || high < last - near;
  }

  window() {
    return this.graph.xAxisRange();
  }

  hide(hidden) {
    this.hidden = hidden;
    this.shown.forEach((line, i) => {
      if (this.graph && this.graph.visibility()[i] === hidden.has(line.name)) this.graph.setVisibility(i, !hidden.has(line.name));
    });
    this.overlay();
  }

  ticks(low, high, pixels) {
    const far = Math.max(2, Math.floor(pixels / (this.time ? 110 : 80)));
    if (this.time) return timeTicks(low, high, far);
    const [from, to] = [this.axis.from(low), this.axis.from(high)];
    const values = this.log && to / from > 12 ? decades(from, to, far) : even(from, to, far);
    return values.map((v) => ({ v: this.axis.to(v), label: this.labelled(v) }));
  }

  underlay(context, area, graph) {
    for (const mark of this.marks) {
      const x = graph.toDomXCoord(this.axis.to(mark.x));
      if (x < area.x || x > area.x + area.w) continue;
      context.save();
      context.strokeStyle = ink(mark.colour);
      context.globalAlpha = 0.75;
      context.lineWidth = 1;
      context.setLineDash(mark.dash || [3, 3]);
      context.beginPath();
      context.moveTo(Math.round(x) + 0.5, area.y);
      context.lineTo(Math.round(x) + 0.5, area.y + area.h);
      context.stroke();
      context.restore();
    }
  }

  // Names at the ends of the lines, moved apart so that they do not overlap.
  overlay() {
    if (!this.graph || !this.named) return this.ends.replaceChildren();
    const area = this.graph.getArea(), [, right] = this.window();
    const ends = this.shown.filter((line) => !this.hidden.has(line.name))
      .map((line) => ({ line, value: line.before(this.axis.from(right) * (1 + 1e-9)) }))
      .filter(({ value }) => value !== null)
      .map((end) => ({ ...end, y: this.graph.toDomYCoord(end.value) }))
      .filter(({ y }) => y >= area.y - 2 && y <= area.y + area.h + 2)
      .sort((one, other) => one.y - other.y);
    apart(ends, 13, area.y + 6, area.y + area.h - 4);
    this.ends.replaceChildren(...ends.map(({ line, y }) => h("span.end", {
      style: { left: `${area.x + area.w + 6}px`, top: `${y - 6}px`, color: `var(${line.look.colour})`, maxWidth: `${this.canvas.clientWidth - area.x - area.w - 6}px` },
    }, line.name)));
  }

  point(x, fromMouse = false) {
    this.x = x;
    this.cross.hidden = x === null || !this.graph;
    if (!this.cross.hidden) {
      const area = this.graph.getArea(), at = this.graph.toDomXCoord(this.axis.to(x));
      Object.assign(this.cross.style, { left: `${at}px`, top: `${area.y}px`, height: `${area.h}px` });
    }
    if (!fromMouse && this.graph) this.graph.clearSelection();
    this.hovered(x);
  }

  narrow(share) {
    if (!this.graph) return;
    const [low, high] = this.window(), [first, last] = this.extent;
    const middle = this.x === null ? (low + high) / 2 : Math.min(high, Math.max(low, this.axis.to(this.x)));
    const width = Math.min((high - low) * share, last - first);
    const begin = Math.max(first, Math.min(last - width, middle - width * ((middle - low) / (high - low || 1))));
    this.graph.updateOptions({ dateWindow: [begin, begin + width] });
  }

  all() {
    if (this.graph) this.graph.updateOptions({ dateWindow: null, valueRange: null });
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && this.graph) {
      const [low, high] = this.window();
      const visible = this.rows.filter(([x]) => x >= low && x <= high);
      if (!visible.length) return;
      const now = this.x === null ? -1 : visible.findIndex(([x]) => x >= this.axis.to(this.x) - 1e-9);
      const stride = Math.max(1, Math.round(visible.length / 100));
      const next = now < 0 ? (step > 0 ? 0 : visible.length - 1) : Math.max(0, Math.min(visible.length - 1, now + step * stride));
      this.point(this.axis.from(visible[next][0]));
    } else if (event.key === "+" || event.key === "=") this.narrow(0.5);
    else if (event.key === "-") this.narrow(2);
    else if (event.key === "0" || event.key === "Escape") this.all();
    else return;
    event.preventDefault();
  }
}

// Rows with all lines at all their places; a line without a point there has null, and is drawn through.
function joined(lines, to) {
  const rows = new Map();
  lines.forEach((line, column) => {
    for (let i = 0; i < line.at.length; i++) {
      let row = rows.get(line.at[i]);
      if (!row) rows.set(line.at[i], (row = [to(line.at[i]), ...lines.map(() => null)]));
      row[column + 1] = line.values[i];
    }
  });
  return [...rows.entries()].sort((one, other) => one[0] - other[0]).map(([, row]) => row);
}

function apart(ends, distance, top, bottom) {
  let free = top;
  for (const end of ends) free = (end.y = Math.max(end.y, free)) + distance;
  let limit = bottom;
  for (const end of [...ends].reverse()) limit = (end.y = Math.min(end.y, limit)) - distance;
}

function even(from, to, count) {
  const raw = (to - from) / count, scale = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((x) => x * scale).find((x) => x >= raw));
  const found = [];
  for (let x = Math.ceil(from / step) * step; x <= to + 1e-9; x += step) found.push(x);
  return found;
}

function decades(from, to, count) {
  const found = [];
  const steps = Math.log10(to / from) * 3 <= count ? [1, 2, 5] : [1];
  for (let scale = 10 ** Math.floor(Math.log10(from)); scale <= to; scale *= 10) {
    for (const step of steps) if (scale * step >= from * 0.999 && scale * step <= to) found.push(scale * step);
  }
  return found;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600];

function timeTicks(low, high, count) {
  const step = STEPS.find((x) => (high - low) / x <= count);
  const found = [];
  if (!step) {
    const months = [1, 2, 3, 6, 12, 24, 60, 120, 240].find((x) => (high - low) / (x * 2629800) <= count) || 600;
    const begin = new Date(low * 1000);
    for (let month = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / months) * months; ; month += months) {
      const v = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
      if (v > high) break;
      if (v >= low) found.push({ v, label: new Date(v * 1000).toISOString().slice(0, 7) });
    }
    return found;
  }
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
    const text = new Date(v * 1000).toISOString();
    found.push({ v, label: step >= 86400 ? text.slice(0, 10) : step >= 3600 ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(11, step >= 60 ? 16 : 19) });
  }
  return found;
}

function axisFigure(y) {
  return Math.abs(y) >= 1000 ? grouped(y) : String(Number(y.toPrecision(3)));
}
