import type { Selectable } from 'kysely';
import type { Transaction } from '../../database/schema';
import type { RetailersTable } from '../../database/tables/monitor/products';
import { newId } from '../../ids';
import { shorten } from '../../text';

export type Retailer = Selectable<RetailersTable>;

/** The longest name of a shop. */
const NAME_LENGTH = 60;

/** The retailer of a page, by the page's host (with its port). A new one is called `name`, else as its host. */
export async function findOrAddRetailer(
  trx: Transaction,
  { url, name }: { url: string; name?: string | undefined },
): Promise<Retailer> {
  const { host } = new URL(url);
  const known = await trx.selectFrom('retailers').selectAll().where('host', '=', host).executeTakeFirst();
  if (known !== undefined) return known;
  await trx
    .insertInto('retailers')
    .values({ id: newId(), host, name: name ?? shorten(host.replace(/^www\./, ''), { fits: NAME_LENGTH }) })
    .execute();
  return trx.selectFrom('retailers').selectAll().where('host', '=', host).executeTakeFirstOrThrow();
}
