import type { Database, Transaction } from '../database/schema';
import type { MemberRolesTable } from '../database/tables/members/member-roles';
import { DomainError } from '../errors';
import { AUDIENCES, readRoleSettings } from './role-settings';

/** A watch with a role, for members with Pro who want its alerts. */
export interface WatchOfRole {
  id: string;
  slug: string;
  title: string;
  kind: 'waiting_room' | 'product';
  productId: string | null;
  retailerId: string | null;
  variantKey: string | null;
  /** Whether the daemon still adds the rows of its members. */
  isBeingListed: boolean;
}

/** A role on Discord that the bot gives and takes. */
export interface ManagedRole {
  audience: MemberRolesTable['audience'];
  /** At Discord. */
  roleId: string;
  /** Null for the role of an audience. */
  watch: WatchOfRole | null;
}

const listedWatches = (db: Database) =>
  db
    .selectFrom('watch_roles')
    .innerJoin('watches', 'watches.id', 'watch_roles.watch_id')
    .leftJoin('products', 'products.id', 'watches.product_id')
    .where('watches.deleted_at', 'is', null)
    .where('products.retired_at', 'is', null);

/** The roles of audiences and of watches, except of retired products. */
export async function listManagedRoles(db: Database): Promise<ManagedRole[]> {
  const settings = await readRoleSettings(db);
  const rows = await listedWatches(db)
    .select(['watch_roles.role_id', 'watch_roles.fan_out_status', 'watches.id', 'watches.slug'])
    .select(['watches.title', 'watches.kind', 'watches.product_id', 'watches.retailer_id'])
    .select('watches.variant_key')
    .orderBy('watches.title')
    .orderBy('watches.id')
    .execute();
  return [
    ...AUDIENCES.filter((audience) => settings[audience] !== '').map((audience) => ({
      audience,
      roleId: settings[audience],
      watch: null,
    })),
    ...rows.map(({ role_id, fan_out_status, product_id, retailer_id, variant_key, ...watch }) => ({
      audience: 'watch' as const,
      roleId: role_id,
      watch: {
        ...watch,
        productId: product_id,
        retailerId: retailer_id,
        variantKey: variant_key,
        isBeingListed: fan_out_status === 'pending',
      },
    })),
  ];
}

/** Whether the bot gives any role. */
export async function hasRoles(db: Database): Promise<boolean> {
  return (await listManagedRoles(db)).length > 0;
}

/** Whether a watch has a role, or members may still have a former role of a watch. */
export async function hasWatchRoles(db: Database): Promise<boolean> {
  return (await db.selectFrom('watch_roles').select('role_id').limit(1).executeTakeFirst()) !== undefined;
}

/** The id of the role of each watch that has one. */
export async function readWatchRoles(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('watch_roles')
    .select(['role_id', 'watch_id'])
    .where('watch_id', 'is not', null)
    .execute();
  return new Map(rows.map(({ role_id, watch_id }) => [watch_id ?? '', role_id]));
}

/** The columns that restart the listing of a role's members. */
const TO_LIST = { fan_out_status: 'pending', fan_out_after: null } as const;

/** Has the daemon list the members of the roles of these watches again, such as when their product is retired. */
export async function listRolesAgain(trx: Transaction, watchIds: readonly string[]): Promise<void> {
  if (watchIds.length === 0) return;
  await trx
    .updateTable('watch_roles')
    .set(TO_LIST)
    .where('watch_id', 'in', [...watchIds])
    .execute();
}

function taken(message: string): DomainError {
  return new DomainError('Invalid', { code: 'role_taken', message, fieldErrors: { memberRole: [message] } });
}

/**
 * Sets the role of a watch; an empty `roleId` removes it. The daemon then gives the role to the members, and takes the
 * former one from those who have it. Returns whether it differs from before. Throws `Invalid` (`role_taken`) for the role
 * of an audience or of another watch.
 */
export async function setWatchRole(
  trx: Transaction,
  { watchId, roleId }: { watchId: string; roleId: string },
): Promise<boolean> {
  const before = (await readWatchRoles(trx)).get(watchId) ?? '';
  if (before === roleId) return false;
  await trx
    .updateTable('watch_roles')
    .set({ watch_id: null, ...TO_LIST })
    .where('watch_id', '=', watchId)
    .execute();
  if (roleId === '') return true;
  const settings = await readRoleSettings(trx);
  const audience = AUDIENCES.find((name) => settings[name] === roleId);
  if (audience !== undefined)
    throw taken(`This is the ${audience} role: all members of that audience have it. Please choose another.`);
  const owner = await trx
    .selectFrom('watch_roles')
    .innerJoin('watches', 'watches.id', 'watch_roles.watch_id')
    .select('watches.title')
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  if (owner !== undefined) throw taken(`This is the role of ${owner.title}. Please choose another.`);
  await trx
    .insertInto('watch_roles')
    .values({ role_id: roleId, watch_id: watchId, ...TO_LIST })
    .onConflict((conflict) => conflict.column('role_id').doUpdateSet({ watch_id: watchId, ...TO_LIST }))
    .execute();
  return true;
}

/**
 * Makes sure that no watch has one of these roles, which become those of audiences. Throws `Invalid` (`role_taken`) with the
 * audience in `fieldErrors`. A role that a watch had is left to the audience.
 */
export async function requireNoWatchRole(
  trx: Transaction,
  roles: readonly { audience: string; roleId: string }[],
): Promise<void> {
  for (const { audience, roleId } of roles) {
    const row = await trx
      .selectFrom('watch_roles')
      .leftJoin('watches', 'watches.id', 'watch_roles.watch_id')
      .select(['watch_roles.watch_id', 'watches.title'])
      .where('role_id', '=', roleId)
      .executeTakeFirst();
    if (row === undefined) continue;
    if (row.watch_id !== null) {
      const message = `This is the role of ${row.title ?? 'a watch'}. Please choose another.`;
      throw new DomainError('Invalid', {
        code: 'role_taken',
        message,
        fieldErrors: { [audience]: [message] },
      });
    }
    await trx.deleteFrom('watch_roles').where('role_id', '=', roleId).execute();
    await trx.deleteFrom('member_roles').where('role_id', '=', roleId).execute();
  }
}
