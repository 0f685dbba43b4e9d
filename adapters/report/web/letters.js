// Records that could not be read, by reason.
function lettersSection(run) {
  if (!run.letters || !run.letters.count) return null;
  const table = new Table({
    caption: "Broken records by reason", most: 20, sort: 1,
    columns: [
      { title: "reason", of: (row) => row.reason, show: (row) => row.reason, text: true, wide: true },
      { title: "records", of: (row) => row.count, show: (row) => grouped(row.count) },
      { title: "stage", of: (row) => row.stage, show: (row) => row.stage, text: true },
      { title: "first one", of: (row) => row.place, show: (row) => h("div", {}, h("div", {}, row.place), row.raw ? h("code.small.quiet", {}, row.raw) : null), text: true, wide: true },
    ],
    rows: run.letters.kinds,
  });
  return section("letters", "Broken records", h("p.note", {}, `${many(run.letters.count, "record")} could not be read and ${run.letters.count === 1 ? "was" : "were"} set aside.`), table.element);
}
