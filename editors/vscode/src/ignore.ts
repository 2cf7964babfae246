// Ignores a finding: asks for the reason, and writes it into the edit that the server prepared.

import * as vscode from "vscode";
import type { LanguageClient, WorkspaceEdit } from "vscode-languageclient/node";

export interface IgnoreRequest {
  /// The edit, with a placeholder for the reason.
  edit: WorkspaceEdit;
  placeholder: string;
  /// Whether the reason is a value in YAML, and not the end of a comment.
  isYaml: boolean;
}

export async function ignoreWithReason(client: LanguageClient, request: IgnoreRequest): Promise<boolean> {
  const reason = await vscode.window.showInputBox({
    title: "Ignore this finding",
    prompt: "Why is it right to keep the text? Whoever answers the reviewer will read this.",
    validateInput: (text) => (text.trim() ? undefined : "A reason is required."),
  });
  if (!reason?.trim()) {
    return false;
  }
  const line = reason.trim().replaceAll(/\s+/g, " ");
  const written = request.isYaml ? JSON.stringify(line) : line;
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(filled(request.edit, request.placeholder, written));
  return vscode.workspace.applyEdit(edit);
}

/// The same value with a text in place of each placeholder.
function filled<T>(value: T, placeholder: string, text: string): T {
  if (typeof value === "string") {
    return value.replaceAll(placeholder, () => text) as T;
  }
  if (Array.isArray(value)) {
    return value.map((it) => filled(it, placeholder, text)) as T;
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, filled(it, placeholder, text)])) as T;
  }
  return value;
}
