// A text field in which words with findings are marked.

import { useRef } from 'preact/hooks';

import type { Finding } from 'tollproof';
import { type Part, partsOf } from './marks';

interface Properties {
  id: string;
  value: string;
  /** What the field had when its findings were made. */
  checked: unknown;
  isLong: boolean;
  findings: readonly Finding[];
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired?: boolean;
  label?: string;
  inputMode?: 'email' | 'numeric' | 'tel' | 'text' | 'url';
  write: (text: string) => void;
  leave?: () => void;
}

/**
 * The marks are a copy of the text under the field, which is transparent. The copy grows with its text, and the field
 * with the copy.
 */
export function MarkedText(properties: Properties) {
  const { id, value, checked, isLong, findings, describedBy, isInvalid, isRequired, label, inputMode, write, leave } = properties;
  const copy = useRef<HTMLDivElement>(null);
  const common = {
    id,
    value,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    'aria-required': isRequired,
    onBlur: leave,
    onInput: (event: Event) => write((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
    onScroll: (event: Event) => {
      if (copy.current) copy.current.scrollLeft = (event.currentTarget as HTMLElement).scrollLeft;
    },
  };
  return (
    <div class={isLong ? 'marked long' : 'marked'}>
      <div class="copy" ref={copy} aria-hidden="true">
        {partsOf(value, findings, checked).map(show)}
        {isLong && '\n'}
      </div>
      {isLong ? <textarea {...common} rows={3} /> : <input {...common} type="text" inputMode={inputMode} autocapitalize={inputMode === 'email' || inputMode === 'url' ? 'none' : undefined} autocomplete="off" />}
    </div>
  );
}

function show(part: Part, at: number) {
  return part.severity === null ? part.text : <mark key={at} class={part.severity}>{part.text}</mark>;
}
