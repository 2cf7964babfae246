// A list of texts, one row each.

import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { get, isEmpty, isWithin, join, type Json, set } from '../draft/pointer';
import { setValue, typeValue } from '../state/actions';
import { settled } from '../state/session';
import { Phone } from '../parts/Phone';
import { labelOf, t } from '../words';
import { type ControlProperties, keyboardOf } from './controlProperties';
import { MarkedText } from './MarkedText';
import { focusAfter, idOf } from './focus';

export function Rows({ field, id, value, findings, describedBy, leave }: ControlProperties & { leave: () => void }) {
  const added = useRef(false);
  const element = useRef<HTMLDivElement>(null);
  const entries: Json[] = Array.isArray(value) ? value : isEmpty(value) ? [] : [value as Json];
  const shown = entries.length === 0 ? [set(undefined, field.item, '')] : entries;
  const label = labelOf(field).text;
  const isMessage = field.group === 'message';
  const write = (list: Json[], by = setValue) => by(field.pointer, list.length === 0 ? undefined : list);
  const isFull = field.maxItems !== null && entries.length >= field.maxItems;

  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    [...(element.current?.querySelectorAll<HTMLElement>('input, textarea') ?? [])].at(-1)?.focus();
  }, [shown.length]);

  return (
    <div class="rows" ref={element}>
      {shown.map((entry, at) => {
        const pointer = Array.isArray(value) ? join(field.pointer, at) : field.pointer;
        const own = findings.filter((it) => isWithin(it.pointer, pointer));
        const text = get(entry, field.item);
        return (
          <Fragment key={at}>
            <div class="row">
              <MarkedText
                id={at === 0 && !Array.isArray(value) ? id : idOf(join(field.pointer, at))}
                label={`${label} ${at + 1}`}
                value={text === undefined ? '' : String(text)}
                checked={get(settled.peek().value, pointer + field.item)}
                isLong={isMessage}
                inputMode={keyboardOf(field)}
                findings={own}
                describedBy={describedBy}
                isRequired={(field.required && at === 0) || undefined}
                isInvalid={own.some((it) => it.severity === 'error')}
                write={(typed) => write(typed === '' && shown.length === 1 ? [] : shown.with(at, set(entry, field.item, typed)), typeValue)}
                leave={() => {
                  leave();
                  if (shown.length > 1 && shown.some(isEmpty)) write(shown.filter((it) => !isEmpty(it)));
                }}
              />
              {entries.length > 0 && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={t('removeRow', { name: `${label} ${at + 1}` })}
                  onClick={() => {
                    write(entries.toSpliced(at, 1));
                    focusAfter(`[id="${id}-row"] :is(input, textarea)`);
                  }}
                >
                  ✕
                </button>
              )}
            </div>
            {isMessage && typeof text === 'string' && text !== '' && <Phone text={text} pointer={pointer + field.item} />}
          </Fragment>
        );
      })}
      {entries.length > 0 && !isFull && (
        <button
          type="button"
          class="add"
          onClick={() => {
            added.current = true;
            write([...entries, set(undefined, field.item, '')]);
          }}
        >
          {t('addRow')}
        </button>
      )}
    </div>
  );
}
