import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkDiscord } from '#shared/accounts/discord/link-discord';
import { disableAccount, enableAccount } from '#shared/accounts/account-status.server';
import { approveBeta, revokeBeta } from '#shared/beta/beta-operations';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { readRolesOverview } from '#shared/role-sync/read-roles';
import { cancelSubscription } from '#shared/subscriptions/manage-subscription.server';
import { createRolesFixture, FREE, INSTANT, type RolesFixture } from './roles-fixture';

const ANN = '200000000000000001';
const BOB = '200000000000000002';
const ACTOR = { userId: null };

let fixture: RolesFixture;
beforeEach(async () => {
  fixture = await createRolesFixture();
});
afterEach(() => fixture.cleanup());

const rolesOf = (discordId: string) => fixture.sandbox.guild.rolesOf(discordId);
const readUser = (id: string) =>
  fixture.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a membership', () => {
  it('gives the instant role with the payment, and takes it when Pro has ended', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
    expect(await fixture.row(ANN)).toMatchObject({ status: 'sent', found: 'held' });
    expect(await fixture.row(ANN, 'free')).toMatchObject({ status: 'sent', found: 'missing' });

    await cancelSubscription(fixture.context, { account, reason: null as never });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
    // Neither an event nor a request reports the end of the period.
    const { end } = await fixture.periodAtStripe();
    fixture.advance(end - fixture.context.clock.now() + MINUTE);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([]);
    expect(await fixture.row(ANN)).toMatchObject({ found: 'missing', recheck_at: null });
  });

  it('keeps the role during the grace after a failed renewal, and loses it at its end', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    const { end } = await fixture.periodAtStripe();
    await fixture.db
      .updateTable('subscriptions')
      .set({ status: 'past_due', grace_until: toIso(end + 3 * DAY) })
      .execute();
    await fixture.request(ANN);
    await fixture.sendDue();
    fixture.advance(end - fixture.context.clock.now() + 2 * DAY);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
    fixture.advance(DAY + MINUTE);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([]);
  });

  it('beta access has the free role; a disabled account has none', async () => {
    const { id } = await fixture.linked(ANN);
    const { db, context } = fixture;
    const { clock, mail } = context;
    await db
      .updateTable('users')
      .set({ beta_requested_at: toIso(clock.now()) })
      .where('id', '=', id)
      .execute();
    await approveBeta(db, { accountId: id, actor: ACTOR, clock, mail });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([FREE]);
    await disableAccount(db, { accountId: id, actor: ACTOR, clock, payments: context });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([]);
    await enableAccount(db, { accountId: id, actor: ACTOR, clock });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([FREE]);
    await revokeBeta(db, { accountId: id, actor: ACTOR, clock });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([]);
  });

  it('a newly linked Discord account gets the role, and the former one loses it and is forgotten', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    fixture.sandbox.guild.putMember(BOB);
    const user = await readUser(account.id);
    const now = fixture.context.clock.now();
    await inTransaction(fixture.db, (trx) =>
      linkDiscord(trx, { account: user, discord: { id: BOB, username: 'bob', avatar: null } }, now),
    );
    await fixture.sendDue();
    expect([rolesOf(ANN), rolesOf(BOB)]).toEqual([[], [INSTANT]]);
    expect(await fixture.row(ANN)).toBeUndefined();
  });

  it('requests nothing while no role is set', async () => {
    await fixture.setRoles({});
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    expect(await fixture.db.selectFrom('member_roles').selectAll().execute()).toEqual([]);
  });
});

describe('Discord', () => {
  it('a member who left causes no fault, and gets the role after rejoining', async () => {
    const account = await fixture.linked(ANN, { isMember: false });
    await fixture.subscribe({ account });
    await fixture.sendDue();
    expect(await fixture.row(ANN)).toMatchObject({ status: 'sent', found: 'absent', last_error: null });
    fixture.sandbox.guild.putMember(ANN);
    await fixture.request(ANN);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
  });

  it('a role that is right is not written again', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    fixture.sandbox.guild.clearRequests();
    await fixture.request(ANN);
    await fixture.sendDue();
    expect(fixture.sandbox.guild.requests().map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  // The second change of a row was taken for the edit of a sent message, which the table refuses.
  it('a fault after an earlier change of the same row is recorded, and tried again', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    fixture.sandbox.guild.putRole(INSTANT, { position: 5 });
    fixture.sandbox.guild.putMember(ANN, { roles: [] });
    await fixture.request(ANN);
    await fixture.sendDue();
    expect(await fixture.row(ANN)).toMatchObject({ status: 'pending', last_status: 403 });
    fixture.sandbox.guild.putRole(INSTANT, { position: 2 });
    fixture.advance(MINUTE);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
    fixture.sandbox.guild.setFaults([{ kind: 'status', status: 503, persistent: true }]);
    await fixture.request(ANN);
    await fixture.sendDue();
    fixture.advance(8 * DAY);
    await fixture.sendDue();
    expect((await fixture.row(ANN))?.status).toBe('expired');
  });

  it('a role above the bot’s is named with what to do, and given once it is below', async () => {
    const account = await fixture.linked(ANN);
    fixture.sandbox.guild.putRole(INSTANT, { position: 5 });
    await fixture.subscribe({ account });
    await fixture.sendDue();
    const row = await fixture.row(ANN);
    expect(row).toMatchObject({ status: 'pending', last_status: 403 });
    expect(row?.last_error).toContain('code 50013');
    expect(row?.last_error).toContain('“Manage Roles” and must be above this role');
    fixture.sandbox.guild.putRole(INSTANT, { position: 2 });
    fixture.advance(10 * MINUTE);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
  });

  it.each([
    ['away', { kind: 'status', status: 503, persistent: true }],
    ['silent', { kind: 'hang', persistent: true }],
    ['odd', { kind: 'garbage', at: ['member'], persistent: true }],
  ] as const)('that is %s for an hour delays the role, which comes afterwards', async (how, fault) => {
    if (how === 'silent') {
      await fixture.cleanup();
      fixture = await createRolesFixture({ answerWithinMs: 500 });
    }
    const account = await fixture.linked(ANN);
    await fixture.setRoles({ instant: INSTANT });
    await fixture.subscribe({ account });
    fixture.sandbox.guild.setFaults([{ ...fault, ...('at' in fault ? { at: [...fault.at] } : {}) } as never]);
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await fixture.sendDue();
      expect((await fixture.row(ANN))?.status).toBe('pending');
      fixture.advance(HOUR / 4);
    }
    fixture.sandbox.guild.setFaults([]);
    // A busy machine may take longer to answer than the silent test allows.
    await expect
      .poll(async () => {
        await fixture.sendDue();
        fixture.advance(HOUR / 4);
        return rolesOf(ANN);
      })
      .toEqual([INSTANT]);
  });

  it('a wrong token, an unknown server and a deleted role are named with what to do', async () => {
    const account = await fixture.linked(ANN);
    await fixture.setRoles({ instant: INSTANT });
    await fixture.subscribe({ account });
    const reasonOf = async () => {
      await fixture.request(ANN);
      await fixture.sendDue();
      return (await fixture.row(ANN))?.last_error;
    };
    fixture.sandbox.guild.set({ token: 'another' });
    expect(await reasonOf()).toContain('set DISCORD_BOT_TOKEN');
    fixture.sandbox.guild.set({ token: fixture.sandbox.discordBotToken, exists: false });
    expect(await reasonOf()).toContain('DISCORD_GUILD_ID');
    fixture.sandbox.guild.set({ exists: true });
    fixture.sandbox.guild.deleteRole(INSTANT);
    expect(await reasonOf()).toContain('no longer exists');
  });

  it.each([
    ['of a call', false],
    ['of all calls', true],
  ])('a rate limit %s is waited for', async (_which, global) => {
    const account = await fixture.linked(ANN);
    await fixture.setRoles({ instant: INSTANT });
    await fixture.subscribe({ account });
    fixture.sandbox.guild.setFaults([{ kind: 'status', status: 429, retryAfter: 0.5, global, at: ['add'] }]);
    await fixture.sendDue();
    expect(await fixture.row(ANN)).toMatchObject({ status: 'pending', last_status: 429 });
    expect(fixture.guild.pausedMs()).toBeGreaterThan(0);
    const asked = fixture.sandbox.guild.requests().length;
    fixture.advance(SECOND);
    await fixture.sendDue();
    expect(fixture.sandbox.guild.requests().length - asked).toBe(global ? 0 : 1);
    await expect.poll(() => fixture.guild.pausedMs()).toBe(0);
    fixture.advance(2 * SECOND);
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([INSTANT]);
  });

  it('a change during the call is not lost, and an old row does not undo it', async () => {
    const account = await fixture.linked(ANN);
    await fixture.setRoles({ instant: INSTANT });
    await fixture.subscribe({ account });
    fixture.sandbox.guild.setFaults([{ kind: 'delay', ms: 300, at: ['add'] }]);
    const sending = fixture.sendDue();
    await expect.poll(() => rolesOf(ANN)).toEqual([INSTANT]);
    await fixture.db.updateTable('subscriptions').set({ status: 'canceled' }).execute();
    await fixture.request(ANN);
    expect(await fixture.row(ANN)).toMatchObject({ status: 'sending', again: 1 });
    await sending;
    expect(await fixture.row(ANN)).toMatchObject({ status: 'pending', again: 0 });
    await fixture.sendDue();
    expect(rolesOf(ANN)).toEqual([]);
  });
});

describe('the comparison', () => {
  const idOf = (number: number) => `30000000000000${String(number).padStart(4, '0')}`;

  /** Members who have the instant role and no Pro. */
  async function addHolders(count: number): Promise<void> {
    for (let number = 0; number < count; number += 1) {
      await fixture.linked(idOf(number));
      fixture.sandbox.guild.putMember(idOf(number), { roles: [INSTANT] });
    }
  }
  const waitingForAdmin = async () =>
    (await readRolesOverview(fixture.db, fixture.context.clock.now())).differences.total;
  const holders = () =>
    fixture.sandbox.guild.members().filter(({ id, roles }) => id.startsWith('3') && roles.includes(INSTANT))
      .length;

  it('gives and takes up to twenty roles, and ignores members without an account here', async () => {
    await addHolders(19);
    const payer = await fixture.linked(ANN);
    await fixture.subscribe({ account: payer });
    await fixture.db.deleteFrom('member_roles').execute();
    fixture.sandbox.guild.putMember('400000000000000001', { roles: [INSTANT] });
    expect(await fixture.compare()).toEqual({ fault: null, known: 20, differences: 20, applied: true });
    // They wait for the daemon, and not for an admin.
    expect(await waitingForAdmin()).toBe(0);
    await fixture.sendDue();
    expect(holders()).toBe(0);
    expect(rolesOf(ANN)).toEqual([INSTANT]);
    expect(rolesOf('400000000000000001')).toEqual([INSTANT]);
    expect(await fixture.compare()).toMatchObject({ differences: 0, applied: false });
  });

  it('lists more than twenty differences and changes nothing', async () => {
    await addHolders(21);
    expect(await fixture.compare()).toMatchObject({ differences: 21, applied: false });
    expect(await waitingForAdmin()).toBe(21);
    await fixture.sendDue();
    expect(holders()).toBe(21);
    expect(await fixture.row(idOf(3))).toMatchObject({
      status: 'cancelled',
      difference: 'remove',
      found: 'held',
    });
  });

  it('notes who has left, also in pages of a thousand members', async () => {
    const account = await fixture.linked(ANN);
    await fixture.subscribe({ account });
    await fixture.sendDue();
    fixture.sandbox.guild.removeMember(ANN, { ban: false });
    for (let number = 0; number < 1_100; number += 1)
      fixture.sandbox.guild.putMember(`5000000000000${String(number).padStart(5, '0')}`);
    const last = `5000000000000${String(1_099).padStart(5, '0')}`;
    await fixture.linked(last, { isMember: false });
    fixture.context.clock.now();
    fixture.advance(MINUTE);
    expect(await fixture.compare()).toMatchObject({ known: 1, differences: 0 });
    expect(await fixture.row(ANN)).toMatchObject({ found: 'absent' });
    expect(await fixture.row(last)).toMatchObject({ found: 'missing' });
  });

  it.each([
    ['Server Members Intent', () => fixture.sandbox.guild.set({ listsMembers: false })],
    ['give the bot’s role “Manage Roles”', () => fixture.sandbox.guild.set({ canManageRoles: false })],
    ['The role “Instant” is not below', () => fixture.sandbox.guild.putRole(INSTANT, { position: 9 })],
    ['The server has no role', () => fixture.sandbox.guild.deleteRole(FREE)],
    ['set DISCORD_BOT_TOKEN', () => fixture.sandbox.guild.set({ token: 'another' })],
  ])('says what is missing: %s', async (sentence, breakIt) => {
    await addHolders(1);
    breakIt();
    expect((await fixture.compare())?.fault).toContain(sentence);
    const server = await fixture.db.selectFrom('discord_server').selectAll().executeTakeFirst();
    expect(server?.fault).toContain(sentence);
    expect(holders()).toBe(1);
  });
});
