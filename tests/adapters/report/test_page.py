"""The page in a real browser."""

import re
import shutil
import time

import pytest

from telex.adapters.cli.main import main
from telex.adapters.report import report
from telex.learners.losses import Shown
from telex.learners.trees import Tree
from telex.stream.run_folder import LABEL_COUNTS, csv_text, tree_fact, write_facts

KEYS = {"right": "\ue014", "tab": "\ue004", "enter": "\ue007", "escape": "\ue00c"}


@pytest.fixture(scope="module")
def path(run):
    return report([run], run.parent / "page.html")


@pytest.fixture
def page(browser, path):
    """The page, opened again in light mode and wide; at the end the browser must have logged no error."""
    look(browser)
    browser.get(path.as_uri())
    yield browser
    # What it says of "rendering" is about these tests, which look at pixels.
    assert [line for line in browser.get_log("browser") if line["source"] != "rendering"] == []
    assert browser.execute_script("return window.struck") is None


def look(browser, *, theme="light", width=1280):
    media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def all_of(page, css):
    return page.find_elements("css selector", css)


def one(page, css):
    return page.find_element("css selector", css)


def pressed(page, section, text):
    button = next(b for b in all_of(page, f"#{section} .controls button") if b.text == text)
    button.click()


INK = """
const canvas = document.querySelector(arguments[0] + ' canvas'), found = new Set();
const all = [...document.querySelectorAll(arguments[0] + ' canvas')];
for (const one of all) {
  const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 250) found.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
}
return [...found];
"""


def inks(page, section="#curves"):
    """The colours that are drawn."""
    return set(page.execute_script(INK, section))


def rgb(page, variable):
    colour = page.execute_script(
        "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()", variable
    )
    return ",".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def test_curves_are_drawn_and_named(page):
    colours = inks(page)
    for variable in ("--c0", "--c1", "--c2", "--c3", "--c4", "--base"):
        assert rgb(page, variable) in colours
    assert {end.text for end in all_of(page, "#curves .end")} == {"arow", "mlpp", "mmp", "br", "nb", "prior", "last"}
    assert rgb(page, "--c0") in inks(page, "#speed")


def test_what_is_chosen_is_what_the_page_shows(page, run, tmp_path):
    shown = Shown(("avgp", "micro_f1"), headline="oneerr", sort_by="avgp")
    page.get(report([run], tmp_path / "chosen.html", shown=shown).as_uri())
    assert re.match(r"\w+ has the best oneerr: 0\.\d{3}, ahead of ", one(page, "header .lead").text)
    assert one(page, "#curves select").get_attribute("value") == "oneerr"
    heads = [head.text.strip() for head in all_of(page, "#standings thead th")]
    assert heads == ["learner", "oneerr", "avgp", "micro_f1"]
    avgps = [float(cell.text) for cell in all_of(page, "#standings tbody td:nth-child(3)")]
    assert avgps == sorted(avgps, reverse=True)
    assert one(page, "#better select").get_attribute("value") == "oneerr"


def test_the_head_weighs_more_than_one_figure(page):
    said = one(page, "header .lead").text
    names = ("avgp", "micro_f1", "macro_f1")
    assert sum(said.count(name) for name in names) >= 2  # of equal ones none has a say
    assert ("It is the best by" in said) != ("But " in said)


def test_curves_begin_where_figures_are_of_many_documents(page, tmp_path):
    assert main(["replay", "synthetic:n=400", "--learner", "br", "--run", str(tmp_path / "run")]) == 0
    page.get(report([tmp_path / "run"], tmp_path / "page.html").as_uri())

    def first():
        page.execute_script("document.querySelector('#curves .plot').focus()")
        all_of(page, "#curves .plot")[0].send_keys(KEYS["right"])
        return int(one(page, "#curves output").text.split(",")[0].split()[-1].replace(",", ""))

    assert first() == 20  # a twentieth of all
    one(page, "#curves .plot").send_keys(KEYS["escape"])
    pressed(page, "curves", "log")
    assert first() < 5


def test_a_click_hides_a_learner_and_another_shows_it(page):
    chip = one(page, "#curves .legend button[title=arow]")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    assert rgb(page, "--c0") not in inks(page)
    assert "arow" not in {end.text for end in all_of(page, "#curves .end")}
    chip.click()
    assert rgb(page, "--c0") in inks(page)


def test_another_figure_a_window_a_date_and_a_scale(page):
    before = [value.text for value in all_of(page, "#curves .value")]
    one(page, "#curves select").find_element("css selector", "option[value=avgp]").click()
    after = [value.text for value in all_of(page, "#curves .value")]
    assert before != after
    assert "precision at their rank" in one(page, "#curves > .note").text
    pressed(page, "curves", "last 200")
    assert [value.text for value in all_of(page, "#curves .value")] != after
    pressed(page, "curves", "date")
    assert re.fullmatch(r"[\d-]+( [\d:]+)?", one(page, "#curves .dygraph-axis-label-x").text)
    pressed(page, "curves", "documents")
    pressed(page, "curves", "log")
    assert {"20", "100", "1,000"} & {label.text for label in all_of(page, "#curves .dygraph-axis-label-x")}


def test_the_mouse_says_what_is_there_and_zooms(page):
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    chart = one(page, "#curves .chart")
    actions(page).move_to_element(chart).perform()
    assert re.match(r"at document \d", one(page, "#curves output").text)
    labels = [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")]
    actions(page).move_to_element_with_offset(chart, -100, 0).click_and_hold().move_by_offset(
        150, 0
    ).release().perform()
    assert [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")] != labels
    next(b for b in all_of(page, "#curves .zoom button") if b.text == "All").click()
    assert [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")] == labels


def test_keys_alone_reach_everything(page):
    usable = "a[href], button, select, input[type=search], [tabindex='0']"
    wanted = page.execute_script("return document.querySelectorAll(arguments[0]).length", usable)
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    reached = set()
    for _ in range(wanted + 2):
        actions(page).send_keys(KEYS["tab"]).perform()
        focused = page.switch_to.active_element
        if focused.tag_name == "body":
            break
        reached.add(focused.id)
    assert len(reached) == wanted
    plot = one(page, "#curves .plot")
    plot.send_keys(KEYS["right"])
    first = one(page, "#curves output").text
    plot.send_keys(KEYS["right"] * 3)
    assert one(page, "#curves output").text != first
    labels = [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")]
    plot.send_keys("+")
    assert [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")] != labels
    plot.send_keys("0")
    assert [label.text for label in all_of(page, "#curves .dygraph-axis-label-x")] == labels
    chip = one(page, "#curves .legend button[title=mmp]")
    chip.send_keys(KEYS["enter"])
    assert chip.get_attribute("aria-pressed") == "false"


def test_the_table_of_labels_sorts_and_is_searched(page):
    def column(place):
        return [cell.text for cell in all_of(page, f"#labels tbody tr > :nth-child({place})")]

    support = [int(text.replace(",", "")) for text in column(2)]
    assert support == sorted(support, reverse=True)
    head = all_of(page, "#labels thead th")
    head[0].find_element("css selector", "button").click()
    assert column(1) == sorted(column(1))
    assert head[0].get_attribute("aria-sort") == "ascending"
    head[4].find_element("css selector", "button").click()
    found = [float(text) for text in column(5) if text[0].isdigit()]
    assert found == sorted(found, reverse=True)
    one(page, "#labels input[type=search]").send_keys("econ")
    assert column(1)
    assert all("econ" in label for label in column(1))


def test_what_documents_say_is_text(page):
    one(page, "#labels input[type=search]").send_keys("onerror")
    assert [cell.text for cell in all_of(page, "#labels tbody th")] == [
        "</script><script>window.struck=1</script><img src=x onerror='window.struck=2'>{{script}}"
    ]
    assert "onerror" in one(page, "#letters").text
    assert all_of(page, "#letters img, #labels img") == []


def test_which_is_better_since_when(page):
    said = [line.text for line in all_of(page, "#better .verdicts li")]
    assert any(re.fullmatch(r"\w+ better than \w+ since document [\d,]+", line) for line in said)
    assert one(page, "#better tbody th").text.split() == ["arow", "mlpp"]
    assert rgb(page, "--base") in inks(page, "#better")
    one(page, "#better select").find_element("css selector", "option[value=errsetsize]").click()
    for column in (3, 5):  # a loss that has no interval has no order that is open
        assert {cell.text for cell in all_of(page, f"#better tbody td:nth-child({column})")} == {"\N{EN DASH}"}
    assert all_of(page, "#better .verdicts li") == []


def test_what_happened_is_there(page):
    assert "takes over from" in one(page, "#happened").text
    assert "Drift" in one(page, "#happened").text
    assert "2 records could not be read" in one(page, "#letters").text
    assert "telex replay" in one(page, "#facts pre").text


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, width):
    look(page, width=width)
    page.refresh()
    time.sleep(0.05)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_long_names_are_no_wider_either(page, tmp_path):
    long = "windowed:boost=mpboost,every=100,window=500,rounds=60"  # which is better, and so is in sentences
    learners = ["--learner", "nb", "--learner", long, "--learner", f"{long},weights=exponential"]
    assert main(["replay", "synthetic:n=1500,seed=3", *learners, "--run", str(tmp_path / "run")]) == 0
    look(page, width=390)
    page.get(report([tmp_path / "run"], tmp_path / "long.html").as_uri())
    assert long in one(page, ".lead").text
    assert page.execute_script("return document.documentElement.scrollWidth") <= 390


CONTRASTS = """
function parsed(colour) { return colour.match(/[\\d.]+/g).map(Number); }
function light([r, g, b]) {
  const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
function behind(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = parsed(getComputedStyle(one).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
  return [255, 255, 255];
}
const found = [];
const texts = document.createTreeWalker(document.getElementById('page'), NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || element.closest('.hidden, option, .skip')) continue;
  const [one, other] = [light(parsed(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
  found.push([(one + 0.05) / (other + 0.05), element.className + ': ' + texts.currentNode.textContent.slice(0, 30)]);
}
return found.sort((a, b) => a[0] - b[0]);
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_holds(page, theme):
    look(page, theme=theme)
    page.refresh()
    found = page.execute_script(CONTRASTS)
    assert len(found) > 100
    assert found[0][0] >= 4.5, found[:5]


def test_of_several_runs_one_is_chosen(page, run, tmp_path):
    shutil.copytree(run, tmp_path / "other")
    page.get(report([run, tmp_path / "other"], tmp_path / "both.html").as_uri())
    assert one(page, "h2.run").text == "run"
    one(page, "main > .controls select").find_element("css selector", "option:last-child").click()
    assert one(page, "h2.run").text == "other"
    assert rgb(page, "--c0") in inks(page)


def test_the_theme_can_be_chosen(page):
    def paper():
        return page.execute_script("return getComputedStyle(document.documentElement).backgroundColor")

    light = paper()
    next(button for button in all_of(page, ".top button") if button.text == "dark").click()
    assert paper() != light
    assert rgb(page, "--c0") in inks(page)


def mount(tmp_path, name, edges, tables):
    """Write the report of a run that has but a tree and counts of labels, and return its address."""
    folder = tmp_path / name
    folder.mkdir()
    write_facts(folder, {"learners": dict.fromkeys(tables), "tree": tree_fact(Tree.of(edges))})
    rows = [
        (learner, label, tp, fp, fn, tp + fn, 1) for learner, table in tables.items() for label, tp, fp, fn in table
    ]
    (folder / "labels.csv").write_text(csv_text([("learner", *LABEL_COUNTS), *rows]))
    history = [(learner, at, table[0][0], at, 0, at) for learner, table in tables.items() for at in (10, 20)]
    (folder / "label-history.csv").write_text(csv_text([("learner", "documents", "label", "tp", "fp", "fn"), *history]))
    return report([folder], tmp_path / f"{name}.html").as_uri()


EDGES = [
    ("energy", None), ("crude", "energy"), ("brent", "crude"), ("gas", "energy"), ("sport", None), ("chess", "sport")
]  # fmt: skip
COUNTS = {
    "mmp": [("energy", 8, 2, 0), ("crude", 1, 0, 3), ("brent", 0, 1, 4), ("gas", 2, 2, 2), ("sport", 5, 0, 0),
            ("<b>", 1, 0, 0)],
    "nb": [("energy", 0, 0, 8), ("crude", 4, 0, 0), ("brent", 4, 0, 0), ("gas", 4, 0, 0), ("sport", 5, 0, 0),
           ("<b>", 0, 0, 1)],
}  # fmt: skip


def rows_of(page):
    """The rows of the tree: the label with what is said beside it, and its figures."""
    rows = (all_of(row, "th, td") for row in all_of(page, "#tree > .scroll tbody tr"))
    return {cells[0].text: [cell.text for cell in cells[1:5]] for cells in rows}


def button(page, text):
    return next(one for one in all_of(page, "#tree button") if one.text == text)


def test_a_tree_opens_and_folds_by_mouse_and_by_keys(page, tmp_path):
    page.get(mount(tmp_path, "tree", EDGES, COUNTS))
    assert rows_of(page) == {  # to depth 2, in the order of a walk; chess came in no document
        "energy": ["8", "0.800", "1.000", "0.889"], "crude + 1 below": ["8", "0.500", "0.125", "0.200"],
        "gas": ["4", "0.500", "0.500", "0.500"], "sport": ["5", "1.000", "1.000", "1.000"],
        "<b>": ["1", "1.000", "1.000", "1.000"],
    }  # fmt: skip
    assert "1 label of the tree came in no document" in one(page, "#tree").text
    button(page, "crude").click()
    assert rows_of(page)["crude"] == ["4", "1.000", "0.250", "0.400"]
    assert rows_of(page)["brent"] == ["4", "0.000", "0.000", "0.000"]
    button(page, "energy").send_keys(KEYS["enter"])
    assert list(rows_of(page)) == ["energy + 3 below", "sport", "<b>"]
    assert rows_of(page)["energy + 3 below"] == ["20", "0.688", "0.550", "0.611"]  # 11 of 16 predicted, of 20 true
    folded = page.switch_to.active_element  # the focus stays
    assert (folded.text, folded.get_attribute("aria-expanded")) == ("energy", "false")
    folded.send_keys(" ")
    assert button(page, "energy").get_attribute("aria-expanded") == "true"
    assert list(rows_of(page)) == ["energy", "crude", "brent", "gas", "sport", "<b>"]
    button(page, "fold all").click()
    assert list(rows_of(page)) == ["energy + 3 below", "sport", "<b>"]
    button(page, "open all").click()
    assert len(rows_of(page)) == 6


def test_a_tree_is_searched_and_shows_another_learner(page, tmp_path):
    page.get(mount(tmp_path, "tree", EDGES, COUNTS))
    search = one(page, "#tree input[type=search]")
    search.send_keys("BRENT")
    assert list(rows_of(page)) == ["energy", "crude", "brent"]
    assert rows_of(page)["crude"][0] == "4"  # nothing is summed that can be seen
    search.send_keys("x")
    assert rows_of(page) == {}
    assert "Nothing here" in one(page, "#tree").text
    search.send_keys("\ue003" * 6)
    assert "crude + 1 below" in rows_of(page)
    one(page, "#tree select").find_element("css selector", "option[value=nb]").click()
    assert rows_of(page)["crude + 1 below"] == ["8", "1.000", "1.000", "1.000"]


def test_the_depth_with_most_mistakes_is_named(page, tmp_path):
    page.get(mount(tmp_path, "tree", EDGES, COUNTS))
    assert one(page, "#tree .said").text == (
        "mmp makes the most mistakes at depth 2 of 3: 7 of 14 (50 %), 5 labels missed and 2 added. "
        "Of the mistakes at all depths, 64 % are in leaves."
    )
    table = all_of(page, "#tree .said ~ div tbody tr")
    assert [[cell.text for cell in all_of(row, "th, td")] for row in table] == [
        ["1 (roots)", "3", "2", "14", "0", "2", "1.000", "0.875"], ["2", "2", "1", "8", "5", "2", "0.375", "0.600"],
        ["3", "1", "1", "4", "4", "1", "0.000", "0.000"],
    ]  # fmt: skip
    one(page, "#tree select").find_element("css selector", "option[value=nb]").click()
    assert "nb makes the most mistakes at depth 1 of 3: 9 of 9 (100 %)" in one(page, "#tree .said").text


def test_a_label_may_have_any_name(page, tmp_path):
    names = ["energy", "__proto__", "constructor", "__defineGetter__"]
    page.get(
        mount(tmp_path, "names", zip(names, [None, *names], strict=False), {"mmp": [(name, 1, 1, 1) for name in names]})
    )
    button(page, "open all").click()
    assert rows_of(page) == {name: ["2", "0.500", "0.500", "0.500"] for name in names}
    assert (
        len(all_of(page, "#tree svg.spark")) == len(all_of(page, "#labels svg.spark")) == 1
    )  # only energy has a history


def test_a_large_tree_draws_only_rows_that_are_open(page, tmp_path):
    edges = [(f"n{i}", f"n{(i - 1) // 10}" if i else None) for i in range(13_000)]
    page.get(mount(tmp_path, "large", edges, {"mmp": [(label, i % 7, i % 3, 1) for i, (label, _) in enumerate(edges)]}))
    assert len(rows_of(page)) == 11
    button(page, "open all").click()
    assert len(rows_of(page)) == 300
    assert "300 of 13,000 rows" in one(page, "#tree").text
    button(page, "Show 300 more").click()
    assert len(all_of(page, "#tree > .scroll tbody tr")) == 600
    button(page, "fold all").click()
    [(label, figures)] = rows_of(page).items()
    assert (label, figures[0]) == ("n0 + 12,999 below", f"{sum(i % 7 + 1 for i in range(13_000)):,}")


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1280, "light")])
def test_a_run_with_a_tree_has_its_losses_and_reads_well(page, tmp_path, width, theme):
    options = ["--tree", "path:/", "--learner", "mmp", "--run", str(tmp_path / "run")]
    assert main(["replay", "synthetic:n=300,seed=3", *options]) == 0
    look(page, width=width, theme=theme)
    page.get(report([tmp_path / "run"], tmp_path / "run.html").as_uri())
    for name in ("l_h", "l_htilde", "hierarchical_f1", "invalid"):
        one(page, "#curves select").find_element("css selector", f"option[value={name}]").click()
        assert re.search(rf"{name}: .*(Lower|Higher) is better\.", one(page, "#curves > .note").text)
        assert name in one(page, "#standings thead").text
    assert len(all_of(page, "#tree svg.spark")) > 3
    below = one(page, "#tree tbody th[title='society/bitind']")
    assert below.text.startswith("/bitind")  # what a path has beyond its parent's
    names = all_of(page, "#tree > .scroll tbody th")
    assert all(
        page.execute_script("return arguments[0].scrollWidth <= arguments[0].clientWidth", name) for name in names
    )
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    assert page.execute_script(CONTRASTS)[0][0] >= 4.5


def test_a_run_without_a_tree_has_no_such_section(page):
    assert all_of(page, "#tree, nav a[href='#tree']") == []
