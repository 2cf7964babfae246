// The list of what is missing, to send to a client.

import { useEffect, useState } from 'preact/hooks';

import { CopyButton } from '../parts/CopyButton';
import { Dialog } from '../parts/Dialog';
import { LanguageChoice } from '../parts/LanguageChoice';
import { download } from '../files/download';
import { stem } from '../files/stem';
import { type ClientList, clientList } from '../reports/clientList';
import { collect } from '../reports/collect';
import { close } from '../state/dialogs';
import { drafts, view } from '../state/session';
import { language, t } from '../words';
import type { Language } from '../words/languages';
import { WhichDrafts } from './WhichDrafts';

/** How much of the text is shown, in characters. All of it is copied and saved. */
const SHOWN = 40_000;

export function AskDialog() {
  const [reader, setReader] = useState(language.value);
  const [isWhole, setWhole] = useState(drafts.value.length > 1 && view.value === 'sheet');
  const [done, setDone] = useState(0);
  const [list, setList] = useState<(ClientList & { language: Language }) | null>(null);
  useEffect(() => {
    const stopped = new AbortController();
    void collect({ language: reader, isWhole, make: (all) => ({ ...clientList(all), language: reader }), progress: setDone, signal: stopped.signal }).then(setList);
    return () => stopped.abort();
  }, [reader, isWhole]);
  const all = isWhole ? drafts.value.length : 1;
  const text = list?.text ?? '';
  return (
    <Dialog title={t('ask')} close={close}>
      <p>{t('askAbout')}</p>
      <WhichDrafts isWhole={isWhole} choose={setWhole} />
      <LanguageChoice id="ask-language" value={reader} choose={setReader} />
      <p class="about" role="status">
        {list === null || done < all
          ? t('checkedOf', { done, n: all })
          : text === ''
            ? t('askNothing')
            : list.without > 0 && t('askWithout', { n: list.without })}
      </p>
      {text !== '' && (
        <>
          <textarea class="letter" aria-label={t('ask')} lang={list?.language} readOnly value={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
          <p class="buttons">
            <CopyButton class="main" text={() => text} name="" words={t('copy')} />
            <button
              type="button"
              onClick={() => download(new TextEncoder().encode(text), `${stem(isWhole)}-questions.txt`, 'txt')}
            >
              {t('download')}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
