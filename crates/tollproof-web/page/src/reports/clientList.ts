// What is still missing from a client, as a letter in plain text: without the words of programs and providers' interfaces.

import type { Field, Finding } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { choiceIn, described, forPeople, sentencesOf } from '../form/described';
import { byGroup } from '../form/groups';
import { textsOf } from '../draft/values';
import { toHaveReady } from '../handover/ready';
import { isIdentifier, whereToFind } from '../handover/where';
import { bySeverity, fieldAt, waits } from '../state/findings';
import { rowOf } from '../state/session';
import { forWebsite, piecesOf } from '../tasks/pieces';
import { groupTitle, t } from '../words';
import { byBusiness, type Collected } from './collect';
import { excerpt, plain, printable, replacement, textAt } from './plain';

/** The longest list of values to choose from. */
const MOST_CHOICES = 40;
/** The longest example that is shown, in characters. */
const SHORT_EXAMPLE = 50;

export interface ClientList {
  text: string;
  /** The drafts from which nothing is missing. */
  without: number;
}

/** A letter for each business from which something is missing. */
export function clientList(all: readonly Collected[]): ClientList {
  let without = 0;
  const letters = [...byBusiness(all)].flatMap(([name, group]) => {
    const open = group.map((it) => ({ it, ...pointsOf(it) })).filter(({ missing, wrong }) => missing.length + wrong.length > 0);
    without += group.length - open.length;
    if (open.length === 0) return [];
    const isNamed = group.every((it) => it.isNamed);
    const parts = open.flatMap(({ it, missing, wrong }) => [
      ...(all.length > 1 && (open.length > 1 || !isNamed) ? [`${t('row')} ${rowOf(it.draft, it.at)}`] : []),
      ...section(t('askMissing'), missing),
      ...section(t('askWrong'), wrong),
    ]);
    const ready = new Set(open.flatMap(({ it }) => toHaveReady(it.draft, it.fields).map(({ text }) => text)));
    const list = [...ready].map((it) => `- ${it}`).join('\n');
    const texts = new Set(open.flatMap(({ it }) => wayTexts(it)));
    const whole = (title: string, text: string) => `${title.toLocaleUpperCase()}\n\n${text}`;
    return [[isNamed ? line(name) : '', t('askHello'), t('askIntro'), ...parts, whole(t('ready'), list), ...[...texts].map((text) => whole(t('guideTitle'), text)), t('askThanks')]];
  });
  const text = letters.map((it) => it.filter(Boolean).join('\n\n')).join(`\n\n${'_'.repeat(40)}\n\n`);
  return { text: text === '' ? '' : `${text}\n`, without };
}

/** The texts of the way that was chosen for a draft, if they are whole, while a page or picture for them is missing. */
function wayTexts({ draft: { value, optIn }, fields }: Collected): string[] {
  const isOpen = ['optInWorkflowImageURLs', 'privacyPolicyUrl', 'termsUrl'].some((role) => fields.some((it) => it.role === role) && textsOf(value, fields, role).every((it) => it === ''));
  const texts = optIn === undefined || !isOpen ? '' : forWebsite(piecesOf(optIn, value, fields)).trim();
  return texts === '' || texts.includes('[…]') ? [] : [texts];
}

function section(title: string, points: string[][]): string[] {
  if (points.length === 0) return [];
  return [[title.toLocaleUpperCase(), ...points.map(([first, ...lines], at) => [`${at + 1}. ${first}`, ...lines.map((it) => `   ${it}`)].join('\n'))].join('\n\n')];
}

/** What is missing from a draft, and what is wrong in it, each in the order of the form. */
function pointsOf(collected: Collected): { missing: string[][]; wrong: string[][] } {
  const { draft, fields, findings } = collected;
  const missing: string[][] = [];
  const wrong: string[][] = [];
  const open = bySeverity(findings.filter((it) => it.severity !== 'info'));
  for (const field of byGroup(fields).flatMap((it) => it.fields)) {
    const own = open.filter((it) => fieldAt(fields, it.pointer) === field);
    if (!isEmpty(get(draft.value, field.pointer))) wrong.push(...own.map((it) => correction(it, field)));
    // Only who files has the account that shows identifiers.
    else if (!isIdentifier(field) && (field.required || waits(own))) missing.push(question(field));
  }
  for (const finding of open) {
    if (finding.pointer === '') wrong.push(correction(finding, undefined));
    // A part with several fields. What is in other places is for those who write the draft.
    const inside = fields.filter((it) => finding.pointer !== '' && it.pointer.startsWith(`${finding.pointer}/`));
    const [first] = inside;
    if (first !== undefined && isEmpty(get(draft.value, finding.pointer)) && !inside.some((it) => it.required)) {
      missing.push([groupTitle(first.group), ...question(first).slice(1)]);
    }
  }
  return { missing, wrong };

  function correction(finding: Finding, field: Field | undefined): string[] {
    const now = textAt(collected, finding);
    const word = (text: string) => (field === undefined ? text : choiceIn(field, text).title);
    const fix = replacement(finding, collected);
    return [
      field?.title ?? t('wholeDraft'),
      ...(now === '' ? [] : [t('youWrote', { text: t('quoted', { text: line(excerpt(now, finding, 70).join('')) }) })]),
      line(plain(finding.message, fields, word)),
      ...(finding.help === null ? [] : [line(plain(finding.help, fields, word))]),
      ...(fix === null ? [] : [line(plain(fix, fields))]),
    ];
  }
}

/** What a missing field is for, and where to find it. */
function question(field: Field): string[] {
  const { about, values } = described(field);
  const choices = values.length > MOST_CHOICES ? [] : values.map((it) => it.title);
  const first = forPeople(sentencesOf(about)[0] ?? '');
  const isExample = field.example !== null && field.example.length < SHORT_EXAMPLE;
  return [
    field.title,
    ...(first === '' ? [] : [plain(first, [])]),
    ...(choices.length > 0 ? [t('oneOf', { choices: choices.join(' / ') })] : isExample ? [t('labelled', { label: t('example'), text: field.example ?? '' })] : []),
    whereToFind(field),
  ].filter(Boolean);
}

function line(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}
