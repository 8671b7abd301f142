import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { webAddressField } from '../web-address';

/** Suggestions of one member that wait for an admin. */
const MAX_WAITING = 20;
const LISTED = 200;

/** The address of a product's page. Nothing is requested from it before an admin adds it. */
export const suggestedUrlField = webAddressField({
  missing: 'Please enter the address of the product’s page.',
  rule: 'Please enter a web address, such as https://shop.example/products/box.',
});

/** A product that members would like to follow. */
export interface Suggestion {
  id: string;
  url: string;
  /** How many members suggested it. */
  members: number;
  /** ISO; the first suggestion. */
  suggestedAt: string;
}

/**
 * Stores the address of a product for the admins; the same address again changes nothing. Throws `Conflict`
 * `already_watched` or `suggestion_limit`.
 */
export async function suggestProduct(
  db: Database,
  { userId, url, clock }: { userId: string; url: string; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const watched = await trx
      .selectFrom('watches')
      .innerJoin('products', 'products.id', 'watches.product_id')
      .select('products.slug')
      .where('watches.url', '=', url)
      .where('watches.deleted_at', 'is', null)
      .executeTakeFirst();
    if (watched !== undefined)
      throw new DomainError('Conflict', {
        code: 'already_watched',
        message: `We watch this page already: see /restock/${watched.slug}.`,
      });
    const { count } = await trx
      .selectFrom('product_suggestions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('url', '<>', url)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_WAITING)
      throw new DomainError('Conflict', {
        code: 'suggestion_limit',
        message: `${MAX_WAITING} of your suggestions are waiting. Please wait until we have looked at some.`,
      });
    await trx
      .insertInto('product_suggestions')
      .values({ id: newId(), user_id: userId, url, created_at: toIso(clock.now()) })
      .onConflict((conflict) => conflict.columns(['user_id', 'url']).doNothing())
      .execute();
  });
}

/** The suggestions that wait for an admin, those of most members first, at most 200. */
export async function listSuggestions(db: Database): Promise<Suggestion[]> {
  const rows = await db
    .selectFrom('product_suggestions')
    .select((row) => [
      'url',
      row.fn.min('id').as('id'),
      row.fn.min('created_at').as('first'),
      row.fn.countAll<number>().as('members'),
    ])
    .groupBy('url')
    .orderBy('members', 'desc')
    .orderBy('first')
    .limit(LISTED)
    .execute();
  return rows.map(({ id, url, first, members }) => ({
    id,
    url,
    members: Number(members),
    suggestedAt: first,
  }));
}

/** Deletes all suggestions of an address. Throws `NotFound` `suggestion_not_found`. */
export async function dropSuggestion(
  db: Database,
  { id, actor, clock }: { id: string; actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const found = await trx
      .selectFrom('product_suggestions')
      .select('url')
      .where('id', '=', id)
      .executeTakeFirst();
    if (found === undefined)
      throw new DomainError('NotFound', {
        code: 'suggestion_not_found',
        message: 'There is no such suggestion. Another admin may have taken or removed it.',
      });
    await trx.deleteFrom('product_suggestions').where('url', '=', found.url).execute();
    await writeAudit(
      trx,
      { actor, action: 'suggestion.drop', subject: id, details: { url: found.url } },
      clock.now(),
    );
  });
}
