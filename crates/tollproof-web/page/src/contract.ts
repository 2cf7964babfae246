// The types of the engine's interface.

import type { Json } from './draft/pointer';

export interface Provider {
  name: string;
  title: string;
  partial: boolean;
  sheet: boolean;
  kinds: string[];
}
export type Group =
  | 'business'
  | 'contact'
  | 'address'
  | 'numbers'
  | 'use-case'
  | 'opt-in'
  | 'message'
  | 'registration'
  | 'links'
  | 'other';
export interface Field {
  pointer: string;
  /** Where the text is in an item of a list of objects; empty if the items are texts. */
  item: string;
  name: string;
  role: string | null;
  title: string;
  description: string;
  group: Group;
  type: 'text' | 'long-text' | 'choice' | 'list' | 'choices' | 'integer' | 'boolean' | 'other';
  required: boolean;
  maxLength: number | null;
  maxItems: number | null;
  values: { value: string; title: string | null }[];
  example: string | null;
}
export type Severity = 'error' | 'warning' | 'info';
export interface Edit {
  pointer: string;
  value?: Json;
}
export interface Finding {
  rule: string;
  title: string;
  severity: Severity;
  message: string;
  help: string | null;
  document: number;
  pointer: string;
  role: string | null;
  range: { start: number; end: number } | null;
  related: { pointer: string; message: string }[];
  fix: { safety: 'safe' | 'unsafe'; edits: Edit[] } | null;
  prevents: { by: string; code: string }[];
  fingerprint: string;
}
export interface Check {
  provider: string | null;
  kind: string | null;
  role: string | null;
  findings: Finding[];
  summary: { errors: number; warnings: number; infos: number };
  notChecked: string[];
}
export interface CheckOptions {
  provider?: string;
  kind?: string;
  now?: string;
}
export interface Read {
  format: string;
  provider: string | null;
  documents: { value: Json; label: string }[];
  problems: Finding[];
}
export interface Advice {
  rule: string | null;
  title: string;
  severity: Severity;
  message: string;
  help: string | null;
  pointer: string | null;
  role: string | null;
  quote: string | null;
  code: string | null;
}
export interface Rule {
  id: string;
  title: string;
  severity: string;
  docs: string;
  pass: Json[];
  fail: Json[];
  source: string[];
}
export interface Sample {
  encoding: 'GSM-7' | 'UCS-2';
  units: number;
  segments: number;
  limit: number;
  costly: { start: number; end: number; character: string; instead: string | null }[];
}
export type Format = 'json' | 'yaml' | 'csv' | 'xlsx';
