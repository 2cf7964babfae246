// The engine finds what the command line finds. TOLLPROOF is the program; by default, that of a debug build.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";

import { check, checkText, read } from "tollproof";

import { files, variants } from "./drafts.js";

const program =
  process.env.TOLLPROOF ?? fileURLToPath(new URL("../../../../target/debug/tollproof", import.meta.url));

const now = "2026-11-21T08:00:00Z";

// Outside of any repository, where the name of a text is its identity too.
const folder = mkdtempSync(join(tmpdir(), "tollproof-"));
after(() => rmSync(folder, { recursive: true }));

const OPTIONS = ["check", "--no-config", "--now", now, "--min-severity", "info", "--output-format", "json"];

/** The report of the command line on a text. */
function report(text, name, options = []) {
  const args = [...OPTIONS, "--stdin-filename", name, ...options, "-"];
  const ran = spawnSync(program, args, { cwd: folder, input: text, maxBuffer: 1 << 28 });
  assert.equal(ran.error, undefined);
  assert.ok(ran.status === 0 || ran.status === 1, `${name}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

test("every sample file has the findings of the command line", () => {
  let compared = 0;
  for (const { name, bytes } of files()) {
    const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
    // What is not UTF-8 is read from bytes, not from a string.
    if (!Buffer.from(text).equals(bytes)) continue;
    const expected = report(bytes, name);
    const found = checkText(text, { fileName: name, now });
    assert.deepEqual(found.findings, expected.findings, name);
    for (const what of found.notChecked) assert.ok(expected.notChecked.includes(what), what);
    const { errors, warnings, infos } = expected.summary;
    assert.deepEqual(found.summary, { errors, warnings, infos });
    assert.equal(found.documents.length, expected.summary.documents, name);
    compared += found.findings.length;
  }
  assert.ok(compared > 100, `${compared} findings`);
});

test("variants of drafts have the findings of the command line, at the same places", () => {
  const all = variants();
  assert.ok(all.length > 200, `${all.length} variants`);
  let compared = 0;
  // The command line reads larger files in parts, and then tries the fixes of each part on its own.
  for (let at = 0; at < all.length; at += 50) {
    const text = all.slice(at, at + 50).map((draft) => JSON.stringify(draft)).join("\n") + "\n";
    const found = checkText(text, { fileName: "drafts.ndjson", now }).findings;
    assert.deepEqual(found, report(text, "drafts.ndjson").findings);
    compared += found.length;
  }
  assert.ok(compared > 1_000, `${compared} findings`);
});

test("a value has the findings of its text, and ranges count as JavaScript does", () => {
  let ranges = 0;
  for (const draft of variants().filter((_, at) => at % 6 === 0)) {
    const text = JSON.stringify(draft);
    const expected = report(text, "draft.json").findings;
    const found = check(draft, { now }).findings;
    const essence = ({ rule, severity, pointer, message, help }) => ({ rule, severity, pointer, message, help });
    assert.deepEqual(found.map(essence), expected.map(essence));
    found.forEach(({ range, pointer }, at) => {
      if (range === null) return;
      const value = pointer.split("/").slice(1).reduce((it, key) => it[key.replaceAll("~1", "/").replaceAll("~0", "~")], draft);
      const { start, end } = expected[at].span;
      const written = Buffer.from(text).subarray(start, end).toString();
      assert.equal(value.slice(range.start, range.end), JSON.parse(`"${written}"`), pointer);
      ranges += 1;
    });
  }
  assert.ok(ranges > 50, `${ranges} ranges`);
});

test("a workbook has the drafts of the table that it was made from", () => {
  const { name, bytes } = files().find((it) => it.name === "bulk-csv/clients.csv");
  const workbook = join(folder, "clients.xlsx");
  const args = [...OPTIONS, "--stdin-filename", name, "--output-format", `xlsx=${workbook}`, "-"];
  const ran = spawnSync(program, args, { cwd: folder, input: bytes });
  assert.ok(ran.status === 0 || ran.status === 1, `${ran.stderr}`);
  const expected = read(bytes, name);
  const found = read(readFileSync(workbook), "clients.xlsx");
  assert.deepEqual([found.format, found.provider, found.problems], ["xlsx", expected.provider, []]);
  assert.deepEqual(found.documents.map((it) => it.label), expected.documents.map((it) => it.label));
  found.documents.forEach(({ value, kind }, at) => {
    assert.equal(kind, expected.documents[at].kind);
    for (const [key, text] of Object.entries(expected.documents[at].value)) assert.deepEqual(value[key], text, key);
  });
});

test("a provider and a kind are chosen as on the command line", () => {
  const draft = { businessName: "Acme", useCase: "Delivery" };
  for (const provider of ["twilio", "telnyx", "bandwidth"]) {
    const expected = report(JSON.stringify(draft), "draft.json", ["--provider", provider]).findings;
    const found = check(draft, { provider, now }).findings;
    assert.deepEqual(found.map((it) => it.rule + it.pointer), expected.map((it) => it.rule + it.pointer));
    const judged = report(JSON.stringify(draft), "draft.json", ["--for", provider]).findings;
    const other = check(draft, { for: provider, now }).findings;
    assert.deepEqual(other.map((it) => it.rule + it.pointer), judged.map((it) => it.rule + it.pointer));
  }
});
