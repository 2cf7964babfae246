// For people who have no opt-in yet: a way to agree, and the texts for it, to hand to whoever keeps the website.

import type { Field } from 'tollproof';

import { focusAfter, focusField } from '../form/focus';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { LanguageChoice } from '../parts/LanguageChoice';
import type { OptIn } from '../draft/choices';
import { languageOfText } from '../draft/language';
import { chooseOptIn } from '../state/actions';
import { close } from '../state/dialogs';
import { current, fields } from '../state/session';
import { businessName, consentOf, contactOf, descriptionOf, isOnePurpose, languageOf, policyOf, roomIn, summaryOf, termsOf, tradeName, WAYS, withoutForm } from '../tasks/guide';
import { shownBy } from '../tasks/tasks';
import { wayOf } from '../tasks/way';
import { labelOf, t } from '../words';
import type { Language } from '../words/languages';
import { useKept } from './useKept';

const NEW: OptIn = { way: 'web', business: '', topic: '', place: '', word: '' };

/** A text to hand over. */
interface Piece {
  title: string;
  text: string;
  /** The language of what reviewers and customers read. */
  lang?: Language;
  /** Whether it goes into a field of the draft, and not on the website. */
  isOfDraft?: boolean;
}

export function GuideDialog() {
  const way = current.value.example === 'untouched' ? undefined : WAYS.find((it) => it === wayOf(current.value.value, fields.value, undefined));
  const [chosen, setChosen] = useKept<OptIn | null>('guide', current.value.optIn ?? (way === undefined ? null : { ...NEW, way }));
  const known = businessName();
  const description = fieldOf('optInWorkflowDescription');
  const pieces = chosen === null ? [] : piecesOf(chosen, known || withoutForm(chosen.business));
  const write = (changes: Partial<OptIn>) => setChosen({ ...NEW, ...chosen, ...changes });
  const input = (key: 'business' | 'topic' | 'english' | 'place' | 'source' | 'word', words: string) => (
    <p>
      <label for={`guide-${key}`}>{words}</label>
      <input id={`guide-${key}`} value={chosen?.[key] ?? ''} onInput={(event) => write({ [key]: event.currentTarget.value })} />
    </p>
  );
  return (
    <Dialog title={t('guideTitle')} close={close}>
      <p>{t('guideAbout')}</p>
      <fieldset class="ways">
        <legend class="hidden">{t('guideTitle')}</legend>
        {WAYS.map((it) => (
          <label key={it}>
            <input type="radio" name="way" checked={chosen?.way === it} onChange={() => write({ way: it })} />
            <span>
              <b>{t(`way_${it}`)}</b> <small>{t(`wayAbout_${it}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen !== null && (
        <>
          <div class="answers-to-guide">
            {known === '' && input('business', t('businessName'))}
            {input('topic', t('guideTopic'))}
            {!isOnePurpose(chosen.topic) && <p class="hint" role="status">{t('guidePurposes')}</p>}
            {chosen.way === 'text' && input('word', t('guideWord'))}
            {input('place', t(`guidePlace_${chosen.way as (typeof WAYS)[number]}`))}
            {chosen.way === 'phone' && input('source', t('guideSource'))}
            <LanguageChoice id="guide-language" words={t('guideLanguage')} value={languageOf(chosen)} choose={(language) => write({ language })} />
            {languageOf(chosen) !== 'en' && input('english', t('guideEnglish'))}
            {languageOfText(chosen.english ?? '') !== 'en' && <p class="hint" role="status">{t('guideNotEnglish')}</p>}
          </div>
          {pieces.map(({ title, text, lang }) => (
            <section key={title}>
              <h3>{title}</h3>
              <p class={lang && 'example-text'} lang={lang}>
                {text}
              </p>
              {lang && <CopyButton class="link" text={() => text} name={title} />}
            </section>
          ))}
          <p class="buttons">
            <button
              type="button"
              class="main"
              onClick={() => {
                close();
                chooseOptIn(chosen);
                if (description === undefined) focusAfter('#group-opt-in-title', 'h1');
                else setTimeout(() => focusField(description.pointer));
              }}
            >
              {t('guideUse')}
            </button>
            <CopyButton words={t('guideCopy')} text={() => pieces.flatMap((it) => (it.isOfDraft ? [] : `${it.title}\n${it.text}\n`)).join('\n')} name="" />
          </p>
        </>
      )}
    </Dialog>
  );
}

function fieldOf(role: string): Field | undefined {
  return fields.value.find((it) => it.role === role);
}

/** What to put where. */
function piecesOf(chosen: OptIn, business: string): Piece[] {
  const way = chosen.way as (typeof WAYS)[number];
  const what = shownBy(way);
  const draft = current.value.example === 'untouched' ? {} : current.value.value;
  const contact = contactOf(draft, fields.value, chosen);
  const names = tradeName(draft, fields.value);
  const forReviewers = (role: string, textFor: (field: Field) => string | null): Piece[] => {
    const field = fieldOf(role);
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
    { title: t('guidePicture'), text: t('wherePictures', { what }) },
    ...forReviewers('useCaseSummary', () => summaryOf(chosen, business)),
    ...forReviewers('optInWorkflowDescription', (field) => descriptionOf(chosen, business, roomIn(field, draft, fields.value))),
  ];
}
