import type { Transaction } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { newId } from '../ids';

/** Who acts: an account, or null for a command typed on the machine. */
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

/** Writes one line of the audit log, in the transaction of the change it tells of. */
export async function writeAudit(
  trx: Transaction<Schema>,
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
