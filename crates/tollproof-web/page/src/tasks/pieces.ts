// What goes where for a way to agree: texts for the website, the phone or the counter, and for the fields of the draft.

import type { Field } from 'tollproof';
import type { OptIn } from '../draft/choices';
import type { Json } from '../draft/pointer';
import { labelOf, t } from '../words';
import type { Language } from '../words/languages';
import { calledBy, consentOf, contactOf, descriptionOf, languageOf, policyOf, roomIn, summaryOf, termsOf, tradeName, type WAYS, withoutForm } from './guide';
import { shownBy } from './tasks';

/** A text to hand over. */
export interface Piece {
  title: string;
  text: string;
  /** The language of what reviewers and customers read. */
  lang?: Language;
  /** Whether it goes into a field of the draft, and not on the website. */
  isOfDraft?: boolean;
}

/** What to put where. */
export function piecesOf(chosen: OptIn, draft: Json, of: readonly Field[]): Piece[] {
  const way = chosen.way as (typeof WAYS)[number];
  const business = calledBy(draft, of) || withoutForm(chosen.business);
  const contact = contactOf(draft, of, chosen);
  const names = tradeName(draft, of);
  const forReviewers = (role: string, textFor: (field: Field) => string | null): Piece[] => {
    const field = of.find((it) => it.role === role);
    const text = field === undefined ? null : textFor(field);
    return field === undefined || text === null ? [] : [{ title: t('guideDescription', { name: labelOf(field).text }), text, lang: 'en', isOfDraft: true }];
  };
  const exact = (title: string, text: string): Piece => ({ title, text, lang: languageOf(chosen) });
  return [
    exact(t(`consent_${way}`), consentOf(chosen, business)),
    ...(way === 'web' ? [{ title: t('guideLinks'), text: t('textLinks', {}, languageOf(chosen)) }] : []),
    { title: t('guideWhere'), text: t(`where_${way}`) },
    exact(t('guidePrivacy'), policyOf(chosen, business, contact)),
    { title: t('guideOldTitle'), text: t('guideOld') },
    exact(t('guideTerms'), termsOf(chosen, business, contact)),
    { title: t('guideFooter'), text: [...(names === null ? [] : [t('textTradeName', names, languageOf(chosen))]), t('textLinks', {}, languageOf(chosen))].join(' ') },
    { title: t('guidePicture'), text: t('wherePictures', { what: shownBy(way) }) },
    ...forReviewers('useCaseSummary', () => summaryOf(chosen, business)),
    ...forReviewers('optInWorkflowDescription', (field) => descriptionOf(chosen, business, roomIn(field, draft, of))),
  ];
}

/** The texts for whoever keeps the website. */
export function forWebsite(pieces: readonly Piece[]): string {
  return pieces.flatMap((it) => (it.isOfDraft ? [] : `${it.title}\n${it.text}\n`)).join('\n');
}
