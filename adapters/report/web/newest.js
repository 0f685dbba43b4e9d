// Documents with their predicted and their true labels.
function documentItem(one) {
  const truth = one.true === null || one.true === undefined ? null : new Set(one.true.map(String));
  const predicted = one.predicted.map(String);
  const tag = (kind, label, word) => h(`span.tag${kind}`, { title: word }, label, h("span.hidden", {}, ` (${word})`));
  const tags = predicted.map((label) => truth === null ? tag("", label, "predicted") : truth.has(label) ? tag(".hit", label, "correct") : tag(".extra", label, "wrong"));
  for (const label of truth || []) if (!predicted.includes(label)) tags.push(tag(".missed", label, "missed"));
  const best = (one.top || []).slice(0, 5).map(([label, score]) => `${label} ${figure(score)}`).join(", ");
  return h("li", {}, h("div.title", {}, one.title || one.id), h("div.small.quiet", {}, [one.title ? one.id : null, one.fold ? `fold ${one.fold}` : null, best].filter(Boolean).join(" · ")),
    one.text ? h("div.small", {}, one.text) : null, one.why ? whyItem(one.why) : null,
    h("div.tags", {}, tags.length ? tags : h("span.quiet", {}, truth === null ? "nothing predicted, no answer yet" : "no labels, correct")));
}

// The words that made a learner prefer a wrong label to a true one.
function whyItem({ wrong, missed, words, base }) {
  const what = [wrong === null ? null : `for ${wrong}`, missed === null ? null : `${wrong === null ? "against" : "rather than"} ${missed}`].filter(Boolean).join(" ");
  return h("div.tags", {}, `${what}: `, words.map(([word, added]) => h("span.tag.against", {}, `${word} ${short(added)}`)), ` without any word ${short(base)}`);
}

function newestSection(run, page) {
  if (!run.newest) return null;
  const state = page.newest, list = h("ul.docs", { "aria-live": "off" });
  function fill() {
    const learners = run.learners.map(({ name }) => name);
    if (!learners.includes(state.learner)) state.learner = run.summary.champion || standing(run, "iserr").filter(([, x]) => typeof x === "number").sort((one, other) => one[1] - other[1])[0]?.[0] || learners[0];
    list.replaceChildren(...run.newest.map((one) => documentItem({ ...one, predicted: one.predictions[state.learner]?.labels || [], top: one.predictions[state.learner]?.top })));
  }
  fill();
  return Object.assign(section("newest", "Newest documents", h("div.controls", {}, pick("Learner", run.learners.map(({ name }) => [name, name]), state.learner, (value) => { state.learner = value; fill(); })),
    h("p.note", {}, "Green: correct. Struck out: predicted, but wrong. Dashed: missed. Without a colour the true labels are not known yet."), list), { renew: fill });
}
