// Lines such as "City: Caguas" in a pasted text: what a person wrote for a draft, by its labels.

import type { Json } from '../draft/pointer';
import { t } from '../words';

/** A label and its text. What begins like a mark of a list or of Markdown is not a part of the label; a label may begin with the code of a number. */
const LINE = /^[\s>*•–-]*((?:1?[ -]?8\d\d )?\p{L}[^:\n]{0,60}?)[*_\s]*:(?!\/\/)[*_]*\s*(.*)$/u;

/** Labels at the head of a mail. */
const OF_MAIL = new Set('from to cc bcc cci cco date sent subject re fw fwd de a para pour fecha enviado envoye asunto objet rv tr'.split(' '));

/** A text of whole sentences, which may go on after an empty line. */
const SENTENCES = /^.{25,}[.!?…]$/s;

/** The longest line of what a person types as a list of facts, and the fewest lines of it that begin with a label and no colon. */
const SHORT_LINE = 90;
const FEWEST_BARE = 3;

/** The most words of a label without a colon. */
const LONGEST_LABEL = 4;

/** A line that does not go on with the one before it, in a list of facts. */
const OWN_LINE = /^\s*[^\p{Ll}\s]|(?:\d[ ().-]*){7}/u;

/** A known label at the beginning of a line without a colon, and the rest; `null` if there is none. */
function bareLabel(line: string, isLabel: (text: string) => boolean): [string, string] | null {
  const words = line.trim().split(/\s+/);
  for (let count = Math.min(LONGEST_LABEL, words.length - 1); count > 0; count--) {
    const label = words.slice(0, count).join(' ');
    if (isLabel(label)) return [label, words.slice(count).join(' ')];
  }
  return null;
}

/**
 * The texts of a draft by their labels, in the order of the text. A line without a label goes on with the text before it, also
 * after an empty line if both are sentences and another label follows: what is after the last label is the end of a mail. In a list
 * of short facts of which some begin with a known label and no colon, no fact is lost: another line has the number of its line.
 */
export function labelledLines(text: string, isLabel: (text: string) => boolean): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.split(/\r?\n/);
  const isList = lines.every((it) => it.length <= SHORT_LINE) && lines.filter((it) => !LINE.test(it) && bareLabel(it, isLabel) !== null).length >= FEWEST_BARE;
  const unmarked = (line: string, at: number) => bareLabel(line, isLabel) ?? (at > 0 && OWN_LINE.test(line) ? [t('line', { line: at + 1 }).replace(/\s?:$/, ''), line.trim()] : []);
  let label = '';
  let after: string | null = null;
  for (const [at, line] of lines.entries()) {
    const [name = '', said = ''] = LINE.exec(line)?.slice(1) ?? (isList ? unmarked(line, at) : []);
    if (line.trim() === '') after = `${after ?? ''}\n`;
    // Samples begin with the same name, which is not a label.
    else if (name !== '' && !(found[label] ?? '').startsWith(name)) {
      if (after !== null && [found[label] ?? '', after.trim()].every((it) => SENTENCES.test(it))) found[label] += `\n${after.trimEnd()}`;
      after = null;
      label = OF_MAIL.has(name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()) || name in found ? '' : name.trim();
      if (label !== '') found[label] = said.trim();
    } else if (after !== null) after += `${line.trim()}\n`;
    else if (label !== '') found[label] = `${found[label]}\n${line.trim()}`.trim();
  }
  return Object.fromEntries(Object.entries(found).filter(([, said]) => said !== ''));
}

/** Whether a text is written as YAML: it has keys that only programs write. */
export function isForPrograms(text: string): boolean {
  return /^\s*["']?(?:\w*[a-z][A-Z]\w*|\w+_\w+)["']?\s*:/m.test(text);
}

/** An address or another text in one piece, such as `www.example.com/privacy`. */
const ONE_PIECE = /^\S*\w\.\w\S*$/;

/**
 * Whether a draft has a text already: an address as it is, a number by its digits, and of other texts most words. Two addresses of one
 * website have most words in common.
 */
export function isTaken(said: string, draft: Json): boolean {
  const whole = bare(said);
  if (ONE_PIECE.test(whole)) return textsIn(draft).some((it) => bare(it).split(/\s+/).includes(whole));
  const words = wordsOf(said);
  const digits = said.replace(/\D/g, '');
  if (digits !== '' && words.filter((it) => !/\d/.test(it)).length <= 1) return textsIn(draft).some((it) => isSameNumber(it, digits));
  const known = new Set(wordsOf(JSON.stringify(draft)));
  return words.filter((word) => known.has(word)).length * 2 > words.length;
}

/** Whether two texts are one number in two notations: a telephone number may have its country. */
export function isSameNumber(one: string, other: string): boolean {
  const [first, second] = [one, other].map((it) => it.replace(/\D/g, ''));
  return first !== '' && (first === second || first === `1${second}` || second === `1${first}`);
}

/** An address without its scheme. */
function bare(text: string): string {
  return text.trim().toLowerCase().replace(/^(?:https?:\/\/)?(?:www\.)?/, '').replace(/\/$/, '');
}

/** All texts and numbers of a draft. */
function textsIn(draft: Json): string[] {
  if (typeof draft === 'object' && draft !== null) return Object.values(draft).flatMap(textsIn);
  return draft === null || typeof draft === 'boolean' ? [] : [String(draft)];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [];
}
