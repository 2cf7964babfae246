// The engine finds what the command line finds. TOLLPROOF is the program; by default, that of a debug build.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";

import fc from "fast-check";
import { check, checkText, read, rule, useLanguage, write } from "tollproof";

import { drafts, files, variants } from "./drafts.js";

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

/** Sheets of clients: drafts of the samples with other values in some cells, of which some have the same number. */
function sheets(provider, number) {
  const samples = drafts().filter((it) => check(it).provider === provider && it[number] !== undefined);
  const numbers = fc.constantFrom("+18335550142", "833-555-0142", "(833) 555-0143", " +18885550144", "PN0123456789abcdef0123456789abcdef");
  const cell = fc.oneof(
    fc.constantFrom("", " ", "=1+1", "2134", "true", "MARKETING", "https://example.com/a;https://example.com/b", "Text STOP to opt out, please"),
    fc.string({ unit: "grapheme", maxLength: 40 }),
  );
  const columns = [...new Set(samples.flatMap((it) => Object.keys(it)))];
  const changes = fc.dictionary(fc.constantFrom(...columns), cell, { maxKeys: 3 });
  const row = fc.tuple(fc.constantFrom(...samples), numbers, changes);
  const rows = fc.array(row.map(([draft, to, changed]) => ({ ...draft, [number]: to, ...changed })), { minLength: 1, maxLength: 8 });
  return rows.map((drafts) => ({ provider, text: new TextDecoder().decode(write(drafts, "csv", provider).bytes) }));
}

test("the rows of any sheet have the findings of the command line, also about numbers of other rows", () => {
  let duplicates = 0;
  const essence = ({ rule, severity, document, pointer, message, help }) => ({ rule, severity, document, pointer, message, help });
  const any = fc.oneof(sheets("bulk-csv", "Phone_Numbers"), sheets("twilio", "TollfreePhoneNumberSid"));
  fc.assert(
    fc.property(any, ({ provider, text }) => {
      const expected = report(text, "clients.csv").findings;
      assert.deepEqual(checkText(text, { fileName: "clients.csv", now }).findings, expected);
      duplicates += expected.filter((it) => it.rule === "history/duplicate-in-batch").length;

      const earlier = {};
      const values = read(new TextEncoder().encode(text), "clients.csv").documents.map(({ value }) => value);
      const found = values.flatMap((value, at) => {
        const { findings, numbers } = check(value, { provider, earlier, now });
        for (const number of numbers) earlier[number] ??= `row ${at + 1}`;
        return findings.map((it) => ({ ...essence(it), document: at }));
      });
      assert.deepEqual(check(values, { provider, now }).findings.map(essence), found);
      // A table names its columns once, so what is wrong with a name is found once.
      const names = new Set();
      const isNew = ({ rule, pointer }) => rule !== "structure/unknown-field" || (!names.has(pointer) && names.add(pointer));
      // The order is that of the fields, which the columns of a table may have in another one.
      const sorted = (all) => all.map((it) => JSON.stringify(it)).sort();
      assert.deepEqual(sorted(found.filter(isNew)), sorted(expected.map(essence)));
    }),
    { numRuns: 60 },
  );
  assert.ok(duplicates > 20, `${duplicates} duplicates`);
});

test("readings have the findings of the command line", () => {
  const draft = readFileSync(new URL("../../../../tests/drafts/cedar-auto.json", import.meta.url), "utf8");
  const value = JSON.parse(draft);
  value.optInWorkflowDescription += " The switch for texts greets them in green.";
  const text = JSON.stringify(value);
  const path = join(folder, "draft.json");
  writeFileSync(path, text);
  const store = join(folder, "readings.ndjson");
  const run = (input, ...args) => {
    const ran = spawnSync(program, ["read", "--no-config", "--readings", store, ...args, path], { cwd: folder, input });
    assert.equal(ran.error, undefined);
    return ran.stdout.toString();
  };
  const request = JSON.parse(run("", "--export", "-").trim().split("\n")[1]);
  const quote = "The switch for texts greets them in green";
  const answers = { "consent-prechecked": { answer: "yes", quote, sure: true } };
  run(JSON.stringify({ id: request.id, reader: "a test", answers }), "--import", "-");
  const readings = readFileSync(store, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const expected = report(text, "draft.json", ["--readings", store]);
  const found = checkText(text, { fileName: "draft.json", now, readings });
  assert.deepEqual(found.findings, expected.findings);
  const [finding] = found.findings.filter((it) => it.readBy !== undefined);
  assert.deepEqual([finding.rule, finding.readBy], ["opt-in/prechecked", "a test"]);
  assert.ok(found.notChecked.some((it) => it.includes("1 draft")), "the other questions have no answer");
  assert.equal(check(value, { now, readings }).findings.filter((it) => it.readBy === "a test").length, 1);
});

test("every rule has the documentation of the command line", () => {
  const ran = spawnSync(program, ["rule", "--output-format", "json"], { cwd: folder, maxBuffer: 1 << 28 });
  const rules = JSON.parse(ran.stdout);
  assert.ok(rules.length > 100, `${rules.length} rules`);
  for (const { id, title, severity, message, help, docs, prevents, source, examples } of rules) {
    const { pass, fail } = examples;
    const expected = { id, title, severity, message, help, docs, pass, fail, prevents, source };
    assert.deepEqual(rule(id), expected, id);
  }
});

test("findings are in the language that was chosen", async () => {
  const value = { businessContactEmail: "ana@gmail.com" };
  const message = () => check(value, { now }).findings.find((it) => it.rule === "contact/free-mail").message;
  const english = message();
  await useLanguage("fr");
  const told = message();
  await useLanguage("en");
  assert.match(told, /service de courriel gratuit/);
  assert.equal(message(), english);
  await assert.rejects(useLanguage("de"), /not a language of tollproof/);
});
