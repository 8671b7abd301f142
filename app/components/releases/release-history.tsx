import { DateAndMinute } from '~/components/time/dates';
import type { HistoryEntry } from './history-text';

/** Who did what to a release, the newest entry first. */
export function ReleaseHistory({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ol className="divide-y divide-line">
      {entries.map(({ id, actor, description, createdAt }) => (
        <li key={id} className="grid gap-0.5 py-2.5 first:pt-0 last:pb-0">
          <p className="[overflow-wrap:anywhere]">
            <strong className="font-semibold">{actor ?? 'An account that is gone'}</strong> {description}
          </p>
          <p className="text-small text-soft">
            <DateAndMinute iso={createdAt} />
          </p>
        </li>
      ))}
    </ol>
  );
}
