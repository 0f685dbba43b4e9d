// A table that sorts by its column heads; `columns` are {title, of(row), show(row), text, wide}.
class Table {
  constructor({ caption, columns, rows, sort = null, most = 100, down = true }) {
    Object.assign(this, { columns, rows, most, order: sort === null ? null : { column: sort, down } });
    this.needle = "";
    this.heads = columns.map((column, i) => h(column.text ? "th.text" : "th", { scope: "col" },
      h("button", { type: "button", onclick: () => this.sort(i) }, column.title)));
    this.body = h("tbody", {});
    this.more = h("p.note", {});
    this.element = h("div", {},
      h("div.scroll", { tabindex: 0, role: "region", "aria-label": caption }, h("table", {}, h("caption.hidden", {}, caption), h("thead", {}, h("tr", {}, this.heads)), this.body)), this.more);
    this.fill();
  }

  sort(column) {
    const first = !this.columns[column].text;
    this.order = this.order && this.order.column === column ? { column, down: !this.order.down } : { column, down: first };
    this.fill();
  }

  search(needle) {
    this.needle = needle.toLowerCase();
    this.fill();
  }

  update(rows) {
    this.rows = rows;
    this.fill();
  }

  fill() {
    let rows = this.rows;
    if (this.needle) rows = rows.filter((row) => this.columns.some((column) => column.text && String(column.of(row)).toLowerCase().includes(this.needle)));
    if (this.order) {
      const { column, down } = this.order, of = this.columns[column].of;
      rows = rows.map((row, i) => [of(row), i, row]).sort(([one, i], [other, j]) => compare(one, other, down) || i - j).map(([, , row]) => row);
    }
    this.heads.forEach((head, i) => {
      if (this.order && this.order.column === i) head.setAttribute("aria-sort", this.order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...rows.slice(0, this.most).map((row) => h("tr", {}, this.columns.map((column, i) =>
      h(`${i === 0 ? "th" : "td"}${column.text ? ".text" : ""}${column.wide ? ".wide" : ""}`, i === 0 ? { scope: "row" } : {}, column.show(row))))));
    const left = rows.length - this.most;
    this.more.replaceChildren(...(left > 0 ? [
      `${grouped(this.most)} of ${grouped(rows.length)}. `,
      h("button.link", { type: "button", onclick: () => { this.most = Infinity; this.fill(); } }, "Show all"),
    ] : rows.length ? [] : ["Nothing here."]));
  }
}

// Undefined values are last in either order.
function compare(one, other, down) {
  const [here, there] = [one, other].map((x) => x === null || x === undefined || Number.isNaN(x));
  if (here || there) return here - there;
  const way = typeof one === "string" ? one.localeCompare(other, "en", { numeric: true }) : one - other;
  return down ? -way : way;
}
