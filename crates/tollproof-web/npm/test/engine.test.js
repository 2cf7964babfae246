// What the functions of the package return.

import assert from "node:assert/strict";
import test from "node:test";

import { check, checkText, convert, explain, fields, headings, providers, read, rule, sample, write } from "tollproof";

import { drafts } from "./drafts.js";

/** A value after the edits of a fix. */
function edited(value, edits) {
  const copy = structuredClone(value);
  for (const edit of edits) {
    const keys = edit.pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop();
    if (last === undefined) return edit.value;
    const parent = keys.reduce((it, key) => it[key], copy);
    if ("value" in edit) parent[last] = edit.value;
    else delete parent[last];
  }
  return copy;
}

test("a fix changes the value so that its finding is gone", () => {
  let fixed = 0;
  for (const draft of drafts()) {
    for (const finding of check(draft).findings.filter(({ fix }) => fix?.safety === "safe")) {
      const after = check(edited(draft, finding.fix.edits)).findings;
      const same = (it) => it.rule === finding.rule && it.pointer === finding.pointer && it.message === finding.message;
      assert.ok(!after.some(same), `${finding.rule} ${finding.pointer}`);
      fixed += 1;
    }
  }
  assert.ok(fixed > 5, `${fixed} fixes`);
});

test("every provider has fields, each with what a form needs", () => {
  assert.ok(providers().length >= 11);
  for (const { name, title, kinds, partial } of providers()) {
    assert.ok(title && kinds.includes("submit-request"));
    const all = fields(name);
    assert.equal(new Set(all.map((it) => it.pointer)).size, all.length, name);
    for (const field of all) {
      assert.ok(field.title && field.pointer.startsWith("/"), `${name} ${field.pointer}`);
      if (field.type === "choice" || field.type === "choices") assert.ok(field.values.length > 0, field.pointer);
    }
    assert.ok(all.every((it) => it.role !== "businessName" || it.group === "business"), name);
    // Of some providers only a part of the fields is known.
    assert.ok(partial || (all.some((it) => it.required) && all.some((it) => it.type === "long-text")), name);
  }
  const images = fields("telnyx").find((it) => it.role === "optInWorkflowImageURLs");
  assert.deepEqual([images.type, images.item, images.group], ["list", "/url", "opt-in"]);
  assert.throws(() => fields("nobody"), /unknown provider `nobody`/);
});

test("labels of people are known by their roles", () => {
  assert.ok(headings().businessName.includes("nombre legal negocio"));
});

test("a rule has its documentation", () => {
  const found = rule("message/missing-opt-out");
  assert.ok(found.title && found.docs.length > 100 && found.pass.length > 0 && found.fail.length > 0);
  assert.equal(rule("message/no-such-rule"), null);
});

test("unknown options and values without JSON are errors", () => {
  assert.throws(() => check({}, { provider: "nobody" }), /nobody/);
  assert.throws(() => check({}, { colour: true }), /colour/);
  assert.throws(() => check({}, { now: "yesterday" }), /ISO 8601/);
  assert.throws(() => check({}, { provider: "twillio" }), { message: "invalid options: unknown provider `twillio`; did you mean `twilio`?" });
  for (const value of [undefined, null, 1, "text", [], [[]], { a: { b: [null] } }]) assert.ok(check(value).findings.length >= 0);
});

test("drafts come back from the files that are written", () => {
  const values = drafts().filter((draft) => draft.BusinessName !== undefined).slice(0, 5);
  assert.ok(values.length > 0);
  for (const format of ["json", "yaml"]) {
    const back = read(write(values, format, "twilio").bytes, `drafts.${format}`);
    assert.deepEqual([back.format, back.problems], [format, []]);
    assert.deepEqual(back.documents.map((it) => it.value), values);
    assert.equal(back.documents[0].label, values[0].BusinessName.trim());
  }
  const back = read(write(values, "csv", "twilio").bytes, "drafts.csv");
  assert.deepEqual(back.documents.map((it) => it.value.BusinessName), values.map((it) => it.BusinessName));
  const formula = [{ BusinessName: "Acme" }, { BusinessName: "=1+1", BusinessContactPhone: "+14155550134" }];
  const { notes } = write(formula, "csv", "twilio");
  assert.deepEqual(notes.map((it) => [it.document, it.name, it.isFormula]), [[1, "BusinessName", true]]);
  assert.deepEqual(write(formula, "json", "twilio").notes, []);
  assert.throws(() => write([{ a: { b: 1 } }], "csv", "twilio"), /`a` contains other fields/);
});

test("what cannot be read is a problem with its place", () => {
  const { problems, documents } = read(new TextEncoder().encode('{"a": 1,\n "b": }'), "draft.json");
  assert.equal(problems[0].line, 2);
  assert.equal(documents.length, 1);
  assert.throws(() => read(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), "drafts.xlsx"), /workbook/);
  const latin = read(Buffer.from("BusinessName;BusinessCity\nÉtoile;Lévis\n", "latin1"), "drafts.csv");
  assert.deepEqual([latin.isDamaged, latin.documents[0].value.BusinessName], [false, "Étoile"]);
  assert.ok(read(Buffer.from([0x61, 0xc3, 0xa9, 0xe9, 0x0a]), "drafts.csv").isDamaged);
  const noise = Uint8Array.from({ length: 4_000 }, (_, at) => (at * 7_919) % 256);
  for (const name of ["x.json", "x.yaml", "x.csv", "x.ndjson"]) assert.ok(read(noise, name).problems.length > 0);
});

test("a draft is converted, and what is left out is named", () => {
  const draft = { BusinessName: "Acme LLC", MessageVolume: "10,000", UseCaseCategories: ["MARKETING", "EVENTS"], Own: 1 };
  const { value, left } = convert(draft, "twilio", "bird");
  assert.equal(value.businessName, "Acme LLC");
  assert.ok(left.some((it) => it.name === "Own" && it.reason === "Bird has no field for it"));
  assert.deepEqual(convert(draft, "", "twilio"), { value: draft, left: [] });
  assert.throws(() => convert(draft, "twilio", "nobody"), /unknown provider/);
});

test("a rejection is explained on the draft", () => {
  const draft = drafts().find((it) => it.BusinessName !== undefined);
  const { advice } = explain("30473: Business website is not reachable", draft, "twilio");
  assert.ok(advice.length >= 2, JSON.stringify(advice));
  assert.equal(advice.at(-1).rule, "answer/next-step");
  assert.throws(() => explain("", draft, "twilio"), /cannot be read/);
  const alone = explain("- The box is pre-checked\n- The moon is full", null, "twilio").advice;
  assert.deepEqual(alone.map((it) => it.rule), ["opt-in/prechecked", "answer/unforeseen"]);
});

test("a sample message has segments", () => {
  assert.deepEqual(sample("Hello"), { encoding: "GSM-7", units: 5, segments: 1, room: 155, longer: [] });
  const { encoding, segments, longer } = sample("😀 it’s " + "a".repeat(70));
  assert.deepEqual([encoding, segments], ["UCS-2", 2]);
  assert.deepEqual(longer[1], { text: "’", start: 5, end: 6, plain: "'" });
});

test("a text is checked in any format", () => {
  const { format, documents, findings } = checkText("BusinessName: Acme\nBusinessWebsite: acme.com\n");
  assert.deepEqual([format, documents], ["yaml", [{ provider: "twilio", kind: "submit-request", label: "Acme" }]]);
  assert.ok(findings.some((it) => it.pointer === "/BusinessWebsite" && it.span.line === 2));
});
