// A learner looks the same everywhere: a colour from a palette for the colour-blind, then a dash.
const HUES = 8;
const DASHES = [null, [7, 4], [2, 3]];
const BASE_DASHES = [[7, 4], [2, 3], [9, 3, 2, 3]];

const USUALLY = ["arow", "mlpp", "mmp", "br", "nb"]; // these look the same in every report; others take the next free look

class Looks extends Map {
  get(name) {
    return super.get(name) || { colour: "--base", dash: null, width: 1.4 };
  }
}

function looks(learners) {
  const found = new Looks();
  let next = USUALLY.length, base = 0;
  for (const { name, baseline } of learners) {
    if (found.has(name)) continue;
    const place = USUALLY.includes(name) ? USUALLY.indexOf(name) : baseline ? 0 : next++;
    found.set(name, baseline
      ? { colour: "--base", dash: BASE_DASHES[base++ % BASE_DASHES.length], width: 1.4 }
      : { colour: `--c${place % HUES}`, dash: DASHES[Math.floor(place / HUES) % DASHES.length], width: 2 });
  }
  return found;
}

function ink(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

function swatch(look) {
  const drawing = svg("svg", { viewBox: "0 0 24 10", class: "swatch", "aria-hidden": "true" });
  const line = svg("line", { x1: 0, y1: 5, x2: 24, y2: 5, "stroke-width": look.width + 0.6 });
  line.style.stroke = `var(${look.colour})`;
  if (look.dash) line.setAttribute("stroke-dasharray", look.dash.join(" "));
  drawing.append(line);
  return drawing;
}

function named(name, look) {
  return h("span.who", { title: name }, swatch(look), h("span", {}, name));
}

const DARK = matchMedia("(prefers-color-scheme: dark)");
const theme = {
  chosen: "auto",
  listeners: [],
  apply() {
    const dark = this.chosen === "auto" ? DARK.matches : this.chosen === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    for (const listener of this.listeners) listener();
  },
};
DARK.addEventListener("change", () => theme.apply());
