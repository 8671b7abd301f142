import type { Restock } from '#shared/restock/describe-restock';

/** Who sent whom here, when the link says. */
export function Greeting({ username, source }: Pick<Restock, 'username' | 'source'>) {
  if (username === null && source === null) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-small text-soft [overflow-wrap:anywhere]">
      {username === null ? null : <span>Hello, {username}.</span>}
      {source === null ? null : <span>Shared via {source}.</span>}
    </p>
  );
}
