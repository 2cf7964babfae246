// The head of a printed page: what it is of, when it was printed, and how the draft is.

import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

import { isReady } from '../engine';
import { provider, providerTitle, view } from '../state/session';
import { language } from '../words';
import { verdict } from './Score';

export function PrintHead() {
  const [date, setDate] = useState('');
  // To load what browsers know of dates takes longer than any other part of the page: the first findings come before.
  useEffect(() => {
    if (!isReady.value) return;
    const timer = setTimeout(() => setDate(new Date().toLocaleDateString(language.value, { dateStyle: 'long' })));
    return () => clearTimeout(timer);
  }, [language.value, isReady.value]);
  const said = useComputed(verdict).value;
  return (
    <p class="print-head" aria-hidden="true">
      <b>tollproof</b>
      {` · ${date} · ${providerTitle(provider.value)}`}
      {view.value === 'sheet' ? '' : ` · ${said}`}
    </p>
  );
}
