// Elements. Text from documents enters the page only as text, through `append`.
function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("aria-")) element.setAttribute(key, String(value));
    else if (value === false) continue;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(element.style, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function svg(name, properties) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  return element;
}

function section(id, title, ...children) {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

function pick(title, choices, chosen, change) {
  const options = choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("label.field", {}, h("span", {}, title), h("select", { onchange: (event) => change(event.target.value) }, options));
}

// A few choices side by side, one of them active.
function either(title, choices, chosen, change) {
  const buttons = choices.map(([value, text]) => h("button", {
    type: "button", "aria-pressed": value === chosen,
    onclick: (event) => {
      for (const button of buttons) button.setAttribute("aria-pressed", button === event.currentTarget);
      change(value);
    },
  }, text));
  return h("fieldset.field", {}, h("legend", {}, title), h("div.choice", {}, buttons));
}
