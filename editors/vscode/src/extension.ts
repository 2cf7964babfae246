// Starts `tollproof lsp` and connects it with VS Code.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { ignoreWithReason, type IgnoreRequest } from "./ignore";

/// The languages in which drafts are written. A document that is not a draft has no findings.
const LANGUAGES = ["json", "jsonc", "yaml", "jsonl", "csv", "tsv", "markdown", "plaintext", "html"];

/// The languages of programs that may contain a draft, in files of a project.
const PROGRAMS = [
  "typescript", "typescriptreact", "javascript", "javascriptreact", "python", "shellscript", "ruby", "go", "php",
  "powershell", "csharp", "java", "kotlin", "swift", "elixir", "rust", "terraform",
];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("tollproof.restart", restart),
    vscode.commands.registerCommand("tollproof.checkThisFile", checkThisFile),
    vscode.commands.registerCommand("tollproof.ignoreWithReason", (request: IgnoreRequest) =>
      client && ignoreWithReason(client, request),
    ),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tollproof.path") || change.affectsConfiguration("tollproof.arguments")) {
        return restart();
      }
      return undefined;
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  if (running?.needsStop()) {
    await running.stop();
  }
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("tollproof");
  const command = settings.get<string>("path") || "tollproof";
  const server: ServerOptions = { command, args: ["lsp", ...settings.get<string[]>("arguments", [])] };
  const documents = ["file", "untitled"].flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language })));
  const options: LanguageClientOptions = {
    documentSelector: [
      ...documents,
      ...PROGRAMS.map((language) => ({ scheme: "file", language })),
      { scheme: "file", pattern: "**/*.{ndjson,jsonl,csv,tsv,eml,gs}" },
    ],
    // The reason of an ignored finding is asked for with an input box.
    initializationOptions: { asksForReason: true },
  };
  const starting = new LanguageClient("tollproof", "tollproof", server, options);
  client = starting;
  try {
    await starting.start();
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    const choice = await vscode.window.showErrorMessage(
      `Cannot start \`${command}\`: ${why}. Install tollproof, or set its path.`,
      "Open Settings",
    );
    if (choice) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "tollproof.path");
    }
  }
}

async function checkThisFile(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!client || !document) {
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  await client.sendRequest("workspace/executeCommand", { command: "tollproof.checkAsDraft", arguments: [uri] });
}
