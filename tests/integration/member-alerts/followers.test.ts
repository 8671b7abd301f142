import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { announceReleases } from '#shared/alerts/product-announcements';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import { followFields } from '#shared/follows/follow-fields';
import { followProduct } from '#shared/follows/follows';
import { inTransaction } from '#shared/database/transaction';
import type { ProductVariant } from '#shared/monitor/checks/verdict';
import { retireProduct } from '#shared/monitor/products/change-product';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { readWatch } from '#shared/monitor/watches/watches';
import { addFollow, insertFollowedProduct, seeProduct } from './product-follower';
import { addMember } from './crowd';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { OUT } from '../monitor/product-watch';

let fixture: MonitorFixture;
let product: string;
let members = 0;
beforeAll(async () => {
  fixture = await createMonitorFixture({
    webhooks: [],
    environment: ({ smtpUrl, webhookHost }) => ({ SMTP_URL: smtpUrl, ALLOWED_PRIVATE_HOSTS: webhookHost }),
  });
  await fixture.startDaemon();
});
afterAll(() => fixture.cleanup());
beforeEach(async () => {
  product = await inTransaction(fixture.db, insertFollowedProduct);
  fixture.sandbox.mails.clear();
  fixture.sandbox.push.clear();
});

type Follow = Omit<Parameters<typeof addFollow>[1], 'userId' | 'productId'>;
type Member = Parameters<typeof addMember>[2];

/** Adds a member with mail alone, who follows the product. */
async function follower(name: string, follow: Follow | null = {}, member: Member = {}): Promise<string> {
  members += 1;
  const { db, sandbox } = fixture;
  const account = `${name}-${members}`;
  // The daemon writes at the same time.
  return inTransaction(db, async (trx) => {
    const id = await addMember({ db: trx, sandbox }, account, { alerts: {}, browsers: 0, ...member });
    if (follow !== null) await addFollow(trx, { userId: id, productId: product, ...follow });
    return id;
  });
}

/** Whom a mail has reached, without the number of their name. */
const mailed = () => fixture.sandbox.mails.receipts().map(({ to }) => to.replace(/-\d+@.*/, ''));
const pushed = () =>
  fixture.sandbox.push.messages().map(({ payload }) => JSON.parse(payload ?? '') as Record<string, unknown>);
const see = (seen: Parameters<typeof seeProduct>[2] = {}) => seeProduct(fixture, product, seen);
const goes = async () => {
  await see(OUT);
  await see(OUT);
};

/** Waits until all members are listed and nothing is due. */
async function untilTold(): Promise<void> {
  await eventually(async () => {
    const { db, clock } = fixture;
    const waiting = await db
      .selectFrom('alerts')
      .leftJoin('member_deliveries', 'alert_id', 'alerts.id')
      .select(['fan_out_status', 'member_deliveries.status', 'due_at'])
      .where('watch_id', '=', product)
      .union(
        db
          .selectFrom('product_announcements')
          .leftJoin('member_deliveries', 'announcement_id', 'product_announcements.id')
          .select(['fan_out_status', 'member_deliveries.status', 'due_at'])
          .where('product_id', '=', product),
      )
      .execute();
    const now = new Date(clock.now()).toISOString();
    expect(
      waiting.filter(
        ({ fan_out_status, status, due_at }) =>
          fan_out_status === 'pending' ||
          status === 'sending' ||
          (status === 'pending' && due_at !== null && due_at <= now),
      ),
    ).toEqual([]);
  });
}

const variant = (key: string, availability: ProductVariant['availability']): ProductVariant => ({
  key,
  name: `Design ${key}`,
  availability,
  price: null,
});
const ONLY_RESTOCK = JSON.stringify(['not-a-retailer']);

it('a restock reaches the members with Pro who follow the product and ask for it, once each', async () => {
  await follower('restock');
  await follower('all', { wants: ['restock', 'preorder', 'price_drop', 'release'] });
  await follower('this-retailer', { retailer_ids: JSON.stringify([product]) });
  await follower('no-waiting-rooms', {}, { alerts: { email: true, watches: [] } });
  await follower('at-the-limit', { max_price_amount: 4_999 });
  await follower('any-variant', { variant_keys: JSON.stringify(['fox']) });
  const untold = {
    'no-follow': null,
    preorder: { wants: ['preorder', 'price_drop'] },
    'other-retailer': { retailer_ids: ONLY_RESTOCK },
    'below-the-limit': { max_price_amount: 4_998 },
  };
  for (const [name, follow] of Object.entries(untold)) await follower(name, follow);
  await follower('free', {}, { pro: false });
  await follower('no-mail', {}, { alerts: { email: false } });
  await follower('bounced', {}, { bounced: true });
  await follower('pushed', {}, { alerts: { email: false, push: true }, browsers: 2 });

  await see(OUT);
  await see();
  await see();
  await untilTold();
  const told = ['all', 'any-variant', 'at-the-limit', 'no-waiting-rooms', 'restock', 'this-retailer'];
  expect(mailed().sort()).toEqual(told);
  const notification = {
    title: 'Ember Hollow chest is back in stock',
    body: 'Tanglewood Cards: £49.99, in stock',
    url: `https://packwatch.test/restock/product-${product}`,
    tag: `alert-watch-${product}`,
  };
  expect(pushed()).toEqual([expect.objectContaining(notification), expect.objectContaining(notification)]);
  const [mail] = fixture.sandbox.mails.list();
  expect(mail?.subject).toBe('Ember Hollow chest is back in stock');
  expect(mail?.text).toContain('Tanglewood Cards: £49.99, in stock');
  expect(mail?.text).toContain('https://cards.example/products/chest');
  expect(mail?.headers).toMatchObject({ 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });

  // It goes and returns within a quarter of an hour: the same alert, which they know.
  await goes();
  await see();
  await untilTold();
  expect(mailed()).toHaveLength(told.length);
  // It stays away for longer: a new alert.
  await goes();
  fixture.clock.advance(20 * MINUTE);
  await see({ availability: 'limited', price: null });
  await untilTold();
  expect(mailed().filter((name) => name === 'restock')).toHaveLength(2);
  // Without a price a limit is not known to be kept.
  expect(mailed().filter((name) => name === 'at-the-limit')).toHaveLength(2);
  expect(fixture.sandbox.mails.list().at(-1)?.text).toContain('only a few left');
});

it('a pre-order reaches those who ask for it, and the restock that follows those who ask for that', async () => {
  await follower('preorder', { wants: ['preorder'] });
  await follower('both', { wants: ['restock', 'preorder'] });
  await follower('restock');
  await see(OUT);
  await see({ availability: 'preorder', detail: 'release' });
  await untilTold();
  expect(mailed().sort()).toEqual(['both', 'preorder']);
  expect(fixture.sandbox.mails.list()[0]?.subject).toBe('Ember Hollow chest can be pre-ordered');
  await see();
  await untilTold();
  expect(mailed().sort()).toEqual(['both', 'both', 'preorder', 'restock']);
});

it('a variant that returns while the alert is open reaches each member who follows it once', async () => {
  await follower('fox', { variant_keys: JSON.stringify(['fox']) });
  await follower('heron', { variant_keys: JSON.stringify(['heron']) });
  await follower('either');
  await see(OUT);
  await see({ variants: [variant('fox', 'in_stock'), variant('heron', 'out_of_stock')] });
  await untilTold();
  expect(mailed().sort()).toEqual(['either', 'fox']);
  await see({ variants: [variant('fox', 'in_stock'), variant('heron', 'in_stock')] });
  await untilTold();
  expect(mailed().sort()).toEqual(['either', 'fox', 'heron']);
  expect(fixture.sandbox.mails.list().at(-1)?.text).toContain('Design fox, Design heron');
});

/** Moves the clock to the beginning of a later hour. */
const toNextHour = (hours: number) =>
  fixture.clock.moveTo(toIso(Math.floor(fixture.clock.now() / HOUR) * HOUR + hours * HOUR));

it('in quiet hours mails wait for their end and notifications are silent; a closed alert sends neither', async () => {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' }).format(
      fixture.clock.now(),
    ),
  );
  const quiet = { quiet_from: hour, quiet_to: (hour + 2) % 24 };
  await follower('quiet', quiet, { alerts: { push: true }, browsers: 1 });
  await follower('awake', { quiet_from: (hour + 2) % 24, quiet_to: hour });
  // Of the account, and followed by those of the product.
  const account = { quietHours: { from: hour, to: (hour + 1) % 24 } };
  await follower('both', { quiet_from: (hour + 1) % 24, quiet_to: (hour + 2) % 24 }, { alerts: account });
  await follower('paused', {}, { alerts: { pausedUntil: toIso(fixture.clock.now() + HOUR) } });
  await see(OUT);
  await see();
  await untilTold();
  expect(mailed()).toEqual(['awake']);
  expect(pushed()).toEqual([expect.objectContaining({ silent: true })]);
  toNextHour(2);
  await eventually(() => expect(mailed().sort()).toEqual(['awake', 'both', 'quiet']));

  const later = await inTransaction(fixture.db, insertFollowedProduct);
  product = later;
  await follower('asleep', { quiet_from: (hour + 2) % 24, quiet_to: (hour + 4) % 24 });
  await see(OUT);
  await see();
  await untilTold();
  await goes();
  toNextHour(2);
  await eventually(async () => {
    const row = await fixture.db
      .selectFrom('member_deliveries')
      .innerJoin('alerts', 'alerts.id', 'alert_id')
      .select(['member_deliveries.status', 'last_error'])
      .where('watch_id', '=', later)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      status: 'cancelled',
      last_error: 'it was no longer available when the alert was due',
    });
  });
  expect(mailed()).toHaveLength(3);
});

it('a follow that cannot be read keeps no other alert from its members', async () => {
  const userId = await follower('unreadable', { retailer_ids: 'no list' });
  await see(OUT);
  await see();
  product = await inTransaction(fixture.db, insertFollowedProduct);
  await follower('other');
  await see(OUT);
  await see();
  await eventually(() => expect(mailed()).toEqual(['other']));
  await fixture.db.deleteFrom('product_follows').where('user_id', '=', userId).execute();
});

it('a mail that waits for the quiet hours of a follow is sent at once when the member ends them', async () => {
  const { db, clock } = fixture;
  const hour = DateTime.fromMillis(clock.now(), { zone: 'Europe/London' }).hour;
  const userId = await follower('quiet', { quiet_from: hour, quiet_to: (hour + 2) % 24 });
  await see(OUT);
  await see();
  await untilTold();
  expect(mailed()).toEqual([]);
  const fields = followFields.parse({ wants: ['restock'] });
  await followProduct(db, { userId, tier: 'pro', slug: `product-${product}`, fields, clock });
  await eventually(() => expect(mailed()).toEqual(['quiet']));
});

it('at the end of quiet hours each alert that is still open brings one mail, and the others none', async () => {
  const { db, clock } = fixture;
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' }).format(
      clock.now(),
    ),
  );
  const quietHours = { from: hour, to: (hour + 2) % 24 };
  const userId = await follower('sleeper', null, { alerts: { quietHours } });
  const products = [
    product,
    await inTransaction(db, insertFollowedProduct),
    await inTransaction(db, insertFollowedProduct),
  ];
  for (product of products) {
    await inTransaction(db, (trx) => addFollow(trx, { userId, productId: product }));
    await see(OUT);
    await see();
    await untilTold();
  }
  expect(mailed()).toEqual([]);
  // The last one goes again, and the first one is seen once more.
  await goes();
  [product = ''] = products;
  await see();
  toNextHour(2);
  await eventually(async () => {
    const rows = await db
      .selectFrom('member_deliveries')
      .innerJoin('alerts', 'alerts.id', 'alert_id')
      .select(['watch_id', 'member_deliveries.status'])
      .where('user_id', '=', userId)
      .execute();
    expect(Object.fromEntries(rows.map(({ watch_id, status }) => [watch_id, status]))).toEqual({
      [products[0] ?? '']: 'sent',
      [products[1] ?? '']: 'sent',
      [products[2] ?? '']: 'cancelled',
    });
    expect(rows).toHaveLength(3);
  });
  expect(mailed()).toEqual(['sleeper', 'sleeper']);
});

it('a price that falls to the limit of a follower is told to that member alone, and again after it has risen', async () => {
  const drop = (limit: number, ...wants: string[]) => ({
    wants: ['price_drop', ...wants],
    max_price_amount: limit,
  });
  await follower('at-45', drop(4_500));
  await follower('at-40', drop(4_000));
  await follower('reached-before', drop(6_000));
  await follower('no-price', { wants: ['restock'], max_price_amount: 4_500 });
  await follower('free-at-45', drop(4_500), { pro: false });
  await follower('both', drop(4_600, 'restock'));
  const costs = async (amount: number, seen: Parameters<typeof see>[0] = {}) => {
    await see({ price: { amount, currency: 'GBP' }, ...seen });
    await untilTold();
  };
  // It was in stock when we began to look, for more.
  await costs(5_000);
  await costs(5_000);
  expect(mailed()).toEqual([]);
  await costs(4_500);
  expect(mailed().sort()).toEqual(['at-45', 'both']);
  const [mail] = fixture.sandbox.mails.list();
  expect(mail?.subject).toBe('Ember Hollow chest costs less');
  expect(mail?.text).toContain('Tanglewood Cards: £45.00 instead of £50.00, in stock');
  // It comes and goes within a quarter of an hour: they know.
  await costs(5_000);
  await costs(4_500);
  expect(mailed()).toHaveLength(2);
  await costs(4_000);
  expect(mailed().sort()).toEqual(['at-40', 'at-45', 'both']);
  await costs(5_000);
  fixture.clock.advance(20 * MINUTE);
  await costs(4_400);
  expect(mailed().sort()).toEqual(['at-40', 'at-45', 'at-45', 'both', 'both']);
  // Gone, and back for less: an alert tells the members who ask for restocks, and no member gets two mails.
  await costs(5_000);
  await goes();
  fixture.clock.advance(20 * MINUTE);
  await costs(4_300);
  expect(mailed().filter((name) => name === 'both')).toHaveLength(3);
  expect(mailed().filter((name) => name === 'at-45')).toHaveLength(3);
  expect(mailed().filter((name) => name === 'no-price')).toHaveLength(1);
  // A pre-order is no offer that can be bought.
  await goes();
  fixture.clock.advance(20 * MINUTE);
  await costs(3_000, { availability: 'preorder' });
  expect(mailed().filter((name) => name === 'at-40')).toHaveLength(1);
});

it('a member who ends the follow, or asks for less, before the mail leaves gets none', async () => {
  fixture.sandbox.mails.setFaults([{ code: 451, persistent: true }]);
  const gone = await follower('gone');
  const less = await follower('less');
  await see(OUT);
  await see();
  await eventually(async () => {
    const rows = await fixture.db
      .selectFrom('member_deliveries')
      .select('last_error')
      .where('user_id', 'in', [gone, less])
      .execute();
    const refused = { last_error: 'the mail server answered 451' };
    expect(rows).toEqual([refused, refused]);
  });
  await fixture.db.deleteFrom('product_follows').where('user_id', '=', gone).execute();
  await fixture.db
    .updateTable('product_follows')
    .set({ max_price_amount: 100 })
    .where('user_id', '=', less)
    .execute();
  fixture.sandbox.mails.setFaults([]);
  await eventually(async () => {
    const rows = await fixture.db
      .selectFrom('member_deliveries')
      .select(['status', 'last_error'])
      .where('user_id', 'in', [gone, less])
      .execute();
    const cancelled = { status: 'cancelled', last_error: 'the member no longer wants this alert' };
    expect(rows).toEqual([cancelled, cancelled]);
  });
  expect(mailed()).toEqual([]);
});

// Last: it moves the clock by years.
const ENDED = { availability: 'unknown', unknownReason: 'discontinued', strength: null } as const;

it('the end of a product is told once to each who follows it, and again after it was sold', async () => {
  await follower('restock');
  await follower('only-price', { wants: ['price_drop'], retailer_ids: ONLY_RESTOCK });
  await follower('free', {}, { pro: false });
  await follower('pushed', {}, { alerts: { email: false, push: true }, browsers: 1 });
  const end = async () => {
    await see(ENDED);
    await see(ENDED);
    await untilTold();
  };
  await see(OUT);
  await see(ENDED);
  await untilTold();
  expect(mailed()).toEqual([]);
  await end();
  expect(mailed().sort()).toEqual(['only-price', 'restock']);
  expect(pushed()).toMatchObject([
    {
      title: 'Ember Hollow chest is no longer sold',
      url: `https://packwatch.test/restock/product-${product}`,
    },
  ]);
  const { db, clock } = fixture;
  const retire = (isRetired: boolean) =>
    retireProduct(db, { slug: `product-${product}`, isRetired, actor: { userId: null }, clock });
  await retire(true);
  await end();
  expect(mailed()).toHaveLength(2);
  await retire(false);
  await see(OUT);
  fixture.sandbox.mails.clear();
  await retire(true);
  await untilTold();
  expect(mailed().sort()).toEqual(['only-price', 'restock']);
  expect(fixture.sandbox.mails.list()[0]?.text).toContain('Ember Hollow chest is no longer watched.');
});

it('a product whose last watch is deleted is told of once, and again only after it was checked', async () => {
  await follower('restock');
  const { db, clock } = fixture;
  const remove = async (id: string) =>
    removeWatch({ db, clock, queues: null }, { watch: await readWatch(db, id), actor: { userId: null } });
  const watch = async () => {
    const id = await inTransaction(db, insertFollowedProduct);
    await db.updateTable('watches').set({ product_id: product }).where('id', '=', id).execute();
    return id;
  };
  const subjects = () => fixture.sandbox.mails.list().map(({ subject }) => subject);
  // Another watch is left, whose shop no longer sells it.
  const gone = await watch();
  await see(OUT);
  await seeProduct(fixture, gone, ENDED);
  await seeProduct(fixture, gone, ENDED);
  await untilTold();
  expect(subjects()).toEqual([]);
  await remove(product);
  await untilTold();
  expect(subjects()).toEqual(['Ember Hollow chest is no longer sold']);
  await remove(gone);
  await untilTold();
  expect(mailed()).toHaveLength(1);

  fixture.sandbox.mails.clear();
  const last = await watch();
  await seeProduct(fixture, last, OUT);
  await remove(last);
  await untilTold();
  expect(subjects()).toEqual(['Ember Hollow chest is no longer checked']);
  expect(fixture.sandbox.mails.list()[0]?.text).toContain('We no longer check it at any shop.');
});

it('the end of a product is not told while another shop sells it', async () => {
  await follower('restock');
  const other = await inTransaction(fixture.db, insertFollowedProduct);
  await fixture.db.updateTable('watches').set({ product_id: product }).where('id', '=', other).execute();
  await see(ENDED);
  await see(ENDED);
  await untilTold();
  expect(mailed()).toEqual([]);
  await seeProduct(fixture, other, ENDED);
  await seeProduct(fixture, other, ENDED);
  await untilTold();
  expect(mailed()).toEqual(['restock']);
});

it('news of a product that does not reach its followers is one notice to the admins for each channel', async () => {
  const { mails, push } = fixture.sandbox;
  await follower('first');
  await follower('second');
  await follower('pushed', {}, { alerts: { email: false, push: true }, browsers: 2 });
  mails.setFaults([{ code: 554, text: '5.7.1 Relay denied' }]);
  push.setFaults([{ kind: 'status', status: 400 }]);
  await see(ENDED);
  await see(ENDED);
  await untilTold();
  mails.setFaults([]);
  push.setFaults([]);
  const told = await fixture.db
    .selectFrom('admin_notices')
    .select(['title', 'body'])
    .where('title', 'like', 'News of a product%')
    .orderBy('title')
    .execute();
  const body: unknown = expect.stringMatching(
    /^Ember Hollow chest\. Reason of the first failure: .*not sent again;/,
  );
  expect(told).toEqual([
    { title: 'News of a product did not reach every member by email', body },
    { title: 'News of a product did not reach every member by web push', body },
  ]);
});

it('on the release day those who ask for it are told once, from eight in the morning', async () => {
  await follower('release', { wants: ['release'] });
  await follower('restock');
  fixture.clock.moveTo('2031-03-04T07:59:00.000Z');
  await fixture.db
    .updateTable('products')
    .set({ released_on: '2031-03-04' })
    .where('id', '=', product)
    .execute();
  const announce = () => announceReleases(fixture.db, fixture.clock.now());
  expect(await announce()).toBe(0);
  fixture.clock.moveTo('2031-03-04T08:01:00.000Z');
  // Pro has to last until then.
  await fixture.db
    .updateTable('subscriptions')
    .set({ current_period_end: '2032-01-01T00:00:00.000Z' })
    .execute();
  await announce();
  await announce();
  await eventually(() => expect(mailed()).toEqual(['release']));
  await untilTold();
  expect(mailed()).toEqual(['release']);
  expect(fixture.sandbox.mails.list()[0]?.subject).toBe('Ember Hollow chest comes out today');
});
