// For people who have no opt-in yet: a way to agree, and the texts for it, to hand to whoever keeps the website.

import { focusAfter, focusField } from '../form/focus';
import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { LanguageChoice } from '../parts/LanguageChoice';
import type { OptIn } from '../draft/choices';
import { languageOfText } from '../draft/language';
import { chooseOptIn } from '../state/actions';
import { close } from '../state/dialogs';
import { current, fields } from '../state/session';
import { businessName, isOnePurpose, languageOf, WAYS } from '../tasks/guide';
import { forWebsite, piecesOf } from '../tasks/pieces';
import { wayOf } from '../tasks/way';
import { t } from '../words';
import { useKept } from './useKept';

const NEW: OptIn = { way: 'web', business: '', topic: '', place: '', word: '' };

export function GuideDialog() {
  const way = current.value.example === 'untouched' ? undefined : WAYS.find((it) => it === wayOf(current.value.value, fields.value, undefined));
  const [chosen, setChosen] = useKept<OptIn | null>('guide', current.value.optIn ?? (way === undefined ? null : { ...NEW, way }));
  const known = businessName();
  const description = fields.value.find((it) => it.role === 'optInWorkflowDescription');
  const draft = current.value.example === 'untouched' ? {} : current.value.value;
  const pieces = chosen === null ? [] : piecesOf(chosen, draft, fields.value);
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
            <CopyButton words={t('guideCopy')} text={() => forWebsite(pieces)} name="" />
          </p>
        </>
      )}
    </Dialog>
  );
}
