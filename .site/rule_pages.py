"""A page for each rule, with its examples drawn as the terminal draws them."""

import html
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

import yaml

import fields
import terminal

SCENES = os.environ.get("SCENES", str(terminal.ROOT / "target/debug/examples/scenes"))
# Examples that are open on the page; the others are folded.
SHOWN = 2
GROUPS = {
    "address": "Countries, states, provinces and postal codes, and whether they fit together.",
    "answer": "What a provider or reviewer answered; only `tollproof explain` reports these.",
    "business": "Placeholders instead of names and addresses, and names that are not legal names.",
    "config": "Ignored findings: unused, unknown, expired or without a reason.",
    "contact": "E-mail addresses and phone numbers.",
    "content": "Content that carriers do not allow on toll-free numbers, and texts that say too little.",
    "disclosure": "The privacy policy and the terms: their addresses, and what they say about sharing numbers.",
    "history": "Earlier submissions of the same number, two drafts with one number, deadlines.",
    "input": "Whether the file can be read.",
    "message": "The sample message: who sends it, how to stop, links.",
    "number": "The toll-free numbers.",
    "opt-in": "How people agree, what they are told, and the proof of it.",
    "picture": "Pictures of how people agree, as they were seen.",
    "political": "What political senders need.",
    "record": "Statuses and times of a verification record.",
    "registration": "The registration of the business.",
    "structure": "Required fields, types, lengths and closed lists of your provider's API.",
    "use-case": "Whether use case, summary and sample are about the same messages.",
    "website": "Whether the website has a valid address, opens and belongs to the business.",
}


class Rules:
    """All rules, with their examples as they are reported."""

    def __init__(self):
        self.all = {rule["id"]: rule for rule in json.loads(terminal.run("rule", "--output-format", "json"))}
        unknown = {rule.split("/")[0] for rule in self.all} - GROUPS.keys()
        if unknown:
            raise RuntimeError(f".site/rule_pages.py does not describe these groups of rules: {unknown}")
        lines = subprocess.run([SCENES], capture_output=True, check=True).stdout.decode().splitlines()
        scenes = [json.loads(line) for line in lines]
        with ThreadPoolExecutor() as threads:
            drawings = threads.map(draw, scenes)
            self.drawn = {(it["rule"], it["number"]): drawing for it, drawing in zip(scenes, drawings)}
        missing = [it for it, drawing in self.drawn.items() if drawing is None]
        if missing:
            raise RuntimeError(f"these examples are not reported by their rules: {missing}")
        self.anchors = {rule.replace("/", ""): rule for rule in self.all}

    def pages(self, codes):
        """The source of each page by its path in the site."""
        yield "rules/index.md", self.index()
        for group, ids in groupby(self.all, lambda rule: rule.split("/")[0]):
            ids = list(ids)
            yield f"rules/{group}/index.md", self.group(group, ids)
            for rule in ids:
                yield f"rules/{rule}.md", self.page(self.all[rule], codes)

    def nav(self):
        """The entries of the navigation."""
        entries = []
        for group, ids in groupby(self.all, lambda rule: rule.split("/")[0]):
            rules = [{rule.split("/")[1]: f"rules/{rule}.md"} for rule in ids]
            entries.append({group: [f"rules/{group}/index.md", *rules]})
        return entries

    def index(self):
        """The list of all rules."""
        text = [
            "# Rules",
            "",
            f"tollproof has {len(self.all)} rules. Each finding names its rule: `error[message/missing-opt-out]`. Type a word"
            " of a finding or of a rule to find its page.",
            "",
            *filter_box("Filter rules", "opt out, e-mail, placeholder…"),
            "",
        ]
        for group, ids in groupby(self.all, lambda rule: rule.split("/")[0]):
            text += [f"## {group}", "", GROUPS[group], "", *self.table(list(ids), f"{group}/", ""), ""]
        return "\n".join(text)

    def group(self, group, ids):
        """The list of the rules of a group."""
        return "\n".join(
            [f"# {group}", "", GROUPS[group], "", *self.table(ids, "", ""), "",
             f"`--select {group}` runs only these rules, and `--ignore {group}` all others. "
             "[Settings](../../configuration.md#change-the-severity-of-a-rule) says how to change their severity."]
        )

    def table(self, ids, folder, up):
        """Rows of rules, which the box above filters."""
        rows = ["| rule | severity | reports |", "|---|---|---|"]
        for rule in ids:
            it = self.all[rule]
            name = rule.split("/")[1]
            rows.append(f"| [`{name}`]({up}{folder}{name}.md) | {badge(it['severity'])} | {cell(it['title'])} |")
        return rows

    def page(self, rule, codes):
        """The page of one rule."""
        group, name = rule["id"].split("/")
        others = [f"sometimes {' or '.join(rule['sometimes'])}"] if rule.get("sometimes") else []
        others += [] if rule["enabled"] else ["off by default"]
        facts = [("Rule", f"`{rule['id']}`"), ("Severity", f"{badge(rule['severity'])} {', '.join(others)}".strip())]
        facts += [("Checks", places(rule))]
        facts += [("Help", with_breaks(rule["help"]))] if rule.get("help") else []
        if rule["prevents"]:
            facts += [("Prevents", "<br>".join(codes.link(it["by"], it["code"], "../../") for it in rule["prevents"]))]
        title = rule["title"].replace('"', '\\"')
        text = [
            "---",
            f'title: "{title}"',
            f'description: "{rule["id"]}: {title}"',
            "---",
            "",
            f"# {rule['title']}",
            "",
            *fact_list(facts),
            *other_names(rule),
            rule["docs"].strip(),
            "",
            *self.examples(rule),
            *settings(rule),
            "## Source",
            "",
            *(f"- {source(it)}" for it in rule["source"]),
        ]
        return "\n".join(text)

    def examples(self, rule):
        """Bad and good examples."""
        bad = [self.bad(rule["id"], at, it) for at, it in enumerate(rule["examples"]["fail"])]
        good = [good_example(it) for it in rule["examples"]["pass"]]
        return ["## Bad", "", *folded(bad, "more bad examples"), "## Good", "", *folded(good, "more good examples")]

    def bad(self, rule, number, example):
        """A drawing of what is reported, or the example itself if it needs more than a file."""
        drawing = self.drawn.get((rule, number))
        return terminal.window(drawing) if drawing else snippet(example, "bad")


def draw(scene):
    """What the terminal shows of an example."""
    args = ["check", "--no-config", "--min-severity", "info", "--output-format", "full"]
    # What is said of who ignores a rule needs that rule to run.
    if not scene["rule"].startswith("config/"):
        args += ["--select", scene["rule"]]
    if scene["kind"]:
        args += ["--kind", scene["kind"]]
    report = terminal.run(*args, "--stdin-filename", scene["file"], "-", stdin=scene["text"], color="always")
    finding = terminal.first_finding(report, scene["rule"])
    return terminal.drawn(finding) if finding else None


def good_example(example):
    """An example that is not reported."""
    return snippet(example, "good")


def snippet(example, kind):
    """An example as it is in the rule file, in YAML."""
    if not isinstance(example, str):
        example = yaml.safe_dump(example, allow_unicode=True, sort_keys=False, width=88)
    body = html.escape(example.rstrip("\n")).replace("\x00", "\u2400")
    return f'<div class="example {kind}"><pre>{body}</pre></div>'


def folded(items, words):
    """The first items, and the others folded."""
    text = [line for item in items[:SHOWN] for line in (item, "")]
    rest = items[SHOWN:]
    if rest:
        text += [f"<details><summary>{len(rest)} {words}</summary>", *rest, "</details>", ""]
    return text


def settings(rule):
    """How to change or ignore the rule."""
    name = rule["id"]
    group = name.split("/")[0]
    if group == "input" or name == "structure/unknown-kind":
        words = "This rule is always on, because it reports what could not be read. [What you cannot ignore]" \
            "(../../configuration.md#what-you-cannot-ignore) explains why."
        return ["## Settings", "", words, ""]
    if group in ("answer", "config"):
        return []
    level = "info" if rule["severity"] == "warning" else "warning"
    level = "warning" if rule["severity"] == "info" else level
    on = [] if rule["enabled"] else [f"It is off by default. `--select {name}` turns it on.", ""]
    return [
        "## Change or ignore",
        "",
        *on,
        f"In `tollproof.yaml`, to change the [severity](../../configuration.md#change-the-severity-of-a-rule), or to "
        "[ignore findings](../../configuration.md#ignore-a-finding) with a reason:",
        "",
        "```yaml",
        "rules:",
        f"  {name}: {level}        # or off",
        "ignore:",
        f"  - rule: {name}",
        "    files: drafts/example.yaml",
        "    reason: Why the text stays as it is.",
        "```",
        "",
        "In a YAML draft, above the value:",
        "",
        "```yaml",
        f"# tollproof: ignore[{name}] why the text stays as it is",
        "```",
        "",
    ]


def fact_list(facts):
    """What a rule or a code is, as a list of terms."""
    text = ['<div class="facts" markdown>', ""]
    for label, value in facts:
        text += [label, f":   {value}", ""]
    return [*text, "</div>", ""]


def places(rule):
    """The fields that a rule looks at."""
    fields = ", ".join("the whole document" if it == "$document" else f"`{it}`" for it in rule["at"])
    kinds = ", ".join(it.replace("-", " ") for it in rule["kinds"])
    return cell(f"{fields} ({kinds})")


def other_names(rule):
    """The fields of a rule as each provider names them."""
    roles = list(dict.fromkeys(re.split(r"[\[.]", at)[0] for at in rule["at"] if at != "$document"))
    rows = []
    for provider in (it for name, it in fields.PROVIDERS.items() if name != "bird"):
        names = list(dict.fromkeys(name for role in roles if (name := provider.field(role))))
        if names:
            rows.append(f"| {provider.heading} | {', '.join(f'`{name}`' for name in names)} |")
    if not rows:
        return []
    head = ['<details markdown><summary>The same fields at other providers</summary>', "", "| provider | fields |", "|---|---|"]
    return [*head, *rows, "", "</details>", ""]


def badge(severity):
    """A severity as a label."""
    return f'<span class="severity {severity}">{severity}</span>'


def cell(text):
    """Text for a cell of a table."""
    return " ".join(text.replace("|", "&#124;").split())


def with_breaks(text):
    """Text of a rule, in which braces name what is inserted."""
    return cell(text).replace("<", "&lt;")


def source(text):
    """A source as a link if it is one."""
    return f"<{text}>" if text.startswith("https://") else cell(text)


def filter_box(label, hint):
    """A box that filters the tables of its page."""
    return [f'<input type="search" class="filter" aria-label="{label}" placeholder="{hint}" autocomplete="off">',
            '<p class="filter-count" aria-live="polite"></p>']
