// A form with one text to paste, what is wrong with it, and one button.

import type { ComponentChildren } from 'preact';

interface Properties {
  id: string;
  label: string;
  button: string;
  rows: number;
  text: string;
  write: (text: string) => void;
  submit: () => void;
  problem: ComponentChildren;
  /** What is above the text. */
  children?: ComponentChildren;
}

export function TextForm({ id, label, button, rows, text, write, submit, problem, children }: Properties) {
  const isEmpty = text.trim() === '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
      <label for={id}>{label}</label>
      <textarea id={id} rows={rows} spellcheck={false} aria-describedby={`${id}-problem`} value={text} onInput={(event) => write(event.currentTarget.value)} />
      <div id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </div>
      <p class="buttons">
        <button type="submit" class={isEmpty ? undefined : 'main'} disabled={isEmpty}>
          {button}
        </button>
      </p>
    </form>
  );
}
