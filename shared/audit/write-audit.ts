import { toIso } from '../clock';
import type { Transaction } from '../database/schema';
import { newId } from '../ids';

/** The acting account; null for a command on the machine. */
export interface Actor {
  userId: string | null;
}

export interface AuditEntry {
  actor: Actor;
  /** Such as `monitor.start`. */
  action: string;
  subject?: string;
  /** Without secrets. */
  details?: Record<string, unknown>;
}

/** Writes an audit log entry, in the transaction of the change. */
export async function writeAudit(
  trx: Transaction,
  { actor, action, subject, details }: AuditEntry,
  now: number,
): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      id: newId(),
      actor_id: actor.userId,
      action,
      subject: subject ?? null,
      details: details === undefined ? null : JSON.stringify(details),
      created_at: toIso(now),
    })
    .execute();
}
