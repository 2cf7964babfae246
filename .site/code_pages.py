"""A page for each code and short text with which a provider rejects a submission, and the list of them."""

import re

import yaml

import fields
import terminal
from rule_pages import badge, cell, fact_list, filter_box

# The order of the list; names come from the file.
ORDER = ["twilio", "telnyx", "bandwidth", "aws", "azure"]
INHERITED = ("title", "means", "role", "or", "change", "resubmit", "until", "rules")
AGAIN = {True: "Yes", False: "No", "unknown": "The provider does not list it: read it in the answer"}


class Codes:
    """All entries of schemas/codes.yaml."""

    def __init__(self):
        data = yaml.safe_load((terminal.ROOT / "schemas/codes.yaml").read_text(encoding="utf-8"))
        self.providers = data["providers"]
        self.raw = data["codes"]
        if set(self.raw) != set(ORDER):
            raise RuntimeError(f".site/code_pages.py does not order the providers of schemas/codes.yaml: {set(self.raw)}")
        self.all = {(by, str(code)): self.resolved(by, code) for by in ORDER for code in self.raw[by]}

    def resolved(self, by, code):
        """An entry with what it takes from others."""
        entry = dict(self.raw[by][code])
        root = (by, str(code))
        while "same" in entry:
            by, code = entry.pop("same").split(" ", 1)
            root = (by, code)
            other = self.raw[by][code]
            entry = {**{key: other[key] for key in (*INHERITED, "same") if key in other}, **entry}
            if "same" not in other:
                break
        entry["root"] = root
        return entry

    def title(self, key):
        """The provider's title."""
        by, code = key
        own = self.raw[by][code].get("title")
        return own or (code if not code.isdigit() else self.all[key]["title"])

    def name(self, key):
        """How a code is called: `Twilio 30509`, or the short text."""
        by, code = key
        name = self.providers[by]["title"]
        return f"{name} {code}" if code.isdigit() else name

    def path(self, key):
        """The path of the page in the site."""
        return f"rejected/{key[0]}/{slug(key[1])}.md"

    def link(self, by, code, up):
        """A link to a code, or its name if it has no page."""
        key = (by, str(code))
        name = self.providers.get(by, {"title": by.capitalize()})["title"]
        if key not in self.all:
            return cell(f"{name} {code}")
        words = f"{self.name(key)}: {self.title(key)}"
        return f"[{cell(words)}]({up}{self.path(key)})"

    def pages(self, rules):
        """The source of each page by its path in the site."""
        finds = {}
        for rule in rules.all.values():
            for it in rule["prevents"]:
                finds.setdefault((it["by"], it["code"]), []).append(rule["id"])
        for key in self.all:
            yield self.path(key), self.page(key, rules, finds)

    def nav(self):
        """The entries of the navigation."""
        return [
            {self.providers[by]["title"]: [
                {(it[1] if it[1].isdigit() else self.title(it)): self.path(it)} for it in self.all if it[0] == by]}
            for by in ORDER
        ]

    def page(self, key, rules, finds):
        """The page of one code."""
        by, code = key
        entry, title = self.all[key], self.title(key)
        provider = self.providers[by]
        heading = f"{self.name(key)}: {title}"
        found = list(dict.fromkeys([*entry.get("rules", []), *finds.get(key, [])]))
        resubmit = entry.get("resubmit", "unknown")
        again = AGAIN[resubmit]
        until = entry.get("until", provider.get("until", ""))
        rows = [("What it means", entry.get("means", ""))]
        provider_fields = fields.PROVIDERS.get(by)
        names = [provider_fields.field(entry[it]) for it in ("role", "or") if it in entry] if provider_fields else []
        if name := next(filter(None, names), None):
            rows.append(("Where to look", f"`{name}`"))
        rows += [("What to change", entry.get("change", "")), ("Can you send it again?", again)]
        rows += [("Until when", until)] if until and resubmit is not False else []
        rows += [("Provider's wording", "; ".join([title, *entry.get("also", [])]))] if entry.get("also") else []
        text = [
            "---",
            f'title: "{quoted(heading)}"',
            f'description: "{quoted(cell(entry.get("means", heading)))}"',
            "---",
            "",
            f"# {heading}",
            "",
            *fact_list([(label, cell(words)) for label, words in rows if words]),
            "## What tollproof finds",
            "",
            *self.found(found, rules),
            "## What to do now",
            "",
            *steps(provider, code, title, resubmit, bool(found)),
        ]
        same = [it for it in self.all if it != key and self.all[it]["root"] == entry["root"]]
        if same:
            text += ["", "## The same reason elsewhere", ""]
            text += [f"- {self.link(other, code, '../../')}" for other, code in same]
        return "\n".join(text)

    def found(self, ids, rules):
        """The rules that report the reason in a draft, with the first example of each."""
        if not ids:
            return ["A draft does not show this reason, so no rule of tollproof reports it. `tollproof explain` shows it at "
                    "the field that it is about.", ""]
        text = []
        for rule in ids:
            it = rules.all[rule]
            text += [f"{badge(it['severity'])} [{it['title']}](../../rules/{rule}.md) `{rule}`", "{ .found }", ""]
        first = next((drawing for rule in ids if (drawing := rules.drawn.get((rule, 0)))), None)
        if first:
            text += ["For example:", "", terminal.window(first), ""]
        return text

    def table(self):
        """The list of all codes, for the page of rejections."""
        text = [*filter_box("Filter reasons", "30509, or words such as “privacy policy”…"), ""]
        for by in ORDER:
            text += [f"## {self.providers[by]['title']}", ""]
            text += ["| code | reason | what it means |", "|---|---|---|"] if by != "telnyx" and by != "aws" else [
                "| reason | what it means |", "|---|---|"]
            for key in (it for it in self.all if it[0] == by):
                to = self.path(key)
                means = cell(self.all[key].get("means", ""))
                title = cell(self.title(key))
                if by in ("telnyx", "aws"):
                    text.append(f"| [{title}]({to}) | {means} |")
                else:
                    text.append(f"| [{key[1]}]({to}) | [{title}]({to}) | {means} |")
            text.append("")
        return "\n".join(text)

    def next_steps(self):
        """What each provider takes after a rejection."""
        rows = ["| provider | until when | if you can edit it | if you cannot |", "|---|---|---|---|"]
        for by in ORDER:
            it = self.providers[by]
            rows.append(f"| {it['title']} | {cell(it.get('until', '')) or 'not stated'} | {cell(it['may_edit'])} | {cell(it['final'])} |")
        return "\n".join(rows)


def steps(provider, code, title, resubmit, found):
    """What to do after this answer."""
    words = f"{code} {title}" if code.isdigit() else title
    words = words.replace('"', "'")
    text = [
        "1. Show the answer on the lines of your draft:",
        "",
        "    ```sh",
        f'    tollproof explain draft.yaml --text "{words}"',
        "    ```",
        "",
    ]
    if found:
        text += ["2. Check the whole draft, because reviewers often name only the first reason:", "",
                 "    ```sh", "    tollproof check draft.yaml", "    ```", ""]
    action = {True: "may_edit", False: "final"}.get(resubmit, "unknown")
    text += [f"{3 if found else 2}. {provider[action]}"]
    return text


def slug(text):
    """A code or short text as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def quoted(text):
    """Text for a string in YAML."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
