// A message as a phone shows it, with what it costs to send.

import type { Sample } from 'tollproof';
import { sample } from '../engine';
import { samplesIn } from '../form/addedWords';
import { setValue } from '../state/actions';
import { t } from '../words';

export function Phone({ text, pointer }: { text: string; pointer: string }) {
  const cost = sample(text);
  const signs = cost.longer.filter((it) => !/\p{L}/u.test(it.text));
  const plain = replaced(text, signs);
  const hasLetters = signs.length < cost.longer.length;
  return (
    <figure class="phone">
      <figcaption>{t('preview')}</figcaption>
      {samplesIn(text).map((message, at) => (
        <Message key={at} text={message} />
      ))}
      {cost.longer.length > 0 && (
        <p class="cost">
          {t('costly', { characters: [...new Set(cost.longer.map((it) => it.text))].join(' ') })}{' '}
          {hasLetters && t('keepLetters')}{' '}
          {plain !== text && isCheaper(sample(plain), cost) && (
            <button type="button" class="fix" onClick={() => setValue(pointer, plain)}>
              {t('replaceCostly')}
            </button>
          )}
        </p>
      )}
    </figure>
  );
}

function Message({ text }: { text: string }) {
  const cost = sample(text);
  return (
    <>
      <div class="screen">
        <p class="bubble">{parts(text)}</p>
      </div>
      <p class="cost">
        <span class={`bars ${cost.segments > 1 ? 'several' : ''}`} aria-hidden="true">
          {Array.from({ length: Math.min(cost.segments, 10) }, (_, at) => (
            <i key={at}>
              <i style={{ width: `${filled(cost, at)}%` }} />
            </i>
          ))}
        </span>
        <b>{t('segments', { n: cost.segments })}</b> · {t('units', { n: cost.units })} · {cost.encoding}
      </p>
    </>
  );
}

function isCheaper(one: Sample, other: Sample): boolean {
  return one.encoding !== other.encoding || one.units < other.units;
}

/** How much of a segment is used, in percent. */
function filled(cost: Sample, at: number): number {
  const size = (cost.units + cost.room) / cost.segments;
  return Math.max(0, Math.min(1, (cost.units - at * size) / size)) * 100;
}

function replaced(text: string, longer: Sample['longer']): string {
  return [...longer]
    .sort((a, b) => b.start - a.start)
    .reduce((all, it) => (it.plain === null ? all : all.slice(0, it.start) + it.plain + all.slice(it.end)), text);
}

/** The text with what a phone makes a link of. Nothing opens: a click in the preview must not leave the page. */
function parts(text: string) {
  return text
    .split(/((?:https?:\/\/|www\.)[^\s]+[^\s.,;:!?)\]"'])/g)
    .map((part, at) => (at % 2 === 1 ? <u key={at}>{part}</u> : part));
}
