"""What tollproof prints, as a terminal draws it, in HTML."""

import html
import os
import subprocess
from pathlib import Path

from ansi2html import Ansi2HTMLConverter

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("TOLLPROOF", str(ROOT / "target/debug/tollproof"))
CONVERTER = Ansi2HTMLConverter(inline=False, escaped=True, linkify=False)
STARTS = ("error[", "warning[", "info[")


def run(*args, stdin="", color="never"):
    """Runs tollproof from the root of the repository; its standard output. Exit status 2 is an error."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    command = [PROGRAM, args[0], "--color", color, *args[1:]] if args[0] == "check" else [PROGRAM, *args]
    ran = subprocess.run(command, input=stdin.encode(), capture_output=True, cwd=ROOT, env=environment, check=False)
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: {ran.stderr.decode()}")
    return ran.stdout.decode()


def drawn(text):
    """Text with the codes of a terminal, as the content of a `<pre>`."""
    return CONVERTER.convert(text, full=False).replace("\x00", "\u2400").strip("\n")


def window(content, command=None):
    """A terminal that shows a command and its output, which is HTML."""
    prompt = f'<span class="prompt">$ {html.escape(command)}</span>\n\n' if command else ""
    return f'<div class="terminal"><pre>{prompt}{content}</pre></div>'


def first_finding(report, rule):
    """The first finding of a rule in a colored report; `None` without one."""
    taken = []
    for line in report.split("\n"):
        bare = uncolored(line)
        if bare.startswith(STARTS) or is_summary(bare):
            if taken:
                break
            if f"[{rule}]" in bare and bare.startswith(STARTS):
                taken.append(line)
        elif taken:
            taken.append(line)
    return "\n".join(taken).rstrip() or None


def uncolored(line):
    """A line without the codes of a terminal."""
    out, rest = "", line
    while "\x1b[" in rest:
        before, _, rest = rest.partition("\x1b[")
        out += before
        rest = rest.partition("m")[2]
    return out + rest


def is_summary(line):
    """Whether a line is the summary of a report: `1 document checked ...`."""
    return line.partition(" document")[0].isdigit()
