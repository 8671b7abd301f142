import { afterEach, beforeEach, expect, it } from 'vitest';
import { disableAccount } from '#shared/accounts/account-status.server';
import { updatePreferences } from '#shared/accounts/change-account';
import { DAY, MINUTE, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { followProduct, unfollowProduct } from '#shared/follows/follows';
import { newId } from '#shared/ids';
import { retireProduct } from '#shared/monitor/products/change-product';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { setWatchRole } from '#shared/roles/watch-roles';
import { readRoles, readRolesOverview } from '#shared/role-sync/read-roles';
import type { Payer } from '#shared/payments/payments-context';
import { createRolesFixture, INSTANT, type RolesFixture } from './roles-fixture';

const ANN = '200000000000000001';
const BOB = '200000000000000002';
const BOX = '310000000000000001';
const ROOM = '310000000000000002';
const OTHER = '310000000000000003';
const ACTOR = { userId: null };
const EVERYTHING = {
  wants: ['restock' as const],
  maxPrice: null,
  retailers: null,
  variants: null,
  quietHours: null,
};

let fixture: RolesFixture;
beforeEach(async () => {
  fixture = await createRolesFixture();
  for (const [id, name] of [
    [BOX, 'Booster Box'],
    [ROOM, 'Card Shop'],
    [OTHER, 'Other'],
  ] as const)
    fixture.sandbox.guild.putRole(id, { name, position: 1 });
});
afterEach(() => fixture.cleanup());

const rolesOf = (discordId: string) => fixture.sandbox.guild.rolesOf(discordId)?.toSorted();
const now = () => fixture.context.clock.now();

/** Adds the watch of a waiting room, or of a product at its own shop. */
async function addWatchRow(slug: string, kind: 'waiting_room' | 'product', productId = newId()) {
  const id = newId();
  const retailerId = newId();
  const { db } = fixture;
  if (kind === 'product') {
    await db
      .insertInto('products')
      .values({ id: productId, slug: `p-${productId}`, title: slug, created_at: toIso(now()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto('retailers')
      .values({ id: retailerId, name: `Shop ${slug}`, host: `${slug}.example` })
      .execute();
  }
  await db
    .insertInto('watches')
    .values({
      id,
      slug,
      shop: `Shop ${slug}`,
      title: slug,
      url: `https://${slug}.example/`,
      time_zone: 'Europe/London',
      hours: '9-21',
      interval_seconds: 60,
      kind,
      ...(kind === 'product' ? { product_id: productId, retailer_id: retailerId } : {}),
    })
    .execute();
  return { id, slug, productId, productSlug: `p-${productId}` };
}

const setRole = (watchId: string, roleId: string) =>
  inTransaction(fixture.db, (trx) => setWatchRole(trx, { watchId, roleId }));
const follow = ({ id: userId }: Payer, slug: string, fields: object = {}) =>
  followProduct(fixture.db, {
    userId,
    tier: 'pro',
    slug,
    fields: { ...EVERYTHING, ...fields },
    clock: fixture.context.clock,
  });
const rows = () =>
  fixture.db
    .selectFrom('member_roles')
    .select(['discord_id', 'role_id', 'status', 'found'])
    .where('audience', '=', 'watch')
    .orderBy('discord_id')
    .orderBy('role_id')
    .execute();

/** Several rounds of the daemon, because sending may add rows. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await fixture.sendDue();
}

async function subscribed(discordId: string): Promise<Payer> {
  const account = await fixture.linked(discordId);
  await fixture.subscribe({ account });
  return account;
}

it('members with Pro who follow a product have the role of its watch, from the follow to its end', async () => {
  const { id, productSlug } = await addWatchRow('box', 'product');
  const ann = await subscribed(ANN);
  const bob = await fixture.linked(BOB);
  await follow(bob, productSlug);
  await setRole(id, BOX);
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  await follow(ann, productSlug);
  await settle();
  expect([rolesOf(ANN), rolesOf(BOB)]).toEqual([[INSTANT, BOX].toSorted(), []]);
  expect(await readRoles(fixture.db, { discordId: ANN, now: now() })).toContainEqual({
    audience: 'watch',
    watch: { slug: 'box', title: 'box', kind: 'product' },
    state: 'held',
    wanted: true,
  });
  // Rows of members who neither have the role nor should have it are not kept.
  expect(await rows()).toEqual([{ discord_id: ANN, role_id: BOX, status: 'sent', found: 'held' }]);

  await follow(ann, productSlug, { retailers: [] });
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  await follow(ann, productSlug, { retailers: ['Shop box'] });
  await settle();
  expect(rolesOf(ANN)).toContain(BOX);
  await unfollowProduct(fixture.db, { userId: ann.id, slug: productSlug, clock: fixture.context.clock });
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  expect(await rows()).toEqual([]);
});

it('a payment gives the roles of followed products, and the end of Pro and a disabled account take them', async () => {
  const { id, productSlug } = await addWatchRow('box', 'product');
  await setRole(id, BOX);
  const ann = await fixture.linked(ANN);
  await follow(ann, productSlug);
  await settle();
  expect(rolesOf(ANN)).toEqual([]);
  await fixture.subscribe({ account: ann });
  await settle();
  expect(rolesOf(ANN)).toContain(BOX);
  const { end } = await fixture.periodAtStripe();
  await fixture.db
    .updateTable('subscriptions')
    .set({ cancel_at_period_end: 1, cancel_at: toIso(end) })
    .execute();
  fixture.advance(end - now() + 4 * DAY);
  await settle();
  expect(rolesOf(ANN)).toEqual([]);

  const bob = await subscribed(BOB);
  await follow(bob, productSlug);
  await settle();
  expect(rolesOf(BOB)).toContain(BOX);
  await disableAccount(fixture.db, {
    accountId: bob.id,
    actor: ACTOR,
    clock: fixture.context.clock,
    payments: fixture.context,
  });
  await settle();
  expect(rolesOf(BOB)).toEqual([]);
});

it('the role of a waiting room follows the choice of waiting rooms; pauses and channels do not matter', async () => {
  const { id, slug } = await addWatchRow('room', 'waiting_room');
  await addWatchRow('elsewhere', 'waiting_room');
  const ann = await subscribed(ANN);
  await setRole(id, ROOM);
  await settle();
  expect(rolesOf(ANN)).toContain(ROOM);
  const choose = async (alerts: object) => {
    await updatePreferences(fixture.db, {
      accountId: ann.id,
      preferences: { alerts },
      clock: fixture.context.clock,
    });
    await settle();
  };
  await choose({ watches: ['elsewhere'] });
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  await choose({ watches: [slug] });
  expect(rolesOf(ANN)).toContain(ROOM);
  await choose({ email: false, push: false, pausedUntil: toIso(now() + DAY) });
  expect(rolesOf(ANN)).toContain(ROOM);
});

it('another role of the watch replaces the former one, and the end of the watch takes it', async () => {
  const watch = await addWatchRow('box', 'product');
  const ann = await subscribed(ANN);
  await follow(ann, watch.productSlug);
  await setRole(watch.id, BOX);
  await settle();
  await setRole(watch.id, OTHER);
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT, OTHER].toSorted());
  await setRole(watch.id, '');
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  await setRole(watch.id, BOX);
  await settle();
  const { clock } = fixture.context;
  for (const [isRetired, roles] of [
    [true, [INSTANT]],
    [false, [INSTANT, BOX].toSorted()],
  ] as const) {
    await retireProduct(fixture.db, { slug: watch.productSlug, isRetired, actor: ACTOR, clock });
    await settle();
    expect(rolesOf(ANN)).toEqual(roles);
  }
  const row = await fixture.db
    .selectFrom('watches')
    .selectAll()
    .where('id', '=', watch.id)
    .executeTakeFirstOrThrow();
  await removeWatch({ db: fixture.db, clock, queues: null }, { watch: row, actor: ACTOR });
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  fixture.advance(MINUTE);
  expect(await fixture.compare()).toMatchObject({ differences: 0, fault: null });
  expect(await fixture.db.selectFrom('watch_roles').selectAll().execute()).toEqual([]);
});

it('a role of an audience or of another watch is refused', async () => {
  const box = await addWatchRow('box', 'product');
  const room = await addWatchRow('room', 'waiting_room');
  await setRole(box.id, BOX);
  for (const roleId of [INSTANT, BOX])
    await expect(setRole(room.id, roleId)).rejects.toMatchObject({
      code: 'role_taken',
      fieldErrors: { memberRole: [expect.any(String)] },
    });
  expect(await setRole(box.id, BOX)).toBe(false);
});

it('followers of a watch that gets a role are listed in pages of two hundred', async () => {
  const { id, productId } = await addWatchRow('box', 'product');
  const { db } = fixture;
  const idOf = (number: number) => `30000000000000${String(number).padStart(4, '0')}`;
  const count = 450;
  const template = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', (await subscribed(ANN)).id)
    .executeTakeFirstOrThrow();
  const pro = await db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  await inTransaction(db, async (trx) => {
    for (let number = 0; number < count; number += 1) {
      const userId = `follower-${number}`;
      await trx
        .insertInto('users')
        .values({ ...template, id: userId, email: `${userId}@packwatch.example`, discord_id: idOf(number) })
        .execute();
      await trx
        .insertInto('subscriptions')
        .values({
          ...pro,
          id: userId,
          user_id: userId,
          stripe_subscription_id: `sub_${number}`,
          stripe_checkout_session_id: null,
          latest_invoice_id: null,
        })
        .execute();
      await trx
        .insertInto('product_follows')
        .values({
          user_id: userId,
          product_id: productId,
          retailer_ids: null,
          variant_keys: null,
          wants: '["restock"]',
          max_price_amount: null,
          quiet_from: null,
          quiet_to: null,
          created_at: toIso(now()),
        })
        .execute();
    }
  });
  await setRole(id, BOX);
  const pages: number[] = [];
  for (let before = 0; ;) {
    await fixture.listMembers();
    const after = (await rows()).length;
    pages.push(after - before);
    if (after === before || pages.length > 50) break;
    before = after;
  }
  expect(Math.max(...pages)).toBe(200);
  expect(await rows()).toHaveLength(count);
  // More than twenty: an admin's own act needs no second agreement, so nothing waits for one.
  expect((await readRolesOverview(db, now())).differences.total).toBe(0);
});

it('the comparison repairs the roles of watches, and asks before more than twenty', async () => {
  const { id, productSlug } = await addWatchRow('box', 'product');
  const ann = await subscribed(ANN);
  await follow(ann, productSlug);
  await setRole(id, BOX);
  await settle();
  fixture.advance(MINUTE);
  // Removed manually, and given manually to a member who does not follow.
  fixture.sandbox.guild.putMember(ANN, { roles: [INSTANT] });
  await fixture.linked(BOB);
  fixture.sandbox.guild.putMember(BOB, { roles: [BOX] });
  expect(await fixture.compare()).toEqual({ fault: null, known: 2, differences: 2, applied: true });
  await settle();
  expect([rolesOf(ANN), rolesOf(BOB)]).toEqual([[INSTANT, BOX].toSorted(), []]);
  for (let number = 0; number < 21; number += 1) {
    const discordId = `30000000000000${String(number).padStart(4, '0')}`;
    await fixture.linked(discordId);
    fixture.sandbox.guild.putMember(discordId, { roles: [BOX] });
  }
  fixture.advance(MINUTE);
  expect(await fixture.compare()).toMatchObject({ differences: 21, applied: false });
  const { differences } = await readRolesOverview(fixture.db, now());
  expect(differences.first[0]).toMatchObject({ audience: 'watch', watch: 'box', difference: 'remove' });
});

it('a fault of a watch’s role is reported, and does not affect other roles', async () => {
  const { id, productSlug } = await addWatchRow('box', 'product');
  const ann = await fixture.linked(ANN);
  await follow(ann, productSlug);
  await setRole(id, BOX);
  fixture.sandbox.guild.putRole(BOX, { position: 9 });
  await fixture.subscribe({ account: ann });
  await settle();
  expect(rolesOf(ANN)).toEqual([INSTANT]);
  const { faults } = await readRolesOverview(fixture.db, now());
  expect(faults).toEqual([
    {
      audience: 'watch',
      watch: 'box',
      members: 1,
      reason: expect.stringContaining('must be above this role') as string,
    },
  ]);
  fixture.sandbox.guild.putMember(ANN, { roles: [] });
  fixture.advance(MINUTE);
  expect(await fixture.compare()).toMatchObject({
    fault: expect.stringMatching(/^box: The role “.*” is not below the bot’s/) as string,
    differences: 1,
    applied: true,
  });
});

it('a member who is not in the server gets the role after the return', async () => {
  const { id, productSlug } = await addWatchRow('box', 'product');
  const ann = await fixture.linked(ANN, { isMember: false });
  await fixture.subscribe({ account: ann });
  await follow(ann, productSlug);
  await setRole(id, BOX);
  await settle();
  expect(await rows()).toEqual([{ discord_id: ANN, role_id: BOX, status: 'sent', found: 'absent' }]);
  fixture.sandbox.guild.putMember(ANN);
  await fixture.request(ANN);
  await settle();
  expect(rolesOf(ANN)).toContain(BOX);
});

it('a former watch role may become that of an audience', async () => {
  const watch = await addWatchRow('box', 'product');
  const ann = await subscribed(ANN);
  await follow(ann, watch.productSlug);
  await setRole(watch.id, BOX);
  await settle();
  await setRole(watch.id, '');
  await fixture.setRoles({ instant: BOX });
  await settle();
  await fixture.request(ANN);
  await settle();
  expect(rolesOf(ANN)).toContain(BOX);
});
