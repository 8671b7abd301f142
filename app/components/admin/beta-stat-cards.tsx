import type { BetaStats } from '#shared/beta/read-beta';

/** The beta in five numbers. */
export function BetaStatCards({ stats }: { stats: BetaStats }) {
  const cards: [string, string | number][] = [
    ['Total Users', stats.totalUsers],
    ['Pending Requests', stats.pendingRequests],
    ['Approved Users', stats.approvedUsers],
    ['Total Requests', stats.totalRequests],
    ['Approval Rate', `${stats.approvalRate}%`],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {cards.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end gap-1 rounded-pocket border border-line bg-surface px-4 py-3.5 last:max-sm:col-span-2"
        >
          <dt className="text-small text-soft">{name}</dt>
          <dd className="font-display text-title font-bold tracking-[-0.02em]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
