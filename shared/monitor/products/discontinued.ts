import { addNotice, type AdminContacts } from '../../alerts/admin-notices';
import type { Delivery } from '../../alerts/deliveries/deliveries';
import { toIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import type { ProductJudgement } from '../checks/verdict';
import type { Watch } from '../watches/watches';

/**
 * Since when a shop no longer sells an offer (ISO-8601), after a check at `now`; null: it sells it. One page that says so may
 * be a fault of the shop, so the second in a row counts.
 *
 * | seen                       | before | after     |
 * |----------------------------|--------|-----------|
 * | discontinued, first in row | null   | null      |
 * | discontinued, second       | null   | now       |
 * | discontinued               | set    | unchanged |
 * | any availability           | any    | null      |
 * | unknown for another reason | any    | unchanged |
 *
 * `wasSeen`: the check before said so as well.
 */
export function discontinuedAfter(
  { discontinued_at: before }: Pick<Watch, 'discontinued_at'>,
  { availability, unknownReason }: Pick<ProductJudgement, 'availability' | 'unknownReason'>,
  { wasSeen, now }: { wasSeen: boolean; now: number },
): string | null {
  if (availability !== 'unknown') return null;
  if (unknownReason !== 'discontinued' || before !== null) return before;
  return wasSeen ? toIso(now) : null;
}

/** Tells the admins once that a shop no longer sells an offer. Returns the deliveries of the notice. */
export async function reportDiscontinued(
  trx: Transaction,
  {
    watch,
    discontinuedAt,
    reason,
    adminContacts,
    now,
  }: {
    watch: Watch;
    discontinuedAt: string | null;
    /** The reason from the check. */
    reason: string;
    adminContacts: AdminContacts;
    now: number;
  },
): Promise<Delivery[]> {
  if (discontinuedAt === null || watch.discontinued_at !== null) return [];
  return addNotice(
    trx,
    {
      watchId: watch.id,
      kind: 'silence_began',
      dedupeKey: `discontinued:${watch.id}:${discontinuedAt}`,
      title: `${watch.title}: no longer sold`,
      body: `Two checks in a row found this: ${reason} It is now checked once a day. Delete the watch, or retire the product if no other shop sells it.`,
    },
    adminContacts,
    now,
  );
}
