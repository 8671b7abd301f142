import type { Migration } from 'kysely/migration';
import { DomainError } from '../errors';
import type { TableChange } from './compare-databases';

/** The result of a restore. */
export interface Restored {
  /** Where the replaced database is; null if there was none. */
  replaced: string | null;
  /** Why the replaced database could not be compared with the backup, or null. */
  damage: string | null;
  /** The rows that the replaced database has and the backup lacks; empty if there was none or it is damaged. */
  changes: TableChange[];
  /** Migrations that the backup needed. */
  ran: string[];
}

/** Throws `Invalid` (`not_our_database`, `backup_newer`) unless this release knows the migrations of a backup. */
export function requireOurMigrations(
  backup: string,
  applied: readonly string[],
  migrations: Record<string, Migration>,
): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (applied.length === 0 || unknown.length === applied.length)
    throw new DomainError('Invalid', {
      code: 'not_our_database',
      message: `${backup} is a database, but not one of this product. Nothing was changed.`,
    });
  if (unknown.length > 0)
    throw new DomainError('Invalid', {
      code: 'backup_newer',
      message: `${backup} is of a newer release: it knows ${unknown.join(', ')}. Install that release, or restore an older backup. Nothing was changed.`,
    });
}
