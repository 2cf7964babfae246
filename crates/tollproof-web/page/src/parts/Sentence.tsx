// A sentence of the engine, with `code` as code and a capital at its beginning.

export function Sentence({ text }: { text: string }) {
  const parts = (text.charAt(0).toUpperCase() + text.slice(1)).split('`');
  return (
    <span lang="en">
      {parts.map((part, at) => (at % 2 === 1 && at < parts.length - 1 ? <code key={at}>{part}</code> : part))}
    </span>
  );
}
