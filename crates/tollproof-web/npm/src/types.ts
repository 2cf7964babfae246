// The shapes of what the engine returns. Offsets in strings count UTF-16 units, as JavaScript does.

/** The severity of a finding. */
export type Severity = "error" | "warning" | "info";

/** What a document is for. */
export type Kind =
  | "submit-request"
  | "update-request"
  | "verification-record"
  | "number-purchase"
  | "number-search"
  | "error-response";

/** Who takes submissions. */
export interface Provider {
  name: string;
  /** The name as its owner writes it. */
  title: string;
  /** Whether only a part of the provider's interface is known. */
  partial: boolean;
  /** Whether its submissions are the rows of a sheet. */
  sheet: boolean;
  kinds: Kind[];
}

/** The group in which a form shows a field. */
export type FieldGroup =
  | "business"
  | "registration"
  | "address"
  | "contact"
  | "numbers"
  | "use-case"
  | "opt-in"
  | "message"
  | "links"
  | "other";

/** How a form asks for a field: `list` is a list of texts, `choices` a list out of a closed list. */
export type FieldType = "text" | "long-text" | "choice" | "list" | "choices" | "integer" | "boolean" | "other";

/** A field of a provider's kind. */
export interface Field {
  /** The JSON pointer in the payload. */
  pointer: string;
  /** For a list of objects: the pointer of the text in each item, such as `/url`. Empty if the items are texts. */
  item: string;
  /** The provider's own name, with dots for fields in objects. */
  name: string;
  /** What the field means, whatever a provider calls it. */
  role: string | null;
  title: string;
  description: string;
  group: FieldGroup;
  type: FieldType;
  required: boolean;
  maxLength: number | null;
  maxItems: number | null;
  /** The closed list; of a `text`, values that are known beside others. */
  values: { value: string; title: string | null }[];
  example: string | null;
}

/** One value to replace; to remove, if `value` is absent. */
export interface Edit {
  pointer: string;
  value?: unknown;
}

/** A problem that a rule reports for one value. */
export interface Finding {
  rule: string;
  /** The title of the rule. */
  title: string;
  severity: Severity;
  message: string;
  help: string | null;
  /** The index of the document, from 0. */
  document: number;
  /** The JSON pointer of the value in its document. For a missing field, where it should be. */
  pointer: string;
  role: string | null;
  /** The part of the string at `pointer`; null if the finding is about the whole value. */
  range: { start: number; end: number } | null;
  /**
   * Other places that explain it. With a `file`, the place is in another draft: the name that `earlier` has for it. `quote`
   * is what is there, if it is a part of the same value.
   */
  related: { file: string | null; pointer: string; message: string; quote: string | null }[];
  fix: { safety: "safe" | "unsafe"; edits: Edit[] } | null;
  /** The rejection codes of reviewers that fixing this finding prevents. */
  prevents: { by: string; code: string }[];
  /** Identifies the same finding in other versions of the draft. */
  fingerprint: string;
  /** The reader whose answer it is; absent if a rule found it by itself. */
  readBy?: string;
}

/** How many findings have each severity. */
export interface Summary {
  errors: number;
  warnings: number;
  infos: number;
}

/** What a check found. */
export interface Check {
  /** The provider and the kind of the first document; null if they are unknown. */
  provider: string | null;
  kind: Kind | null;
  findings: Finding[];
  summary: Summary;
  /** The toll-free numbers that the drafts name, in one spelling, and names of Canadian businesses, for `earlier`. */
  numbers: string[];
  /** What tollproof cannot check. */
  notChecked: string[];
  byWords: ByWords | null;
}

/** Drafts that no reader has read, and how many of ten reasons in what texts mean words find, about. */
export interface ByWords {
  drafts: number;
  tenths: number;
}

export interface CheckOptions {
  /** The provider of the draft; by default, its field names show it. */
  provider?: string;
  /** Another provider, by whose rules the draft is judged. */
  for?: string;
  kind?: Kind;
  /** The current time; by default, that of the computer. */
  now?: Date | string;
  /**
   * The `numbers` of drafts that are sent too and were checked before, each with a name for the draft. The drafts of a
   * list are compared with each other without it.
   */
  earlier?: Record<string, string>;
  /** What was seen at the addresses of the drafts: lines of the store that `tollproof look` writes. */
  seen?: SeenFact[];
  /** What readers answered about the drafts: lines of the store that `tollproof read` writes. */
  readings?: DraftReading[];
}

/** What a reader answered about the texts of one draft. */
export interface DraftReading {
  /** A hash of the texts and of the questions. */
  id: string;
  version: 1;
  /** When it was read, in ISO 8601. */
  at: string;
  reader: string;
  model?: string;
  /** By question. `asked` is a hash of the question and its texts; the answer is valid for no others. */
  answers: Record<string, { asked: string; answer: string | string[]; quote?: string; sure: boolean }>;
}

/** What a reader is asked. */
export interface Questions {
  /** The texts and questions in words, in the chosen language, to paste into any chat. Empty if nothing is open. */
  message: string;
  /** The same question by question, for a form: one request for each draft with open questions. */
  requests: { id: string; questions: Question[] }[];
}

/** A question to a reader. */
export interface Question {
  id: string;
  /** In the chosen language. */
  ask: string;
  /** The roles of the fields that it is about. */
  roles: string[];
  /** What may be answered; `words` is it in the chosen language. */
  answers: { value: string; words: string; needsQuote: boolean }[];
  /** Whether several answers may be given. */
  several: boolean;
}

/** What a person or an assistant answered. */
export interface Answers {
  /** The answers that can be believed. */
  readings: DraftReading[];
  /** Those that cannot: not offered, or with a quote that is not in the draft. */
  refused: { question: string; why: string }[];
  /** How many sets of answers name texts that no draft has, because they were changed. */
  strange: number;
}

/** What was seen at one address. */
export interface SeenFact {
  /** The web address as a browser shows it, without a fragment; or a mail domain. */
  address: string;
  /** When it was seen, in ISO 8601. */
  at: string;
  version: 1;
  outcome:
    | "seen"
    | "not-found"
    | "gone"
    | "no-such-name"
    | "server-error"
    | "other-status"
    | "certificate"
    | "unreachable"
    | "not-checked";
  why?: string;
  status?: number;
  finalAddress?: string;
  redirects?: number;
  contentType?: string;
  bytes?: number;
  page?: {
    title?: string;
    language?: string;
    words?: number;
    signs?: ("parked" | "for-sale" | "placeholder" | "under-construction" | "log-in")[];
    names?: string[];
    addresses?: string[];
    privacy?: string;
    terms?: string;
    forms?: {
      hasPhone?: boolean;
      boxes?: { label?: string; ticked?: boolean; required?: boolean }[];
      isLogIn?: boolean;
    }[];
    consent?: string;
    sharing?: string;
    rendered?: boolean;
  };
  picture?: { format?: string; width?: number; height?: number; isBlank?: boolean; decodes?: boolean };
  domain?: { mx?: boolean; a?: boolean };
}

/** A rule with its documentation. */
export interface Rule {
  id: string;
  title: string;
  severity: Severity;
  message: string;
  help: string;
  /** Markdown. */
  docs: string;
  /** Partial drafts without the problem, and with it. */
  pass: unknown[];
  fail: unknown[];
  prevents: { by: string; code: string }[];
  source: string[];
}

/** A part of a text in any format. Offsets count bytes in UTF-8, columns count code points from 1. */
export interface Span {
  start: number;
  end: number;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** A finding in a text, as `tollproof check --output-format json` prints it. */
export interface TextFinding {
  rule: string;
  severity: Severity;
  message: string;
  help: string | null;
  file: string;
  document: number;
  provider: string | null;
  kind: Kind | null;
  pointer: string;
  role: string | null;
  span: Span | null;
  related: { file: string; span: Span | null; message: string }[];
  fix: { safety: "safe" | "unsafe"; edits: { start: number; end: number; text: string }[] } | null;
  prevents: { by: string; code: string }[];
  fingerprint: string;
  /** Why the finding does not count; absent if it counts. */
  suppressed?: { by: string; reason?: string };
}

/** The format of a file. */
export type Format = "json" | "yaml" | "ndjson" | "csv" | "xlsx" | "notes" | "program";

/** What a check of a text found. The summary does not count suppressed findings. */
export interface TextCheck {
  format: Format;
  /** `label` is the name of the business. */
  documents: { provider: string | null; kind: Kind | null; label: string | null }[];
  findings: TextFinding[];
  summary: Summary;
  notChecked: string[];
  byWords: ByWords | null;
}

export interface TextOptions extends CheckOptions {
  /** The name of the file; its extension decides the format, or else its content. */
  fileName?: string;
}

/** The drafts of a file. */
export interface Read {
  format: Format;
  /** The provider of most documents. */
  provider: string | null;
  /**
   * `row` is that of a sheet, from 1; `label` is the name of the business, or else the place of the document. `unread` are the lines
   * of notes with a label of which no field was read.
   */
  documents: { value: unknown; row: number | null; label: string; provider: string | null; kind: Kind | null; unread: { label: string; text: string }[] }[];
  /** Whether letters could not be read. They are question marks in the values. */
  isDamaged: boolean;
  /** What could not be read, or was read in another way than it is written. `document` is the index in `documents` of the document at this place, or of the next. */
  problems: { message: string; help: string | null; document: number; line: number; column: number }[];
  /** The fields that a program computes, which no document has. */
  computed: string[];
}

/** Drafts as a file. */
export interface Written {
  bytes: Uint8Array;
  /**
   * What is wrong with cells of a table: a text that a spreadsheet program takes as a formula is written as it is, an item
   * of a list that a cell cannot hold is left out. `reason` is the end of a sentence that begins with the name.
   */
  notes: { document: number; name: string; isFormula: boolean; reason: string }[];
}

/** A draft as another provider's. */
export interface Conversion {
  value: unknown;
  /** What has no place in the new draft. `reason` is the end of a sentence. */
  left: { pointer: string; name: string; role: string | null; reason: string }[];
}

/** What an answer means for a draft. */
export interface Explanation {
  /** Whether the answer refuses the draft. */
  refused: boolean;
  /**
   * The reasons in the answer, at the values that they are about; the last one, `answer/next-step`, says what to do. Without a
   * draft, only what the reasons mean.
   */
  advice: Finding[];
  /**
   * If the reasons are in free words: a request to paste into any chat. What the assistant answers is explained better than
   * these words.
   */
  request: string | null;
}

/** How long a text is as a text message. */
export interface Sample {
  encoding: "GSM-7" | "UCS-2";
  /** Septets of GSM-7, or UTF-16 units. */
  units: number;
  /** Each is billed as a message. */
  segments: number;
  /** The units that may be added before there is one more segment. */
  room: number;
  /** The characters that make the message longer. `plain` is what to write instead: null if nothing means the same, empty to delete it. */
  longer: { text: string; start: number; end: number; plain: string | null }[];
}

/** A language in which people read findings. */
export type Language = "en" | "es" | "fr";
