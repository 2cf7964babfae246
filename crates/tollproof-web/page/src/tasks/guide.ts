// The texts that people need who have no opt-in yet. What customers read is in their language, because reviewers compare it with
// the page or the picture, letter by letter; the description is for reviewers, in English, and quotes it.

import type { Field } from 'tollproof';
import type { Json } from '../draft/pointer';
import { textsOf } from '../draft/values';
import { current, fields, language } from '../state/session';
import type { OptIn } from '../draft/choices';
import { languageOfText } from '../draft/language';
import type { Language } from '../words/languages';
import { t } from '../words';
import { webAddress } from './way';

export const WAYS = ['web', 'phone', 'text', 'paper', 'counter'] as const;

/** What the description calls the language of the words that it quotes. */
const QUOTED: Record<Language, string> = { en: '', es: ' (in Spanish)', fr: ' (in French)' };

/** A text, or what shows that it has to be filled in. */
const or = (text: string) => text.trim() || '[…]';

/** The name that customers know, of the open draft; empty if it has none. */
export function businessName(): string {
  return current.value.example === 'untouched' ? '' : calledBy(current.value.value, fields.value);
}

/** The name that customers know, without its legal form. */
export function calledBy(draft: Json, of: readonly Field[]): string {
  const [name = ''] = ['doingBusinessAs', 'businessName'].flatMap((role) => textsOf(draft, of, role)).filter(Boolean);
  return withoutForm(name);
}

/** A name without its legal form. */
export function withoutForm(name: string): string {
  return name.trim().replace(/,? (inc|llc|pllc|ltd|ltée|corp)\.?$/i, '');
}

/** The trade name of a draft and the legal name, where customers know another name; `null` otherwise. */
export function tradeName(draft: Json, of: readonly Field[]): { shown: string; business: string } | null {
  const [shown = '', business = ''] = ['doingBusinessAs', 'businessName'].map((role) => textsOf(draft, of, role).find(Boolean));
  const differ = shown !== '' && business !== '' && withoutForm(shown).toLowerCase() !== withoutForm(business).toLowerCase();
  return differ ? { shown: shown.trim(), business: business.trim() } : null;
}

const ADVERTISING = /\d ?%|\$ ?\d+ off|\b(offers?|promo\w*|sales|discounts?|deals?|coupons?|marketing|specials?|sp[eé]ciaux|aubaines?|newsletters?|infolettres?|bolet[ií]n(?:es)?|ofertas?|promoci\w*|descuentos?|rebajas?|cup[oó]n\w*|publicidad|offres?|rabais|soldes?|publicit\w*|remises?)(?![\p{L}])/iu;

/** Messages that are no advertising, by the words of use cases. */
const SERVICE =
  /\b(remind|notic|notif|confirm|alert|updat|appointment|booking|order|deliver|ship|invoice|bill|payment|codes?\b|status|visits?\b|rappel|avis|rendez-vous|rdv|command|livraison|factur|paiement|recordat|aviso|alerta|citas?\b|pedido|entrega|env[ií]o|pago|c[oó]digo)/i;

/** Whether a topic is one purpose: advertising is not agreed to together with anything else. */
export function isOnePurpose(topic: string): boolean {
  const parts = topic.split(/[,;&]| and | y | e | et /i).filter((part) => part.trim() !== '');
  // A list may be of what is advertised, as in `offers on boots and soles`.
  return !parts.some((part) => ADVERTISING.test(part)) || parts.every((part, at) => ADVERTISING.test(part) || (at > 0 && !SERVICE.test(part)));
}

/** The language of customers: the one that was chosen, or that of the page. */
export function languageOf(chosen: OptIn | undefined): Language {
  return chosen?.language ?? language.value;
}

/** Where customers get help: the number that they call, or else what the draft says of its contact. */
export function contactOf(draft: Json, of: readonly Field[], chosen: OptIn | undefined): string {
  if (chosen?.way === 'phone' && chosen.place !== '') return chosen.place;
  return ['businessContactEmail', 'businessContactPhone'].flatMap((role) => textsOf(draft, of, role)).find(Boolean) ?? '';
}

/** What a draft says of an address that is not at the domain of its website, and the field for it; `null` if there is no such address. */
export function shownMail(draft: Json, of: readonly Field[]): { mail: string; website: string; text: string; field: Field } | null {
  const [mail = '', website = ''] = ['businessContactEmail', 'corporateWebsite'].map((role) => textsOf(draft, of, role).find(Boolean));
  const domain = mail.toLowerCase().split('@')[1] ?? '';
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/:?#]+\.[^/:?#]+)/i.exec(website)?.[1]?.toLowerCase();
  const isWithin = (one: string, other: string) => `.${one}`.endsWith(`.${other}`);
  const field = of.find(({ role }) => role === 'additionalInformation') ?? of.find(({ role }) => role === 'optInWorkflowDescription');
  if (domain === '' || host === undefined || isWithin(domain, host) || isWithin(host, domain) || field === undefined) return null;
  return { mail, website, text: `The e-mail address ${mail} is shown on our website.`, field };
}

/** How many characters of a field the description of a way may have; `null` if there is no limit. */
export function roomIn(field: Field, draft: Json, of: readonly Field[]): number | null {
  const mail = shownMail(draft, of);
  return field.maxLength === null || mail?.field !== field ? field.maxLength : field.maxLength - mail.text.length - 1;
}

/** A privacy policy for who has none, with the sentence that any policy needs. */
export function policyOf(chosen: OptIn | undefined, business: string, contact: string): string {
  return customers('textPrivacy', chosen, business, contact);
}

/** The lines about text messages that terms need. */
export function termsOf(chosen: OptIn | undefined, business: string, contact: string): string {
  return customers('textTerms', chosen, business, contact);
}

/** The answer to HELP. */
export function helpOf(chosen: OptIn, business: string, contact: string): string {
  return customers('textHelp', chosen, business, contact);
}

/** The message that confirms that somebody agreed. */
export function confirmationOf(chosen: OptIn, business: string): string {
  return customers('textConfirm', chosen, business);
}

/** What people read or hear where they agree. */
export function consentOf(chosen: OptIn, business: string): string {
  const isSpoken = chosen.way === 'phone' || chosen.way === 'counter';
  return customers(isSpoken ? 'textAsk' : chosen.way === 'text' ? 'textWord' : 'textAgree', chosen, business);
}

/** A word of French before a name that begins with a vowel. */
const ELIDED = /(?<=\b(?:qu|d))e (?=[aeiouàâéèêëîïôœ])/giu;

function customers(key: Parameters<typeof t>[0], chosen: OptIn | undefined, business: string, contact = ''): string {
  const code = languageOf(chosen);
  const topic = isOnePurpose(chosen?.topic ?? '') ? (chosen?.topic ?? '') : '';
  const [costs, notShared] = [t('textCosts', {}, code), t('textNotShared', {}, code)];
  const text = t(key, { business: or(business), topic: or(topic), word: or(chosen?.word ?? ''), contact: or(contact), costs, notShared }, code);
  return code === 'fr' ? text.replace(ELIDED, '’') : text;
}

/** How people agree, as the end of a sentence. */
const AGREED: Record<OptIn['way'], string> = {
  web: 'with an optional box on our website',
  code: 'with an optional box on our website',
  phone: 'on the phone, after we read them a script',
  counter: 'in person, after we read them a script',
  text: 'by sending a word to our number',
  paper: 'with an optional box on a paper form',
};

/** Who sends which messages to whom, and how people agreed, for the submission; `null` until the topic is there in English. */
export function summaryOf(chosen: OptIn, business: string): string | null {
  const topic = (languageOf(chosen) === 'en' ? chosen.topic : (chosen.english ?? '')).trim();
  if (topic === '' || !isOnePurpose(topic) || languageOfText(topic) !== 'en') return null;
  const theirs = topic.replace(/\byour\b/gi, 'their').replace(/\byou\b(?= \w)/gi, 'they');
  return `${or(business)} sends its customers text messages about ${theirs}. Customers agree ${AGREED[chosen.way]}.`;
}

/** How people agree, for the submission. What may be left out is, where a field takes no more than so many characters. */
export function descriptionOf(chosen: OptIn, business: string, most: number | null = null): string {
  const whole = describe(chosen, business, ' No mobile information will be shared with third parties for marketing purposes.');
  return most !== null && whole.length > most ? describe(chosen, business, '') : whole;
}

function describe(chosen: OptIn, business: string, rest: string): string {
  const consent = `"${consentOf(chosen, business)}"`;
  const quoted = QUOTED[languageOf(chosen)];
  const place = or(webAddress(chosen.place));
  const spoken = `Before texting, we read aloud${quoted}: ${consent} Without a noted yes, no texts.${rest}`;
  switch (chosen.way) {
    case 'phone':
      return `Customers call by phone: ${place}, see ${or(webAddress(chosen.source ?? ''))}. ${spoken}`;
    case 'counter':
      return `Customers agree in person at ${place}. ${spoken}`;
    case 'text':
      return `Customers send the word ${or(chosen.word)} from their mobile phone to our number. They see it on a sign${quoted} at ${place}: ${consent}${rest}`;
    case 'paper':
      return `Customers fill in a paper form at ${place}, which has an optional box${quoted}, empty and apart from the signature: ${consent}${rest}`;
    default:
      return `Customers enter their mobile number at ${place} and may tick an optional box${quoted}, unchecked by default, separate from our terms and privacy policy linked below: ${consent}${rest}`;
  }
}
