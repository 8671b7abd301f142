import { DAY, toIso } from '../clock';
import { deleteOlder } from '../database/delete-in-batches';
import type { Database, Transaction } from '../database/schema';
import { newId } from '../ids';

/** How long an entry of the audit log is kept. */
export const AUDIT_RETENTION_MS = 365 * DAY;

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

/** Deletes the entries of the audit log that are a year old. Returns how many. `now`: epoch ms. */
export function purgeAudit(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'audit_log', now - AUDIT_RETENTION_MS);
}
