"""Links of pages in the repository, as links of the site."""

import posixpath
import re

# Files outside of docs/ that are pages of the site.
PAGES = {
    "README.md": "README.md",
    "CHANGELOG.md": "reference/changelog.md",
    ".github/CONTRIBUTING.md": "reference/contributing.md",
    ".github/SECURITY.md": "reference/security.md",
    "crates/README.md": "reference/architecture.md",
    "rules/README.md": "rules/index.md",
    "rules": "rules/index.md",
    "schemas/codes.yaml": "rejected.md",
    "crates/tollproof-web/page": "page.md",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^( *)(```+|~~~+)")


def rewrite(text, source, page, known, repository, rules):
    """The text of a page with links that work on the site.

    `source` is the path of the text in the repository and `page` that of the page in the site; `known` are the pages and
    files of the site, `rules` the ids of rules by their anchors in rules/README.md. What the site does not have becomes a
    link to the repository, or plain text if its address is not known.
    """

    def replaced(match):
        words, target = match.groups()
        if re.match(r"[a-z][a-z0-9+.-]*:", target) or target.startswith("#"):
            return match.group(0)
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if path == "rules/README.md" and anchor in rules:
            found, anchor = f"rules/{rules[anchor]}.md", ""
        elif path == "rules/README.md" and anchor and anchor not in rules.values():
            found = "rules/writing.md"
        else:
            found = PAGES.get(path, path.removeprefix("docs/"))
        if found in known:
            to = posixpath.relpath(found, posixpath.dirname(page) or ".")
            return f"[{words}]({to}{'#' + anchor if anchor else ''})"
        if repository:
            return f"[{words}]({repository}/blob/HEAD/{path}{'#' + anchor if anchor else ''})"
        return words

    lines, fence = [], None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark.group(2)
        elif mark and line.strip().startswith(fence) and line.strip().strip(fence[0]) == "":
            fence = None
        elif fence is None:
            lines.append(line)
            continue
        lines.append(f"\x00{line}")
    # Links may go over the end of a line; blocks of code are left alone.
    out, block = [], []
    for line in [*lines, "\x00\x00"]:
        if line.startswith("\x00"):
            out += LINK.sub(replaced, "\n".join(block)).split("\n") if block else []
            block = []
            if line != "\x00\x00":
                out.append(line[1:])
        else:
            block.append(line)
    return "\n".join(out)
