// The bar at the top: what is open, and what can be done with it.

import { useRef } from 'preact/hooks';

import { opened } from '../state/dialogs';
import { focusAfter } from '../form/focus';
import { openHandOver } from '../state/actions';
import { openFile } from '../state/opening';
import { allProviders, isBegun, provider, view } from '../state/session';
import { inFile, keeping } from '../state/storage';
import { resetSheet } from '../sheet/Sheet';
import { language, t } from '../words';
import type { Language } from '../words/languages';
import { AskButton } from './AskButton';
import { LanguageOptions } from './LanguageOptions';

const ACCEPTED = '.json,.yaml,.yml,.ndjson,.jsonl,.csv,.tsv,.txt,.xlsx,.md,.eml,.html,.ts,.js,.mjs,.gs,.py,.sh,.rb,.go,.php,.ps1,.cs';

/** The mark, which the page has before the script. */
const MARK = document.getElementById('mark')?.getAttribute('d') ?? '';

export function Header() {
  return (
    <header class="top">
      <p class="brand">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={MARK} />
        </svg>{' '}
        tollproof
      </p>
      <select
        id="language"
        aria-label={t('language')}
        value={language.value}
        onChange={(event) => (language.value = event.currentTarget.value as Language)}
      >
        <LanguageOptions />
      </select>
      <div class="do" role="group" aria-label={t('actions')}>
        <OpenButton />
        <button type="button" aria-haspopup="dialog" onClick={() => (opened.value = 'paste')}>
          {t('paste')}
        </button>
        <button type="button" aria-haspopup="dialog" onClick={() => (opened.value = 'explain')}>
          {t('explainButton')}
        </button>
      </div>
      {isBegun.value && (
        <div class="do" role="group" aria-label={t('drafts')}>
          {view.value === 'form' && <HandOverButton />}
          {view.value === 'sheet' && <AskButton />}
          <button type="button" aria-haspopup="dialog" onClick={() => (opened.value = 'save')}>
            {t('save')}
          </button>
          {keeping.value !== 'yes' && inFile.value !== 'all' && <small class="not-kept">{t(inFile.value === 'none' ? 'notKept' : 'answersNotKept')}</small>}
        </div>
      )}
    </header>
  );
}

/** Whether a submission is typed into a website. A sheet is sent as a file. */
export function hasWebsite(): boolean {
  return !allProviders().find((it) => it.name === provider.value)?.sheet;
}

/** The way to the draft as it is typed over. */
export function HandOverButton({ isMain = false }: { isMain?: boolean }) {
  if (!hasWebsite()) return null;
  return (
    <button
      type="button"
      class={isMain ? 'main' : undefined}
      onClick={() => {
        openHandOver();
        focusAfter('h1');
      }}
    >
      {t('handover')}
    </button>
  );
}

function OpenButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {t('openFile')}
      </button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        hidden
        onChange={async (event) => {
          const element = event.currentTarget;
          const file = element.files?.[0];
          if (file !== undefined && (await openFile(file))) resetSheet();
          // The same file can be opened again.
          element.value = '';
        }}
      />
    </>
  );
}
