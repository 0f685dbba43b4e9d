// Curves as data: the place and the value of each point.
class Line {
  constructor(name, look, at, values) {
    Object.assign(this, { name, look, at, values });
  }

  // The last value at or before `x`.
  before(x) {
    let low = 0, high = this.at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle] <= x) low = middle + 1; else high = middle;
    }
    while (low > 0 && this.values[low - 1] === null) low--;
    return low > 0 ? this.values[low - 1] : null;
  }

  // The line without what comes before `x`, where figures are those of a few documents, and say nothing yet.
  from(x) {
    const begin = this.at.findIndex((at) => at >= x);
    return begin > 0 ? new Line(this.name, this.look, this.at.slice(begin), this.values.slice(begin)) : this;
  }

  get last() {
    return this.before(Infinity);
  }
}

function places(curves, line) {
  if (line.d && !line.at) {
    let at = 0;
    line.at = line.d.map((step) => (at += step));
  }
  return line.at || curves.documents;
}

// Append newer points; returns false if they do not continue the line.
function appended(curves, more) {
  if (!more.documents.length || more.figures.some((figure) => !curves.figures.includes(figure))) return false;
  for (const [name, columns] of Object.entries(curves.learners)) {
    for (const [column, line] of Object.entries(columns)) {
      if (line.d) places(curves, line).push(...more.documents);
      line.v.push(...(more.learners[name]?.[column]?.v ?? more.documents.map(() => null)));
    }
  }
  if (curves.documents.length) curves.documents.push(...more.documents);
  for (const which of ["d", "t"]) curves.clock[which].push(...more.clock[which]);
  curves.points += more.points;
  curves.last = more.last;
  return true;
}

function lineOf(run, name, column) {
  const line = run.curves.learners[name]?.[column];
  return line && new Line(name, run.looks.get(name), places(run.curves, line), line.v);
}

// Between known times, documents are assumed to come evenly.
function clock({ d, t }) {
  const between = (from, to) => (x) => {
    let low = 0, high = from.length - 1;
    if (x <= from[0]) return to[0];
    if (x >= from[high]) return to[high];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (from[middle] <= x) low = middle; else high = middle;
    }
    const share = from[high] === from[low] ? 1 : (x - from[low]) / (from[high] - from[low]);
    return to[low] + share * (to[high] - to[low]);
  };
  return { known: d.length > 1, time: between(d, t), document: between(t, d) };
}
