// A sentence of the engine, with `code` as code.

export function Sentence({ text }: { text: string }) {
  const parts = text.split('`');
  return (
    <span lang="en">
      {parts.map((part, at) => (at % 2 === 1 && at < parts.length - 1 ? <code key={at}>{part}</code> : part))}
    </span>
  );
}
