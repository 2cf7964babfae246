// The built extension with the real program: what it registers in VS Code, and what that answers.
// TOLLPROOF names the program.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const require = createRequire(import.meta.url);
const { vscode, registered, settings, events, open, TextDocument } = require("./vscode.cjs");
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require("../dist/extension.js");

const program = process.env.TOLLPROOF ?? "tollproof";
const folder = mkdtempSync(join(tmpdir(), "tollproof-vscode-"));
const context = { subscriptions: [] };
const token = { isCancellationRequested: false, onCancellationRequested: events.cancelled.event };
let document;

/// Waits for diagnostics that are as wanted.
async function diagnostics(isWanted) {
  const end = Date.now() + 20_000;
  for (;;) {
    const found = registered.diagnostics.get(document.uri.toString()) ?? [];
    if (isWanted(found)) {
      return found;
    }
    assert(Date.now() < end, `diagnostics: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const rule = (it) => it.code?.value ?? it.code;
const has = (id) => (found) => found.some((it) => rule(it) === id);

before(async () => {
  settings["tollproof.path"] = program;
  await extension.activate(context);
  assert.deepEqual(registered.errors, []);
  const text = '{\n  "businessName": "Acme LLC",\n  "useCase": "appointments"\n}\n';
  document = await open(new TextDocument(vscode.Uri.file(join(folder, "draft.json")), "json", text));
});

after(async () => {
  await extension.deactivate();
  rmSync(folder, { recursive: true });
});

test("findings are shown", async () => {
  const found = await diagnostics(has("use-case/unknown-use-case"));
  const useCase = found.find((it) => rule(it) === "use-case/unknown-use-case");
  assert.equal(useCase.source, "tollproof");
  assert.equal(useCase.severity, vscode.DiagnosticSeverity.Error);
  assert.equal(useCase.range.start.line, 2);
});

test("fields are explained and completed", async () => {
  const { registerHoverProvider: hovers, registerCompletionItemProvider: completions } = registered.providers;
  const hover = await hovers.provideHover(document, new vscode.Position(1, 6), token);
  assert.match(JSON.stringify(hover), /Business name/);
  const list = await completions.provideCompletionItems(document, new vscode.Position(2, 15), token, { triggerKind: 0 });
  const labels = list.items.map((it) => it.label);
  assert(labels.includes("Appointments"), labels.join());
});

test("fixes are offered and change the document", async () => {
  const [useCase] = (await diagnostics(has("use-case/unknown-use-case"))).filter((it) => rule(it) === "use-case/unknown-use-case");
  const actions = registered.providers.registerCodeActionsProvider;
  const offered = await actions.provideCodeActions(document, useCase.range, { diagnostics: [], triggerKind: 1 }, token);
  const fix = offered.find((it) => it.title.startsWith("Replace"));
  await vscode.workspace.applyEdit(fix.edit);
  assert.match(document.getText(), /"Appointments"/);
  await diagnostics((it) => !has("use-case/unknown-use-case")(it));
});

test("a finding is ignored with the reason that was asked for", async () => {
  const text = "businessName: Acme LLC\nbusinessContactEmail: acme@gmail.com\nphoneNumbers: []\n";
  document = await open(new TextDocument(vscode.Uri.file(join(folder, "draft.yaml")), "yaml", text));
  const [mail] = (await diagnostics(has("contact/free-mail"))).filter((it) => rule(it) === "contact/free-mail");
  const actions = registered.providers.registerCodeActionsProvider;
  const offered = await actions.provideCodeActions(document, mail.range, { diagnostics: [], triggerKind: 1 }, token);
  const ignore = offered.find((it) => it.title.startsWith("Ignore contact/free-mail"));
  settings["test.reason"] = " ";
  await vscode.commands.executeCommand(ignore.command.command, ...ignore.command.arguments);
  assert.equal(document.getText(), text, "without a reason, nothing is ignored");
  settings["test.reason"] = "it is on\nthe website";
  await vscode.commands.executeCommand(ignore.command.command, ...ignore.command.arguments);
  assert.match(document.getText(), /# tollproof: ignore\[contact\/free-mail\] it is on the website\nbusinessContactEmail/);
  await diagnostics((it) => has("structure/missing-field")(it) && !has("contact/free-mail")(it));
});

test("a program that is not there is explained", async () => {
  settings["tollproof.path"] = join(folder, "nothing");
  await vscode.commands.executeCommand("tollproof.restart");
  const before = registered.errors.length;
  assert.match(registered.errors.at(-1), /Cannot start .*Install tollproof, or set its path/);
  settings["tollproof.path"] = program;
  await vscode.commands.executeCommand("tollproof.restart");
  assert.equal(registered.errors.length, before);
});
