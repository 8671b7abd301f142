import { z } from 'zod';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { requiredLine } from '../text';

/** Stripe charges at least £0.30 (docs.stripe.com/currencies, "Minimum and maximum charge amounts"). */
const MIN_PENCE = 30;
const MAX_PENCE = 1_000_000;
const PRICE_RULE = 'The price is from £0.30 to £10,000.00.';
const ID_RULE = 'The id has 1 to 40 lower-case letters, digits and hyphens, such as pro-monthly.';

/** The fields that packages of both kinds have; the price in pence. */
export const packageFields = {
  id: z.string(ID_RULE).regex(/^[a-z0-9][a-z0-9-]{0,39}$/, ID_RULE),
  name: requiredLine(60, 'The package needs a name.'),
  description: requiredLine(200, 'The package needs a description.'),
  pricePence: z.int(PRICE_RULE).min(MIN_PENCE, PRICE_RULE).max(MAX_PENCE, PRICE_RULE),
};

const TABLES = ['subscription_packages', 'token_packages'] as const;

async function findPackage(trx: Transaction, id: string) {
  for (const table of TABLES) {
    const found = await trx.selectFrom(table).select('retired_at').where('id', '=', id).executeTakeFirst();
    if (found !== undefined) return { table, retiredAt: found.retired_at };
  }
  return null;
}

type PackageFields = z.output<z.ZodObject<typeof packageFields>>;

/** A package to be added, and who adds it. */
export interface NewPackage<Fields extends PackageFields = PackageFields> {
  fields: Fields;
  actor: Actor;
  clock: Clock;
}

/** The columns that packages of both kinds have. */
type PackageRow = Record<'id' | 'name' | 'description' | 'created_at' | 'updated_at', string> & {
  price_pence: number;
};

/**
 * Adds a package: `insert` adds its row, with what only its kind has. Throws `Conflict` (`package_exists`) when a package of
 * either kind has the id, retired ones included.
 */
export async function addPackage(
  db: Database,
  { fields, actor, clock }: NewPackage,
  insert: (trx: Transaction, row: PackageRow) => Promise<unknown>,
): Promise<void> {
  const now = clock.now();
  const { id, name, description, pricePence: price_pence } = fields;
  await inTransaction(db, async (trx) => {
    if ((await findPackage(trx, id)) !== null)
      throw new DomainError('Conflict', {
        code: 'package_exists',
        message: `The package ${id} already exists. Choose another id.`,
      });
    await insert(trx, { id, name, description, price_pence, created_at: toIso(now), updated_at: toIso(now) });
    await writeAudit(trx, { actor, action: 'package.add', subject: id, details: { ...fields } }, now);
  });
}

/** Retires a package of either kind: subscriptions continue. False when it was retired before. Throws `NotFound`. */
export async function retirePackage(
  db: Database,
  { id, actor, clock }: { id: string; actor: Actor; clock: Clock },
): Promise<boolean> {
  const now = clock.now();
  return inTransaction(db, async (trx) => {
    const found = await findPackage(trx, id);
    if (found === null)
      throw new DomainError('NotFound', {
        code: 'unknown_package',
        message: `There is no package ${id}. "npm run packages -- list" shows them all.`,
      });
    if (found.retiredAt !== null) return false;
    await trx
      .updateTable(found.table)
      .set({ retired_at: toIso(now), updated_at: toIso(now) })
      .where('id', '=', id)
      .execute();
    await writeAudit(trx, { actor, action: 'package.retire', subject: id }, now);
    return true;
  });
}
