// What only a person can see: questions about one draft, made from what it says.

import type { Field } from 'tollproof';
import type { TaskAnswer, Way } from '../draft/choices';
import { textsOf } from '../handover/entries';
import type { Draft } from '../state/session';
import { t } from '../words';
import { calledBy, consentOf, notShared, termsOf } from './guide';
import { formOf, picturesOf, wayOf } from './way';

export interface Task {
  /** What it asks about, whatever the language: an answer holds for nothing else. */
  key: string;
  /** Values of the draft are in backticks. */
  question: string;
  /** A text that would do, in the language of customers. */
  example: string | null;
  /** What to do after a no. */
  otherwise: string;
}

export function tasksOf(draft: Draft, fields: readonly Field[]): Task[] {
  const text = (role: string) => textsOf(draft.value, fields, role).find((it) => it !== '') ?? '';
  const [business, number, website] = [text('businessName'), text('registrationNumber'), text('corporateWebsite')];
  const [privacy, terms, description] = [text('privacyPolicyUrl'), text('termsUrl'), text('optInWorkflowDescription')];
  const way = wayOf(draft.value, fields, draft.optIn?.way);
  const task = (id: string, about: readonly string[], words: Pick<Task, 'question' | 'otherwise'>, more: Partial<Task> = {}): Task => ({
    key: [id, ...about].join('\n'),
    example: null,
    ...words,
    ...more,
  });
  const name = business || t('yourBusiness');
  const called = calledBy(draft.value, fields) || (draft.optIn?.business ?? '');
  const sentence = draft.optIn?.way === way && draft.optIn ? consentOf(draft.optIn, called) : null;
  const isThere = [
    ...(website === '' ? [] : [task('site', [website, business], { question: t('taskSite', { address: website, name: text('doingBusinessAs') || name }), otherwise: t('taskSiteNo') })]),
    task('opt-in', [way ?? '', description], optIn(way, formOf(draft.value, fields)), {
      example: sentence !== null && (description === '' || description.includes(sentence)) ? sentence : null,
    }),
    ...picturesOf(draft.value, fields).map((address) => {
      const what = shownBy(way);
      return task('picture', [address, way ?? ''], { question: t('taskPicture', { address, what }), otherwise: t('taskPictureNo', { what }) });
    }),
  ];
  const example = termsOf(draft.optIn, called);
  return [
    ...isThere,
    task('privacy', [privacy || website], {
      question: privacy === '' ? t('taskPrivacy') : t('taskPrivacyAt', { address: privacy }),
      otherwise: t('taskPrivacyNo'),
    }, { example: notShared(draft.optIn) }),
    task('terms', [terms || website], {
      question: terms === '' ? t('taskTerms') : t('taskTermsAt', { address: terms }),
      otherwise: [t('taskTermsNo'), example.includes('[…]') ? `${t('guideComplete')}.` : ''].join(' ').trim(),
    }, { example }),
    task('name', [business, number], {
      question: number === '' ? t('taskName', { name }) : t('taskNameNumber', { name, number }),
      otherwise: t('taskNameNo'),
    }),
    task('today', [description, text('useCaseSummary')], { question: t('taskToday'), otherwise: t('taskTodayNo') }),
  ];
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

/** How many questions have each answer. */
export function countTasks(draft: Draft, fields: readonly Field[]): { open: number; no: number; all: number } {
  const answers = tasksOf(draft, fields).map((task) => answerTo(draft, task));
  const count = (wanted: TaskAnswer | null) => answers.filter((answer) => answer === wanted).length;
  return { open: count(null), no: count('no'), all: answers.length };
}
