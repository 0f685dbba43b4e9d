// The tree of labels: the results of each under its parent, and the depths at which mistakes fall.
const ROWS = 300; // so many are drawn at once: a tree may have thousands

function treeSection(run, page) {
  const learners = Object.keys(run.labels || {});
  if (!run.tree || !learners.length) return null;
  const state = page.tree, more = h("p.note", {}), unused = h("p.note", {}), said = h("p.said", {}), body = h("tbody", {});
  if (!learners.includes(state.learner)) state.learner = bestOf(run, learners);
  const trends = run.histories && Object.keys(run.histories).length;
  let seen = null, nodes = null, counts = null;

  function count() {
    if (seen?.tree !== run.tree) nodes = walked(run.tree);
    seen = { tree: run.tree, labels: run.labels };
    counts = counted(nodes, run.labels[state.learner]);
  }

  function row(i) {
    const fixed = state.needle || !nodes.children[i], folded = !fixed && !isOpen(state, nodes, i);
    const [tp, fp, fn] = (folded ? counts.sums : counts.own)[i], { precision, recall, f1 } = rates(tp, fp, fn), label = nodes.label[i], short = shortened(run.tree, nodes, i);
    const toggle = () => { state.folds.set(label, folded); fill(); };
    return h("tr", {},
      h("th.text.branch", { scope: "row", title: label, style: { paddingLeft: `${0.9 * Math.min(nodes.depth[i] - 1, 15)}em` } },
        fixed ? h("span.leaf", {}, short) : h("button.fold", { type: "button", "aria-expanded": !folded, "data-label": label, onclick: toggle }, short),
        folded ? h("span.quiet.small", {}, ` + ${grouped(nodes.end[i] - i - 1)} below`) : null),
      [grouped(tp + fn), figure(precision), figure(recall), figure(f1), bar(f1, run.looks.get(state.learner)),
        trends ? (folded ? "" : spark(historyOf(run, state.learner, label), run.looks.get(state.learner))) : null].filter((cell) => cell !== null).map((cell) => h("td", {}, cell)));
  }

  function fill() {
    const shown = shownOf(state, nodes);
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    body.replaceChildren(...shown.slice(0, state.most).map(row));
    if (focused !== null) [...body.querySelectorAll("button")].find((button) => button.dataset.label === focused)?.focus({ preventScroll: true });
    more.replaceChildren(...(shown.length > state.most ? [
      `${grouped(state.most)} of ${grouped(shown.length)} rows. `,
      h("button.link", { type: "button", onclick: () => { state.most += ROWS; fill(); } }, `Show ${grouped(Math.min(ROWS, shown.length - state.most))} more`),
    ] : shown.length ? [] : ["Nothing here."]));
  }

  const depths = new Table({ caption: "Mistakes at each depth", rows: [], most: 30, columns: [
    { title: "depth", of: (row) => row.depth, show: (row) => `${row.depth}${row.depth === 1 ? " (roots)" : ""}`, text: true },
    ...["labels", "leaves", "support", "missed", "added"].map((key) => ({ title: key, of: (row) => row[key], show: (row) => grouped(row[key]) })),
    ...["recall", "precision"].map((key) => ({ title: key, of: (row) => row[key], show: (row) => [figure(row[key]), " ", bar(row[key], run.looks.get(state.learner))] })),
  ] });

  function renew() {
    count();
    fill();
    const rows = byDepth(nodes, counts.own);
    depths.update(rows);
    said.replaceChildren(mistakes(state.learner, rows));
    const left = run.tree.unused;
    unused.replaceChildren(left ? `${many(left, "label")} of the tree came in no document and no prediction, and ${left === 1 ? "is" : "are"} left out.` : "");
  }

  const all = (to) => () => { Object.assign(state, { to, folds: new Map(), most: ROWS }); fill(); };
  const controls = h("div.controls", {},
    pick("Learner", learners.map((name) => [name, name]), state.learner, (value) => { state.learner = value; renew(); }),
    h("label.field", {}, h("span", {}, "Search"), h("input", { type: "search", placeholder: "a label", value: state.needle, oninput: (event) => { state.needle = event.target.value.toLowerCase(); fill(); } })),
    h("button.plain", { type: "button", onclick: all(Infinity) }, "open all"), h("button.plain", { type: "button", onclick: all(1) }, "fold all"));
  renew();
  const heads = ["support", "precision", "recall", "F1", "", ...(trends ? ["F1 over time"] : [])];
  return Object.assign(section("tree", "Tree of labels", controls,
    h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Tree of labels" }, h("table", {}, h("caption.hidden", {}, "Results of each label, under its parent"),
      h("thead", {}, h("tr", {}, h("th.text", { scope: "col" }, "label"), heads.map((title) => h("th", { scope: "col" }, title)))), body)), more,
    h("p.note", {}, "A folded row (+ so many below) is the sum of its label and of all below it: its support counts the labels of documents, and precision, recall and F1 are micro-averages."), unused,
    h("h3.part", {}, "Where mistakes fall"), said, depths.element,
    h("p.note", {}, "Missed: labels of documents that were not predicted. Added: predicted labels that the documents did not have. Leaves are labels with none below.")),
  { renew: () => { if (seen.labels !== run.labels || seen.tree !== run.tree) renew(); } }); // else a button would go while it is pressed
}

// The nodes with the place of each parent, and the place behind all that is below.
function walked({ label, depth, children }) {
  const parent = [], path = [], end = label.map((_, i) => i + 1);
  depth.forEach((deep, i) => {
    path.length = deep - 1;
    parent.push(deep > 1 ? path[deep - 2] : -1);
    path.push(i);
  });
  for (let i = label.length - 1; i >= 0; i--) if (parent[i] >= 0) end[parent[i]] = Math.max(end[parent[i]], end[i]);
  return { label, depth, children, parent, end };
}

// [tp, fp, fn] of each node, and summed with all below it.
function counted({ label, parent }, table) {
  const at = new Map(table.label.map((name, i) => [name, i]));
  const own = label.map((name) => ["tp", "fp", "fn"].map((key) => table[key][at.get(name)] || 0)), sums = own.map((one) => [...one]);
  for (let i = label.length - 1; i >= 0; i--) if (parent[i] >= 0) sums[i].forEach((x, k) => { sums[parent[i]][k] += x; });
  return { own, sums };
}

function isOpen(state, nodes, i) {
  return state.folds.get(nodes.label[i]) ?? nodes.depth[i] < state.to;
}

// Where labels are paths, what a label has beyond that of its parent: so it fits on a narrow screen.
function shortened({ separator }, { label, parent }, i) {
  const above = parent[i] < 0 ? null : label[parent[i]];
  return above !== null && label[i].startsWith(above + (separator || "/")) ? label[i].slice(above.length) : label[i];
}

// The places of the rows: those that no folded one hides, or those that are searched for, with what is above them.
function shownOf(state, nodes) {
  const shown = [];
  if (state.needle) {
    const found = nodes.label.map((label) => label.toLowerCase().includes(state.needle));
    for (let i = found.length - 1; i >= 0; i--) if (found[i] && nodes.parent[i] >= 0) found[nodes.parent[i]] = true;
    found.forEach((one, i) => { if (one) shown.push(i); });
  } else {
    for (let i = 0; i < nodes.label.length; i = isOpen(state, nodes, i) ? i + 1 : nodes.end[i]) shown.push(i);
  }
  return shown;
}

function byDepth(nodes, own) {
  const rows = [];
  nodes.depth.forEach((depth, i) => {
    const row = (rows[depth - 1] ??= { depth, labels: 0, leaves: 0, tp: 0, added: 0, missed: 0, ofLeaves: 0 }), [tp, fp, fn] = own[i], leaf = !nodes.children[i];
    row.labels += 1; row.leaves += leaf; row.tp += tp; row.added += fp; row.missed += fn; row.ofLeaves += leaf && fp + fn;
  });
  return rows.map((row) => ({ ...row, support: row.tp + row.missed, ...rates(row.tp, row.added, row.missed) }));
}

function mistakes(learner, rows) {
  const wrong = (row) => row.missed + row.added, all = rows.reduce((sum, row) => sum + wrong(row), 0);
  if (!all) return `${learner} makes no mistake at any depth.`;
  const share = (x) => `${((100 * x) / all).toFixed(0)} %`, worst = rows.reduce((one, other) => (wrong(other) > wrong(one) ? other : one));
  return `${learner} makes the most mistakes at depth ${worst.depth} of ${rows.length}: ${grouped(wrong(worst))} of ${grouped(all)} (${share(wrong(worst))}), ` +
    `${grouped(worst.missed)} labels missed and ${grouped(worst.added)} added. Of the mistakes at all depths, ${share(rows.reduce((sum, row) => sum + row.ofLeaves, 0))} are in leaves.`;
}
