import type { Kysely } from 'kysely';

/** Where a daemon runs, beside the name of its host, which others may share. Heartbeats of earlier releases have neither. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['boot_id', 'pid_namespace'])
    await db.schema.alterTable('daemon_heartbeats').addColumn(name, 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ['pid_namespace', 'boot_id'])
    await db.schema.alterTable('daemon_heartbeats').dropColumn(name).execute();
}
