import { toIso } from '../clock';
import type { Transaction } from '../database/schema';

/** Makes the mails of a member due that wait for the end of quiet hours: the sender postpones again those that still have to. */
export async function endWaits(
  trx: Transaction,
  { accountId, now }: { accountId: string; now: number },
): Promise<void> {
  await trx
    .updateTable('member_deliveries')
    .set({ due_at: toIso(now) })
    .where('user_id', '=', accountId)
    .where('channel', '=', 'email')
    .where('status', '=', 'pending')
    .where('due_at', '>', toIso(now))
    .execute();
}
