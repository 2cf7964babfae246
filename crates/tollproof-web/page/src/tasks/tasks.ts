// What only a person can see: questions about one draft, made from what it says.

import type { Field, Finding } from 'tollproof';
import type { TaskAnswer, Way } from '../draft/choices';
import { isForeign } from '../draft/language';
import type { Json } from '../draft/pointer';
import { textsOf } from '../draft/values';
import { type Draft, keptFields } from '../state/session';
import { labelOf, t } from '../words';
import { calledBy, consentOf, contactOf, languageOf, policyOf, shownMail, termsOf, tradeName, withoutForm } from './guide';
import { formOf, picturesOf, wayOf, webAddress } from './way';

export interface Task {
  /** What it asks about, whatever the language: an answer holds for nothing else. */
  key: string;
  /** Values of the draft are in backticks. */
  question: string;
  /** A text that would do, in the language of customers. */
  example: string | null;
  /** What to do after a no. */
  otherwise: string;
  /** The fields to fill in: after a no, or after a yes that waits for them. */
  fill: readonly Field[];
  /** Whether a yes waits until the fields are filled in. */
  isWritten?: boolean;
}

/** Where a draft may name a policy if its provider has no field for the address. */
const POLICY = /(?:privac|polic|polit|confidential|terms|t[eé]rmin|condi)[^.]*?(?:https?:\/\/|www\.)/i;
/** The name before a colon or a dash with which a sample begins. */
const SENDER = /^\s*([^:.!?\n]{2,60}?)\s*[:–]/;
/** What reviewers read, in their language. */
const FOR_REVIEWERS = ['useCaseSummary', 'optInWorkflowDescription', 'additionalInformation'];

export function tasksOf(draft: Draft, fields: readonly Field[]): Task[] {
  const text = (role: string) => textsOf(draft.value, fields, role).find((it) => it !== '') ?? '';
  const [business, number, website] = [text('businessName'), text('registrationNumber'), text('corporateWebsite')];
  const shown = text('doingBusinessAs') || business;
  const [privacy, terms, description] = [text('privacyPolicyUrl'), text('termsUrl'), text('optInWorkflowDescription')];
  const mail = shownMail(draft.value, fields);
  const way = wayOf(draft.value, fields, draft.optIn?.way);
  const task = (id: string, about: readonly string[], words: Partial<Task> & Pick<Task, 'question' | 'otherwise'>): Task => ({
    key: [id, ...new Set([...about, ...valuesIn(words.question)])].join('\n'),
    example: null,
    fill: [],
    ...words,
    otherwise: words.example?.includes('[…]') ? `${words.otherwise} ${t('guideComplete')}.` : words.otherwise,
  });
  const name = business || t('yourBusiness');
  const called = calledBy(draft.value, fields) || (draft.optIn?.business ?? '');
  const sentence = draft.optIn?.way === way && draft.optIn ? consentOf(draft.optIn, called) : null;
  // Before the description is written, the page is the one that was chosen.
  const form = formOf(draft.value, fields) ?? (draft.optIn?.way === 'web' && description === '' && draft.optIn.place !== '' ? webAddress(draft.optIn.place) : null);
  const names = tradeName(draft.value, fields);
  const site = (address: string, name: string) => ({
    question: names === null ? t('taskSite', { address, name }) : t('taskSiteNames', { address, name, business: names.business }),
    otherwise: t('taskSiteNo'),
    example: names && t('textTradeName', names, languageOf(draft.optIn)),
  });
  const isThere = [
    ...(website === '' ? [] : [task('site', [website, business], site(website, shown || name))]),
    ...(mail === null ? [] : [task('mail', [], { question: t('taskMail', { address: mail.website, mail: mail.mail }), otherwise: t('taskMailNo') })]),
    ...published(draft.optIn, description).map(([address, number]) => task('published', [], { question: t('taskPublished', { address, number }), otherwise: t('taskPublishedNo') })),
    task('opt-in', [way ?? '', description], { ...optIn(way, form), example: sentence !== null && (description === '' || description.includes(sentence)) ? sentence : null }),
    ...picturesOf(draft.value, fields, way).map((address) => {
      const what = shownBy(way);
      return task('picture', [address, way ?? '', shown], { question: t('taskPicture', { address, what }), otherwise: t('taskPictureNo', { what }) });
    }),
  ];
  const sender = SENDER.exec(text('productionMessageContent'))?.[1] ?? '';
  const isNamed = sender === '' || [business, shown].some((it) => withoutForm(it).toLowerCase() === withoutForm(sender).toLowerCase());
  // Without a trade name, the name in the sample may be one.
  const known = shown === business ? fields.filter((it) => it.role === 'doingBusinessAs') : [];
  const contact = contactOf(draft.value, fields, draft.optIn);
  const kept = keptFields(draft, fields);
  const foreign = fields.filter((it) => isInForeign(draft.value, it));
  const policy = (id: 'privacy' | 'terms', role: string, address: string, words: Partial<Task> & Pick<Task, 'question' | 'otherwise'>) => {
    const own = fields.find((it) => it.role === role) ?? (POLICY.test(text('additionalInformation')) ? undefined : fields.find((it) => it.role === 'additionalInformation'));
    return task(id, [address || website, ...(id === 'terms' ? [called] : [])], { ...words, isWritten: true, fill: address !== '' || own === undefined || kept.includes(own) ? [] : [own] });
  };
  return [
    ...(kept.length === 0 ? [] : [task('kept', kept.map((it) => it.name), { question: t('taskKept', { names: namesOf(kept) }), otherwise: t('taskKeptNo'), fill: kept })]),
    ...isThere,
    ...(isNamed || shown === '' ? [] : [task('sender', [], { question: t('taskSender', { sender, name: shown }), otherwise: [t('taskSenderNo', { name: shown }), ...known.map((it) => t('taskSenderKnown', { sender, field: labelOf(it).text }))].join(' '), fill: [...known, ...fields.filter((it) => it.role === 'productionMessageContent')] })]),
    policy('privacy', 'privacyPolicyUrl', privacy, {
      question: privacy === '' ? t('taskPrivacy') : t('taskPrivacyAt', { address: privacy }),
      otherwise: `${t('taskPrivacyNo')} ${t('guideOld')}`,
      example: policyOf(draft.optIn, called, contact),
    }),
    policy('terms', 'termsUrl', terms, {
      question: terms === '' ? t('taskTerms') : t('taskTermsAt', { address: terms }),
      otherwise: t('taskTermsNo'),
      example: termsOf(draft.optIn, called, contact),
    }),
    task('name', [business, number], {
      question: number === '' ? t('taskName', { name }) : t('taskNameNumber', { name, number }),
      otherwise: t('taskNameNo'),
    }),
    ...(foreign.length === 0 ? [] : [task('english', foreign.map((it) => it.name), { question: t('taskEnglish', { names: namesOf(foreign) }), otherwise: t('inEnglish'), fill: foreign })]),
    task('today', [description, text('useCaseSummary'), shown], { question: t('taskToday'), otherwise: t('taskTodayNo') }),
  ];
}

/** The page that shows the number that customers call, and the number, where a description has both. */
function published(chosen: Draft['optIn'], description: string): [string, string][] {
  const [address, number] = [webAddress(chosen?.source ?? ''), chosen?.place ?? ''];
  return chosen?.way === 'phone' && number !== '' && /^https?:/.test(address) && description.includes(address) && description.includes(number) ? [[address, number]] : [];
}

/** The values of the draft that a question shows, in one order in all languages. */
function valuesIn(question: string): string[] {
  return [...question.matchAll(/`([^`]*)`/g)].map(([, value = '']) => value).sort();
}

/** Whether a field for reviewers has a text that is not in English. */
export function isInForeign(draft: Json, field: Field): boolean {
  return FOR_REVIEWERS.includes(field.role ?? '') && textsOf(draft, [field], field.role ?? '').some(isForeign);
}

/** The labels of some fields. */
export function namesOf(some: readonly Field[]): string {
  return some.map((it) => labelOf(it).text).join(', ');
}

function optIn(way: Way | null, form: string | null): Pick<Task, 'question' | 'otherwise'> {
  switch (way) {
    case 'web':
      return { question: form === null ? t('taskForm') : t('taskFormAt', { address: form }), otherwise: t('taskFormNo') };
    case 'code':
      return { question: t('taskCode'), otherwise: t('taskFormNo') };
    case 'phone':
      return { question: t('taskPhone'), otherwise: t('taskPhoneNo') };
    case 'counter':
      return { question: t('taskCounter'), otherwise: t('taskPhoneNo') };
    case 'text':
      return { question: t('taskText'), otherwise: t('taskTextNo') };
    case 'paper':
      return { question: t('taskPaper'), otherwise: t('taskPaperNo') };
    default:
      return { question: t('taskWay'), otherwise: t('taskWayNo') };
  }
}

/** What a picture of the way shows, as a part of a sentence. */
export function shownBy(way: Way | null): string {
  switch (way) {
    case 'phone':
    case 'counter':
      return t('shownScript');
    case 'text':
      return t('shownSign');
    case 'paper':
      return t('shownPaper');
    default:
      return t('shownBox');
  }
}

export function answerTo(draft: Draft, task: Task): TaskAnswer | null {
  return draft.answers?.[task.key] ?? null;
}

/** The answer that counts: a yes about a page counts once its address is in the draft. */
export function settledAs(draft: Draft, task: Task): TaskAnswer | null {
  const answer = answerTo(draft, task);
  return answer === 'yes' && task.isWritten && task.fill.length > 0 ? null : answer;
}

/** The question whose answer settles a reason of a rejection. */
const SETTLING: Record<string, string> = { privacyPolicyUrl: 'privacy', termsUrl: 'terms', corporateWebsite: 'site', registrationNumber: 'name' };

export function taskOf(draft: Draft, fields: readonly Field[], { role }: Pick<Finding, 'role'>): Task | undefined {
  const id = SETTLING[role ?? ''];
  return id === undefined ? undefined : tasksOf(draft, fields).find((it) => it.key.startsWith(`${id}\n`));
}

/** What the answer to a question says of a reason of a rejection; `null` if it leaves that open. */
export function answerAbout(draft: Draft, fields: readonly Field[], reason: Pick<Finding, 'role'>): TaskAnswer | null {
  const task = taskOf(draft, fields, reason);
  return task === undefined ? null : settledAs(draft, task);
}

/** Whether a finding is about an address that a person has seen on the website. */
export function isSeen(draft: Draft, fields: readonly Field[], { rule, severity }: Finding): boolean {
  const look = rule === 'contact/free-mail' && severity === 'info' && tasksOf(draft, fields).find((it) => it.key.startsWith('mail\n'));
  return Boolean(look) && answerTo(draft, look as Task) === 'yes';
}

/** How many questions have each answer. */
export function countTasks(draft: Draft, fields: readonly Field[]): { open: number; no: number; all: number } {
  const answers = tasksOf(draft, fields).map((task) => settledAs(draft, task));
  const count = (wanted: TaskAnswer | null) => answers.filter((answer) => answer === wanted).length;
  return { open: count(null), no: count('no'), all: answers.length };
}
