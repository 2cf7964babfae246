// The parts of a sentence of the engine. What it names by the words of a payload or of the command line is named as on the page.

import type { Field } from 'tollproof';
import { rule } from '../engine';
import { choiceIn } from '../form/described';
import { keys } from '../draft/pointer';
import { neededOf } from '../state/findings';
import { kindName } from '../state/session';
import { t } from '../words';

/** A part: a text, or what is in backticks. `named` is a field or the id of a rule. */
export type Phrase = { is: 'text' | 'value'; text: string } | { is: 'field'; text: string; named: Field } | { is: 'rule'; text: string; named: string };

/** A sentence about a command of the program. The page has buttons for what they do. */
const COMMAND = /(?:^| )[^.`]*`tollproof (?:look|read)`[^.]*\./g;

/** In which kinds of requests a field is required: the form says that it is. */
const REQUIRED_IN = / (?:It is required in|Es obligatorio en|Ce champ est obligatoire dans) [^.`]*\.$/;

/** The parts of a sentence about a draft with these fields. */
export function phrases(sentence: string, fields: readonly Field[]): Phrase[] {
  const said = sentence.replace(COMMAND, '').replace(REQUIRED_IN, '');
  const parts = (said.charAt(0).toUpperCase() + said.slice(1)).split('`');
  const all = parts.map((text, at) => (at % 2 === 1 && at < parts.length - 1 ? quoted(text, fields) : { is: 'text' as const, text }));
  // One link to a rule is enough.
  return all.map((it, at) => (it.is === 'rule' && all.findIndex((other) => other.is === 'rule' && other.named === it.named) < at ? { is: 'text', text: it.text } : it));
}

function quoted(text: string, fields: readonly Field[]): Phrase {
  const field = fields.find((it) => it.name === text || keys(it.pointer).join('.') === text) ?? innermost(text, fields);
  if (field !== undefined) return { is: 'field', text: field.title || field.name, named: field };
  const [first, ...others] = neededOf(fields.filter((it) => `.${it.name}`.includes(`.${text}.`)));
  if (first !== undefined) return { is: 'field', text: [first, ...others].map((it) => it.title || it.name).join(', '), named: first };
  const list = fields.find((it) => it.values.some(({ value }) => value === text));
  if (list !== undefined) return { is: 'value', text: choiceIn(list, text).title };
  // The page shows the values of a list at its field.
  if (text.startsWith('tollproof schema ')) return { is: 'text', text: t('listOfField') };
  const named = text.replace(/^tollproof rule /, '');
  const title = /^[a-z-]+\/[a-z0-9-]+$/.test(named) ? rule(named)?.title : undefined;
  if (title !== undefined) return { is: 'rule', text: title, named };
  const kind = /^--kind (\S+)$/.exec(text)?.[1];
  return { is: 'value', text: kind === undefined ? text : t('labelled', { label: t('kind'), text: t(kindName(kind)) }) };
}

/** The only field in an object with a name. */
function innermost(name: string, fields: readonly Field[]): Field | undefined {
  const found = fields.filter((it) => it.name.includes('.') && it.name.split('.').at(-1) === name);
  return found.length === 1 ? found[0] : undefined;
}
