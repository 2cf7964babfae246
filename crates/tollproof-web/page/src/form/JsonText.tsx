// A value that has no control of its own, written as JSON.

import { useState } from 'preact/hooks';

import { setValue } from '../state/actions';
import { t } from '../words';
import type { ControlProperties } from './controlProperties';

export function JsonText({
  field,
  id,
  value,
  describedBy,
  isInvalid,
  leave,
}: ControlProperties & { isInvalid: boolean; leave: () => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const written = value === undefined ? '' : JSON.stringify(value, null, 2);
  const write = (text: string) => {
    setTyped(text);
    try {
      setValue(field.pointer, text.trim() === '' ? undefined : JSON.parse(text));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  const text = typed ?? written;
  return (
    <div class="json">
      <textarea
        id={id}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        aria-describedby={`${describedBy} ${id}-json`}
        aria-invalid={isInvalid || isBroken}
        aria-required={field.required || undefined}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onBlur={() => {
          leave();
          if (!isBroken) setTyped(null);
        }}
      />
      <p id={`${id}-json`} class="count" role="status">
        {isBroken ? t('brokenJson') : t('asJson')}
      </p>
    </div>
  );
}
