// The words that texts lack most often, for a button that adds them: the name at the beginning of a sample, the way out at its end, where an e-mail address is shown.

import type { Finding } from 'tollproof';
import type { AddedWords } from '../draft/choices';
import { languageOfText } from '../draft/language';
import { get } from '../draft/pointer';
import { fields, settled } from '../state/session';
import { businessName, languageOf, shownMail } from '../tasks/guide';
import { t } from '../words';
import type { Language } from '../words/languages';

/** How a sample in each language ends. */
const WAYS_OUT: Record<Language, string> = {
  fr: 'Répondez STOP pour vous désabonner.',
  es: 'Responda STOP para darse de baja.',
  en: 'Reply STOP to opt out.',
};

/** The name or number of a sample before it, as in `Sample 2:`. */
const LABEL = /^\s*(?:[-•*]\s*|\d+[.)]\s+|(?:sample|example|message|exemple|ejemplo|mensaje|muestra)(?: \S+)?\s*\d*\s*:\s*)*/i;

/** Another name with which a sample begins, of several words in capitals. */
const OTHER = /^\p{Lu}[\p{L}&'’.-]*(?: (?:[\p{Lu}&][\p{L}&'’.-]*|de|du|del|la|le|of|and|y|et)){1,5}\s?:\s*/u;

/** The samples in a text, with what is between them: its paragraphs, or its lines if each is a whole message. */
function dividedSamples(text: string): string[] {
  const paragraphs = text.trim().split(/(\n\s*\n)/);
  const lines = text.trim().split(/(\n)/);
  const isLines = paragraphs.length === 1 && lines.every((line, at) => at % 2 === 1 || /^.{25,}[.!?…]["”»)]?\s*$/.test(line));
  return isLines ? lines : paragraphs;
}

/** The samples in a text. */
export function samplesIn(text: string): string[] {
  return dividedSamples(text).filter((_, at) => at % 2 === 0);
}

/** A text with each sample in it changed. */
function eachSample(text: string, change: (sample: string) => string): string {
  return dividedSamples(text).map((part, at) => (at % 2 === 1 ? part : change(part))).join('');
}

/** What a button can add where a sample lacks it; `null` for other findings. */
export function addedWords(finding: Finding): AddedWords | null {
  return finding.rule === 'contact/free-mail' && finding.severity !== 'info' ? saysWhere() : inSamples(finding);
}

/** The sentence that reviewers look for where an address is not at the domain of the website. */
function saysWhere(): AddedWords | null {
  const mail = shownMail(settled.value.value, fields.value);
  if (mail === null) return null;
  const before = get(settled.value.value, mail.field.pointer);
  const text = `${typeof before === 'string' ? before.trim() : ''} ${mail.text}`.trim();
  return { words: t('fixAdd', { text: mail.text }), pointer: mail.field.pointer, text };
}

function inSamples({ rule, pointer, fix }: Finding): AddedWords | null {
  const text = get(settled.value.value, pointer);
  if (fix !== null || typeof text !== 'string' || text.trim() === '') return null;
  const code = languageOfText(text, languageOf(settled.value.optIn));
  const end = WAYS_OUT[code];
  if (rule === 'message/missing-opt-out' && !text.includes(end)) {
    const ended = (sample: string) => (/\b(STOP|ALTO|ARR[EÊ]T)\b/.test(sample) ? sample : `${sample.trim().replace(/[\p{L}\d]$/u, '$&.')} ${end}`);
    return { words: t('fixAdd', { text: end }), pointer, text: eachSample(text, ended) };
  }
  const name = businessName();
  const isUnnamed = rule === 'message/missing-brand' || rule === 'message/brand-only-in-link';
  const begin = `${name}${code === 'fr' ? ' :' : ':'}`;
  const named = (sample: string) => {
    const at = LABEL.exec(sample)?.[0].length ?? 0;
    return sample.includes(name) ? sample : `${sample.slice(0, at)}${begin} ${sample.slice(at).replace(OTHER, '')}`;
  };
  return isUnnamed && name !== '' && !text.startsWith(name) ? { words: t('fixAdd', { text: begin }), pointer, text: eachSample(text, named) } : null;
}
