import { writeAudit, type Actor } from '../audit/write-audit';
import { DAY, toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { deleteOlder } from '../database/delete-in-batches';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { plainLine } from '../text';
import { webAddressField } from '../web-address';

/** The most pending suggestions per member. */
const MAX_WAITING = 20;
/** How long a member sees that a suggestion was dismissed. */
const DISMISSED_FOR_MS = 30 * DAY;

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
 * Stores the address of a product for the admins; the same address again changes nothing unless it was dismissed. Throws `Conflict`
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
      .where('dismissed_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_WAITING)
      throw new DomainError('Conflict', {
        code: 'suggestion_limit',
        message: `${MAX_WAITING} of your suggestions are waiting. Please wait until we have looked at some.`,
      });
    const again = { dismissed_at: null, dismissal: null };
    await trx
      .insertInto('product_suggestions')
      .values({ id: newId(), user_id: userId, url, created_at: toIso(clock.now()) })
      .onConflict((conflict) => conflict.columns(['user_id', 'url']).doUpdateSet(again))
      .execute();
  });
}

/**
 * The suggestions that wait for an admin, most suggested first: `limit` of them after the first `offset`. `total`: the
 * number of addresses.
 */
export async function listSuggestions(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ suggestions: Suggestion[]; total: number }> {
  const waiting = db.selectFrom('product_suggestions').where('dismissed_at', 'is', null);
  const { total } = await waiting
    .select((row) => row.fn.count<number>('url').distinct().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await waiting
    .select((row) => [
      'url',
      row.fn.min('id').as('id'),
      row.fn.min('created_at').as('first'),
      row.fn.countAll<number>().as('members'),
    ])
    .groupBy('url')
    .orderBy('members', 'desc')
    .orderBy('first')
    .orderBy('url')
    .limit(limit)
    .offset(offset)
    .execute();
  const suggestions = rows.map(({ id, url, first, members }) => ({
    id,
    url,
    members: Number(members),
    suggestedAt: first,
  }));
  return { suggestions, total: Number(total) };
}

/** The state of a suggestion, for the member who made it. */
export interface OwnSuggestion {
  url: string;
  suggestedAt: string;
  /** Null while it waits for an admin. */
  dismissedAt: string | null;
  /** Why it was dismissed, as a sentence, if the admin said so. */
  reason: string | null;
}

/** Lists the suggestions of a member, newest first: those that wait, and those that were dismissed in the last 30 days. */
export async function listOwnSuggestions(db: Database, userId: string): Promise<OwnSuggestion[]> {
  return db
    .selectFrom('product_suggestions')
    .select(['url', 'created_at as suggestedAt', 'dismissed_at as dismissedAt', 'dismissal as reason'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export const dismissalField = plainLine(200).optional().describe('For the members who suggested it.');

/**
 * Dismisses all suggestions of an address, and writes the audit log. With a reason their members see it for 30 days; without
 * one they are deleted, as for a product that was added. Throws `NotFound` `suggestion_not_found`.
 */
export async function dropSuggestion(
  db: Database,
  { id, reason = '', actor, clock }: { id: string; reason?: string | undefined; actor: Actor; clock: Clock },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const found = await trx
      .selectFrom('product_suggestions')
      .select('url')
      .where('id', '=', id)
      .where('dismissed_at', 'is', null)
      .executeTakeFirst();
    if (found === undefined)
      throw new DomainError('NotFound', {
        code: 'suggestion_not_found',
        message: 'There is no such suggestion. Another admin may have taken or removed it.',
      });
    const { url } = found;
    const now = clock.now();
    if (reason === '') await trx.deleteFrom('product_suggestions').where('url', '=', url).execute();
    else
      await trx
        .updateTable('product_suggestions')
        .set({ dismissed_at: toIso(now), dismissal: reason })
        .where('url', '=', url)
        .execute();
    const details = { url, ...(reason === '' ? {} : { reason }) };
    await writeAudit(trx, { actor, action: 'suggestion.drop', subject: id, details }, now);
  });
}

/** Deletes suggestions that were dismissed long ago. Returns how many. */
export function purgeSuggestions(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'product_suggestions', now - DISMISSED_FOR_MS, 'dismissed_at');
}
