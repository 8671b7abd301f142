import type { Database } from '../database/schema';

/** An entry of the audit log. */
export interface AuditRecord {
  id: string;
  /** The name of the acting account; null for a command on the machine and for a deleted account. */
  actor: string | null;
  /** Such as `release.publish`. */
  action: string;
  details: Record<string, unknown>;
  createdAt: string;
}

/** Lists the newest entries about a subject, newest first. */
export async function listAudit(
  db: Database,
  { subject, limit }: { subject: string; limit: number },
): Promise<AuditRecord[]> {
  const rows = await db
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select([
      'audit_log.id',
      'audit_log.action',
      'audit_log.details',
      'audit_log.created_at',
      'users.username',
    ])
    .where('audit_log.subject', '=', subject)
    .orderBy('audit_log.created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, action, details, created_at, username }) => ({
    id,
    actor: username,
    action,
    details: details === null ? {} : (JSON.parse(details) as Record<string, unknown>),
    createdAt: created_at,
  }));
}
