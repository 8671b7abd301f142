import type { TokenPurchase } from '#shared/tokens/purchases';
import { formatPounds } from '#shared/money';
import { LongDate } from '~/components/time/dates';
import { OpenIcon, WaitingRoomIcon, WarningIcon } from '~/components/ui/icons';
import { Panel } from '~/components/ui/panel';

const STATUSES = {
  completed: { label: 'Completed', className: 'text-open', icon: <OpenIcon /> },
  pending: { label: 'Pending', className: 'text-unknown', icon: <WaitingRoomIcon /> },
  failed: { label: 'Failed', className: 'text-live', icon: <WarningIcon /> },
} as const;

/** The latest purchases of tokens; null if they could not be read. */
export function RecentPurchases({ purchases }: { purchases: readonly TokenPurchase[] | null }) {
  return (
    <Panel title="Recent Token Purchases">
      {purchases === null ? (
        <p className="text-soft">Your purchases could not be loaded. Reload this page to try again.</p>
      ) : purchases.length === 0 ? (
        <p className="text-soft">No purchases yet. What you buy is listed here.</p>
      ) : (
        <ul className="grid divide-y divide-line">
          {purchases.map(({ id, packageName, tokenCount, amountPence, status, createdAt }) => {
            const { label, className, icon } = STATUSES[status];
            return (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
                <span className="min-w-0">
                  <span className="block font-semibold">{packageName}</span>
                  <span className="text-small text-soft">
                    <LongDate iso={createdAt} />, {tokenCount.toLocaleString('en-GB')} tokens
                  </span>
                </span>
                <span className="flex items-center gap-4">
                  <span className={`flex items-center gap-1.5 text-small font-semibold ${className}`}>
                    {icon}
                    {label}
                  </span>
                  <span className="font-semibold">{formatPounds(amountPence)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
