// What a field is for: the first sentences always, the rest and the example on demand.

import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';

import type { Field } from 'tollproof';
import { spoken } from '../engine';
import type { OptIn } from '../draft/choices';
import { get } from '../draft/pointer';
import { language, t } from '../words';
import { isNumberIdentifier, whereToFind } from '../handover/where';
import { findingsOf } from '../state/findings';
import { current, fields, isFilled, isTyped, keepsRest } from '../state/session';
import { businessName, confirmationOf, contactOf, descriptionOf, helpOf, roomIn, shownMail, summaryOf } from '../tasks/guide';
import { isInForeign } from '../tasks/tasks';
import { UseText } from './UseText';
import { described, forPeople, named, REQUIRED, sentencesOf } from './described';

/** How much of a description is always shown, in characters. */
const SHORT = 110;
/** Texts that customers read, in their language; the examples of those for reviewers are in English. */
const READ_BY_CUSTOMERS = ['productionMessageContent', 'helpMessage', 'optInConfirmation'] as const;
/** A limit that few texts reach, as a sentence of its own. */
const LIMIT = /^(?:At most \d{3} characters|\d{3} caractères au plus|Como máximo \d{3} caracteres)\.$/;
/** The longest example that is always shown, in characters. */
const SHORT_EXAMPLE = 50;

/** Texts of ways in which a reader found something. */
const refused = new Set<string>();

export function About({ id, field }: { id: string; field: Field }) {
  // The text of the way that was chosen; empty if the field has it.
  const own = useComputed(() => {
    const { optIn, value } = current.value;
    const text = optIn === undefined ? null : wayText(field, optIn);
    if (text === null) return undefined;
    if (get(value, field.pointer) !== text) return refused.has(text) ? undefined : text;
    if (findingsOf(field).some(({ readBy }) => readBy !== undefined)) refused.add(text);
    return '';
  }).value;
  const isOdd = useComputed(() => isInForeign(current.value.value, field)).value;
  const [chosen, setOpen] = useState<boolean | null>(null);
  const isOpen = chosen ?? Boolean(own);
  const { about } = described(field);
  const sentences = sentencesOf(named(about, fields.value)).filter((it) => !keepsRest(current.value, fields.value) || !REQUIRED.test(it));
  // Where a text is near the limit, the field says it.
  const isLimit = (it: string) => field.maxLength !== null && field.type !== 'long-text' && LIMIT.test(it);
  const [first, rest] = split(sentences.filter((it) => !isLimit(it)).map(forPeople).filter(Boolean).join(' ') || about);
  const read = READ_BY_CUSTOMERS.find((role) => role === field.role);
  // A list shows its values itself.
  const given = field.values.length > 0 || field.type === 'boolean' ? null : read === undefined ? field.example : t(`example_${read}`);
  const example = own === '' ? null : own ?? given;
  const isTranslated = read !== undefined || field.type !== 'long-text';
  const isShort = example !== null && example.length < SHORT_EXAMPLE;
  const hasMore = rest !== '' || (example !== null && !isShort);
  const where = whereToFind(field);
  return (
    <div class="about" lang={spoken.value}>
      <p>
        <span id={id}>
          {first}
          {isOpen && rest !== '' && ` ${rest}`}
        </span>
        {isShort && ` ${t('labelled', { label: t('example'), text: example })}`}{' '}
        {hasMore && (
          <button type="button" class="link" aria-expanded={isOpen} aria-controls={`${id}-more`} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('less') : rest === '' ? t('example') : t('more')}
          </button>
        )}
      </p>
      {isTyped.value && isNumberIdentifier(field) ? (
        <p lang={language.value}>
          {t('numbersAreEnough')}{' '}
          <button type="button" class="link" onClick={() => (isTyped.value = false)}>
            {t('sentByProgram')}
          </button>
        </p>
      ) : (
        where !== '' && <p lang={language.value}>{isFilled.value && ['privacyPolicyUrl', 'termsUrl'].includes(field.role ?? '') ? `${where} ${t('noPolicy', { section: t('toCheck') })}` : where}</p>
      )}
      {isOdd && <p class="hint">{t('inEnglish')}</p>}
      <div id={`${id}-more`} hidden={!isOpen}>
        {example !== null && !isShort && <p class="example">{own ? example : t('labelled', { label: t('example'), text: isTranslated ? example : t('exampleInEnglish', { text: example }) })}</p>}
        {own && <UseText field={field} text={own} />}
      </div>
    </div>
  );
}

/** The text that the way has for a field. */
function wayText(field: Field, optIn: OptIn): string | null {
  const { role } = field;
  const business = businessName() || optIn.business;
  if (role === 'useCaseSummary') return summaryOf(optIn, business);
  const draft = current.value.value;
  const contact = contactOf(draft, fields.value, optIn);
  if (role === 'helpMessage') return helpOf(optIn, business, contact);
  if (role === 'optInConfirmation') return confirmationOf(optIn, business);
  if (role !== 'optInWorkflowDescription') return null;
  const text = descriptionOf(optIn, business, roomIn(field, draft, fields.value));
  // What a button has added to it stays.
  const mail = shownMail(draft, fields.value);
  return mail?.field === field && String(get(draft, field.pointer)).includes(mail.text) ? `${text} ${mail.text}` : text;
}

/** Cuts after the last sentence that ends before the limit. */
function split(text: string): [string, string] {
  if (text.length <= SHORT) return [text, ''];
  const ends = [...text.matchAll(/[.!?] /g)].map((it) => it.index + 1);
  const end = ends.filter((it) => it <= SHORT).at(-1) ?? ends[0] ?? text.length;
  return [text.slice(0, end), text.slice(end).trim()];
}
