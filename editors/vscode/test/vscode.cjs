// As much of VS Code as the extension needs: documents, providers that are registered, diagnostics, and edits.
// Classes that only carry data are made when they are first named.

const { pathToFileURL, fileURLToPath } = require("node:url");

class EventEmitter {
  #listeners = new Set();
  event = (listener, self) => {
    const bound = self ? listener.bind(self) : listener;
    this.#listeners.add(bound);
    return new Disposable(() => this.#listeners.delete(bound));
  };
  fire(value) {
    return Promise.all([...this.#listeners].map((it) => it(value)));
  }
  dispose() {
    this.#listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  cancel() {
    this.token.isCancellationRequested = true;
  }
  dispose() {}
}

class Disposable {
  #end;
  constructor(end) {
    this.#end = end;
  }
  static from(...all) {
    return new Disposable(() => all.forEach((it) => it.dispose()));
  }
  dispose() {
    this.#end?.();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, endLine, endCharacter) {
    const isNumbers = typeof start === "number";
    this.start = isNumbers ? new Position(start, end) : start;
    this.end = isNumbers ? new Position(endLine, endCharacter) : end;
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    const url = new URL(text);
    Object.assign(this, { scheme: url.protocol.slice(0, -1), authority: url.host, path: decodeURIComponent(url.pathname) });
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : this.path;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
  toString() {
    return this.text;
  }
}

class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText });
  }
  static replace(range, newText) {
    return new TextEdit(range, newText);
  }
}

class WorkspaceEdit {
  edits = [];
  set(uri, edits) {
    this.edits.push({ uri, edits: edits.map((it) => (Array.isArray(it) ? it[0] : it)) });
  }
  createFile(uri) {
    this.edits.push({ uri, creates: true });
  }
}

const events = new Proxy({}, {
  get: (all, name) => (all[name] ??= new EventEmitter()),
});
const registered = { providers: {}, commands: {}, diagnostics: new Map(), errors: [], inputs: [], applied: [] };
const settings = {};

/// A document; changes tell the extension as an editor does.
class TextDocument {
  version = 1;
  isClosed = false;
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text, fileName: uri.fsPath });
  }
  getText() {
    return this.text;
  }
  offsetAt({ line, character }) {
    const lines = this.text.split("\n").slice(0, line);
    return lines.reduce((sum, it) => sum + it.length + 1, 0) + character;
  }
  positionAt(offset) {
    const before = this.text.slice(0, offset).split("\n");
    return new Position(before.length - 1, before.at(-1).length);
  }
  replace(range, text) {
    const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    this.version += 1;
    const contentChanges = [{ range, rangeOffset: start, rangeLength: end - start, text }];
    return events.onDidChangeTextDocument.fire({ document: this, contentChanges });
  }
}

/// A name that nothing here defines: a class for data, or an enumeration.
function anything(name) {
  const known = {};
  return new Proxy(class { constructor(...values) { Object.assign(this, { values }); } }, {
    get(target, key, receiver) {
      if (key in target || typeof key === "symbol") {
        return Reflect.get(target, key, receiver);
      }
      return (known[key] ??= name === "CodeActionKind" ? codeActionKind("") : Object.keys(known).length);
    },
  });
}

function codeActionKind(value) {
  return { value, append: (part) => codeActionKind(value ? `${value}.${part}` : part) };
}

const languages = new Proxy(
  {
    match: () => 1,
    createDiagnosticCollection: () => ({
      set: (uri, diagnostics) => {
        registered.diagnostics.set(uri.toString(), diagnostics);
        events.diagnostics.fire();
      },
      delete: (uri) => registered.diagnostics.delete(uri.toString()),
      clear: () => registered.diagnostics.clear(),
      has: (uri) => registered.diagnostics.has(uri.toString()),
      get: (uri) => registered.diagnostics.get(uri.toString()),
      dispose: () => {},
    }),
  },
  {
    get: (all, name) =>
      all[name] ?? ((_selector, provider) => {
        registered.providers[name] = provider;
        return new Disposable();
      }),
  },
);

const workspace = {
  textDocuments: [],
  workspaceFolders: undefined,
  notebookDocuments: [],
  getConfiguration: (section) => ({
    get: (key, otherwise) => settings[section ? `${section}.${key}` : key] ?? otherwise,
    has: () => false,
  }),
  createFileSystemWatcher: () => ({
    onDidCreate: events.onCreate.event,
    onDidChange: events.onChange.event,
    onDidDelete: events.onDelete.event,
    dispose: () => {},
  }),
  applyEdit: async (edit) => {
    registered.applied.push(edit);
    for (const { uri, edits } of edit.edits) {
      const document = workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
      for (const { range, newText } of [...(edits ?? [])].reverse()) {
        await document?.replace(range, newText);
      }
    }
    return true;
  },
  getWorkspaceFolder: () => undefined,
};

const outputChannel = () =>
  new Proxy({ logLevel: 1, onDidChangeLogLevel: events.logLevel.event }, { get: (all, name) => all[name] ?? log(name) });
// What the client writes to its channel is shown where a test fails for a reason that it hides.
const log = (name) => (...values) => process.env.TRACE && console.error(name, ...values);

const window = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  tabGroups: { all: [], onDidChangeTabs: events.tabs.event, onDidChangeTabGroups: events.tabGroups.event },
  createOutputChannel: outputChannel,
  showErrorMessage: async (text) => void registered.errors.push(text),
  showWarningMessage: async () => undefined,
  showInformationMessage: async () => undefined,
  showInputBox: async (options) => {
    registered.inputs.push(options);
    return settings["test.reason"];
  },
};

const commands = {
  registerCommand: (name, run) => {
    registered.commands[name] = run;
    return new Disposable(() => delete registered.commands[name]);
  },
  executeCommand: async (name, ...values) => registered.commands[name]?.(...values),
};

/// Events that nothing here fires.
const withEvents = (all) => new Proxy(all, { get: (it, name) => it[name] ?? (String(name).startsWith("onDid") || String(name).startsWith("onWill") ? events[name].event : undefined) });

/// A class that keeps what it is made of.
const data = (...names) =>
  class {
    constructor(...values) {
      names.forEach((name, at) => (this[name] = values[at]));
    }
  };

const own = {
  Diagnostic: data("range", "message", "severity"),
  DiagnosticRelatedInformation: data("location", "message"),
  Location: data("uri", "range"),
  CompletionItem: data("label", "kind"),
  CompletionList: data("items", "isIncomplete"),
  CodeAction: data("title", "kind"),
  Hover: data("contents", "range"),
  MarkdownString: data("value"),
  CancellationTokenSource, EventEmitter, Disposable, Position, Range, Uri, TextEdit, WorkspaceEdit, languages, commands,
  workspace: withEvents(workspace),
  window: withEvents(window),
  version: "1.91.0",
  env: { appName: "test", appHost: "test", language: "en", isTelemetryEnabled: false },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  CompletionTriggerKind: { Invoke: 0, TriggerCharacter: 1, TriggerForIncompleteCompletions: 2 },
  extensions: { getExtension: () => undefined },
  CodeActionKind: Object.assign(
    Object.fromEntries(["QuickFix:quickfix", "Refactor:refactor", "Source:source"].map((it) => it.split(":")).map(([name, value]) => [name, codeActionKind(value)])),
    { Empty: codeActionKind("") },
  ),
};
own.CodeActionKind.SourceFixAll = codeActionKind("source.fixAll");

/// Opens a document as an editor does.
async function open(document) {
  workspace.textDocuments.push(document);
  window.activeTextEditor = { document };
  await events.onDidOpenTextDocument.fire(document);
  return document;
}

const vscode = new Proxy(own, {
  get: (all, name) => (typeof name === "symbol" || name === "then" ? all[name] : (all[name] ??= anything(name))),
});

module.exports = { vscode, registered, settings, events, open, TextDocument };
