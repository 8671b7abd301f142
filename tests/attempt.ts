import type { OutboxRow } from '#shared/outbox/define-outbox';
import type { OutboxSender } from '#shared/outbox/outbox-sender';
import type { Outcome } from '#shared/outbox/outcome';

/** Claims one row if it is due and free, sends it and records the outcome. Returns it if it waits again. */
export async function attempt<Row extends OutboxRow, Ended extends Outcome, Prepared>(
  sender: OutboxSender<Row, Ended, Prepared>,
  id: string,
): Promise<Row[]> {
  const [row] = await sender.claim([id]);
  if (row === undefined) return [];
  const ended = await sender.begin(row, (await sender.prepare?.([row])) as Prepared);
  return ended === null ? [] : sender.settle([ended]);
}

/** Attempts what is due now, one row after the other. */
export async function attemptDue<Row extends OutboxRow, Ended extends Outcome, Prepared>(
  sender: OutboxSender<Row, Ended, Prepared>,
): Promise<void> {
  for (const { id } of await sender.listDue({})) await attempt(sender, id);
}
