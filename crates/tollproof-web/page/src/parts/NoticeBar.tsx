// What happened last, with undo.

import { useEffect, useRef } from 'preact/hooks';

import { focusAfter, lastVisited } from '../form/focus';
import { notice, undoLast } from '../state/undo';
import { Sentence } from './Sentence';
import { t } from '../words';

/** How long a notice without details stays, with a button and without, in milliseconds. Ctrl+Z undoes also after that. */
const SHOWN = { withUndo: 10_000, without: 5_000 };

export function NoticeBar() {
  const shown = notice.value;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // When the focus is where it goes, what the notice is about is not behind it: the style leaves room at the lower end.
    const timer = setTimeout(() => shown && document.activeElement?.closest('.field, .task')?.scrollIntoView({ block: 'nearest' }));
    return () => clearTimeout(timer);
  }, [shown]);
  useEffect(() => {
    if (shown === null || shown.lines.length > 0) return;
    const timer = setInterval(() => {
      if (!element.current?.matches(':hover, :focus-within, :has([open])')) notice.value = null;
    }, shown.hasUndo ? SHOWN.withUndo : SHOWN.without);
    return () => clearInterval(timer);
  }, [shown]);
  return (
    <div class="notices" ref={element}>
      <div role="status">
        {shown !== null && (
          <div class="notice">
            <div>
              {shown.changes.length === 0 ? (
                <p>{shown.words}</p>
              ) : (
                <details>
                  <summary>{shown.words}</summary>
                  <ul>
                    {shown.changes.map(({ place, old, text }, at) => (
                      <li key={at}>
                        <b>{place}</b> <del>{old}</del> {text}
                      </li>
                    ))}
                  </ul>
                </details>
              )}
              {shown.lines.length > 0 && (
                <ul>
                  {shown.lines.map((it) => (
                    <li key={it}>
                      <Sentence text={it} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {shown.hasUndo && (
              <button
                type="button"
                class="link"
                onClick={() => {
                  undoLast();
                  focusAfter(`[id="${lastVisited.value}"]`, 'h1');
                }}
              >
                {t('undo')}
              </button>
            )}
            <button type="button" class="quiet" aria-label={t('close')} onClick={() => (notice.value = null)}>
              ✕
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
