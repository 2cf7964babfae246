// What changed, for those who hear the page: politely, and only after a pause.

import { useEffect, useState } from 'preact/hooks';

import { announcement } from '../state/dialogs';
import { t } from '../words';
import { left } from './Score';
import { isReady } from '../engine';
import { isFilled, view } from '../state/session';

/** The pause after the last change, in milliseconds. */
const PAUSE = 900;

export function Live() {
  const [said, setSaid] = useState('');
  const { errors, warnings, toFill } = left.value;
  const parts = [
    ...(toFill > 0 ? [t('nToFill', { n: toFill })] : []),
    t('nErrors', { n: errors }),
    t('nWarnings', { n: warnings }),
  ];
  const text = view.value === 'form' && isFilled.value && isReady.value ? parts.join(', ') : '';
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <div class="hidden" role="status" aria-live="polite">
        {said}
      </div>
      <div class="hidden" role="status">
        {announcement.value}
      </div>
    </>
  );
}
