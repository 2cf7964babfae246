// The bar at the top: what is open, and what can be done with it.

import { useRef } from 'preact/hooks';

import { opened } from '../state/dialogs';
import { openFile } from '../state/actions';
import { isBegun } from '../state/session';
import { resetSheet } from '../sheet/Sheet';
import { t } from '../words';

const ACCEPTED = '.json,.yaml,.yml,.ndjson,.jsonl,.csv,.tsv,.xlsx';

export function Header() {
  return (
    <header class="top">
      <p class="brand">tollproof</p>
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
          <button type="button" aria-haspopup="dialog" onClick={() => (opened.value = 'clear')}>
            {t('clear')}
          </button>
          <button type="button" class="main" aria-haspopup="dialog" onClick={() => (opened.value = 'save')}>
            {t('save')}
          </button>
        </div>
      )}
    </header>
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
