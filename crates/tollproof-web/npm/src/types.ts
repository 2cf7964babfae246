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
  /** The closed list; empty if any value is allowed. */
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
  related: { pointer: string; message: string }[];
  fix: { safety: "safe" | "unsafe"; edits: Edit[] } | null;
  /** The rejection codes of reviewers that fixing this finding prevents. */
  prevents: { by: string; code: string }[];
  /** Identifies the same finding in other versions of the draft. */
  fingerprint: string;
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
  /** What tollproof cannot check. */
  notChecked: string[];
}

export interface CheckOptions {
  /** The provider of the draft; by default, its field names show it. */
  provider?: string;
  /** Another provider, by whose rules the draft is judged. */
  for?: string;
  kind?: Kind;
  /** The current time; by default, that of the computer. */
  now?: Date | string;
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
