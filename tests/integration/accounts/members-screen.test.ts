import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMembers } from '#shared/accounts/find-members';
import { linkDiscord } from '#shared/accounts/discord/link-discord';
import { updateProfile } from '#shared/accounts/change-account';
import { createAccount, type Account } from '#shared/accounts/account';
import { DAY, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { sendTestAlerts } from '#shared/member-alerts/test-operations';
import { serverContext } from '~/http/server/context.server';
import * as listPage from '~/routes/admin/members/list';
import * as memberPage from '~/routes/admin/members/member';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';

const LIST = '/dashboard/members';
const site = createRenderedSite({ [LIST]: listPage, [`${LIST}/:id`]: memberPage });
let fixture: ApiFixture;
let admin: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  admin = await fixture.tokenOf('admin');
});
afterEach(() => fixture.cleanup());

/** The words of the page: these routes are rendered without the frame whose main part `text` is. */
const wordsOf = ({ html }: RenderedPage) =>
  html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const find = (text: string) => site.post(LIST, admin, { intent: 'find', text });

/** Adds a member as a sign-in with Discord does, with a confirmed address. */
async function join(email: string, name: string, discordId?: string): Promise<Account> {
  const { db, clock } = serverContext();
  return inTransaction(db, async (trx) => {
    const account = await createAccount(trx, { email, username: name }, clock.now());
    if (discordId === undefined) return account;
    const discord = { id: discordId, username: `${name}.tcg`, avatar: null };
    return linkDiscord(trx, { account, discord }, clock.now());
  });
}

const found = async (text: string, page = 1) => {
  const { members } = await findMembers(fixture.db, { text, page, now: Date.now() });
  return members.map(({ username }) => username);
};

describe('the search for members', () => {
  test('finds the beginning of an email, a name and a Discord name, and a whole Discord id', async () => {
    await join('zoe@mail.example', 'José Straße', '123456789012345678');
    await join('yan@mail.example', 'İbrahim');
    await join('under_score@mail.example', '50%_off');
    for (const text of ['zoe', 'ZOE@MAIL', 'jose', 'JOSE\u0301 STRASSE', 'José Straß', 'jose strasse.tcg'])
      expect([text, await found(text)]).toEqual([text, ['José Straße']]);
    expect(await found('ibra')).toEqual(['İbrahim']);
    expect(await found('123456789012345678')).toEqual(['José Straße']);
    expect(await found('12345678901234567')).toEqual([]);
    // Of SQL's patterns, none is one.
    for (const text of ['%', '_', 'zo_', '50%%', 'nobody', '\u0301', '\u{10ffff}'])
      expect([text, await found(text)]).toEqual([text, []]);
    expect(await found('50%_')).toEqual(['50%_off']);
    expect(await found('under_')).toEqual(['50%_off']);
  });

  test('follows a changed name', async () => {
    const { db, clock } = serverContext();
    const { id } = await join('zoe@mail.example', 'Zoe');
    await updateProfile(db, { accountId: id, username: 'Ärmel', clock });
    expect(await found('Zoe')).toEqual(['Ärmel']);
    expect(await found('arm')).toEqual(['Ärmel']);
  });

  test('lists by address and by page, without a text the newest first, and no page past the end', async () => {
    for (let index = 0; index < 30; index += 1)
      await join(`crowd-${String(index).padStart(2, '0')}@mail.example`, `Number ${index}`);
    expect((await found('crowd')).slice(0, 2)).toEqual(['Number 0', 'Number 1']);
    expect(await found('crowd', 2)).toEqual([
      'Number 25',
      'Number 26',
      'Number 27',
      'Number 28',
      'Number 29',
    ]);
    expect(await found('crowd', 2 ** 53 - 1)).toEqual(await found('crowd', 2));
    const newest = { created_at: toIso(Date.now() + DAY) };
    await fixture.db.updateTable('users').set(newest).where('username', '=', 'Number 7').execute();
    expect(await found('')).toHaveLength(25);
    expect((await found(''))[0]).toBe('Number 7');
  });

  test('shows its results without scripts, and no address in an address', async () => {
    const only = await join('zoe@mail.example', 'Zoe');
    await join('zo-two@mail.example', 'Zo Two');
    expect(await find('zoe')).toMatchObject({ status: 303, leadsTo: `${LIST}/${only.id}` });
    expect(await find('  ')).toMatchObject({ status: 303, leadsTo: LIST });
    expect(wordsOf(await find('nobody'))).toContain(
      'No email, name or Discord name starts with “nobody”, and it is not a Discord id.',
    );
    const several = await find('zo');
    expect(several.leadsTo).toMatch(/^\/dashboard\/members\?find=[\w-]+$/);
    const list = await site.get(several.leadsTo ?? '', admin);
    expect(wordsOf(list)).toContain('2 accounts');
    expect(wordsOf(list)).toContain('Address not confirmed');
    expect(list.html).toContain('value="zo"');
    // Another text than ours shows all.
    expect(wordsOf(await site.get(`${LIST}?find=zoe&page=x`, admin))).toContain(
      '3 accounts, the newest first',
    );
    expect(await site.get(LIST, await fixture.tokenOf('member'))).toMatchObject({ leadsTo: '/dashboard' });
    expect(await find('x'.repeat(300))).toMatchObject({ status: 200 });
  });
});

describe('the page of a member', () => {
  test('shows plan, tokens, sessions and alerts, with the reason why one was not sent', async () => {
    const member = await fixture.account('pro', {
      username: 'Misty',
      preferences: '{"alerts":{"push":true}}',
    });
    await fixture.signIn(member);
    const { db, clock } = serverContext();
    const now = clock.now();
    await db
      .insertInto('push_subscriptions')
      .values({
        id: 'browser',
        user_id: member.id,
        endpoint: 'https://push.example/a-secret-endpoint',
        p256dh: 'key',
        auth: 'auth',
        user_agent: null,
        created_at: toIso(now),
      })
      .execute();
    await sendTestAlerts(db, { account: member, mailEnabled: true, clock });
    const [mail, push] = await db
      .selectFrom('member_deliveries')
      .selectAll()
      .where('user_id', '=', member.id)
      .orderBy('channel')
      .execute();
    const settle = (id: string | undefined, change: object) =>
      db
        .updateTable('member_deliveries')
        .set(change)
        .where('id', '=', id ?? '')
        .execute();
    await settle(mail?.id, { status: 'dead', last_error: '550 5.1.1 no such user' });
    await settle(push?.id, { due_at: toIso(now + DAY) });
    const page = await site.get(`${LIST}/${member.id}`, admin);
    const words = wordsOf(page);
    expect(words).toContain('Misty');
    expect(words).toContain('Now Pro');
    expect(words).toContain('Test, email: Failed');
    expect(words).toContain('Refused: 550 5.1.1 no such user.');
    expect(words).toContain('Quiet hours: it waits until');
    expect(words).toContain('Unknown device');
    expect(words).toContain('Approved on');
    expect(page.html).not.toContain('a-secret-endpoint');
    expect(page.html).not.toMatch(/token_hash|password_hash|p256dh/);
  });

  test('ends one session after a question, once, and writes it down', async () => {
    const member = await fixture.account('member');
    const tokens = [await fixture.signIn(member), await fixture.signIn(member)];
    const { db } = fixture;
    const [session] = await db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute();
    const page = `${LIST}/${member.id}`;
    const asked = await site.get(`${page}?ask=endSession&of=${session?.id}`, admin);
    expect(asked.html).toContain('is signed out at once');
    const send = () => site.post(page, admin, { intent: 'endSession', sessionId: session?.id ?? '' });
    expect(await send()).toMatchObject({ status: 303, leadsTo: page });
    const again = await send();
    expect(wordsOf(again)).toContain('This session has already ended.');
    expect(
      await db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute(),
    ).toHaveLength(tokens.length - 1);
    // The session of another account is not ended.
    const other = await fixture.account('member');
    await fixture.signIn(other);
    const [foreign] = await db.selectFrom('sessions').select('id').where('user_id', '=', other.id).execute();
    const refused = await site.post(page, admin, { intent: 'endSession', sessionId: foreign?.id ?? '' });
    expect(wordsOf(refused)).toContain('This session has already ended.');
    expect(wordsOf(await site.get(page, admin))).toContain('One session ended by admin');
  });

  test('says of a half-made account that it cannot sign in, and asks nothing about the own account', async () => {
    const half = await join('half@mail.example', 'Half');
    expect(wordsOf(await site.get(`${LIST}/${half.id}`, admin))).toContain(
      'Never confirmed: this account cannot sign in and will be deleted after 30 days',
    );
    const own = await fixture.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .executeTakeFirstOrThrow();
    const page = await site.get(`${LIST}/${own.id}?ask=disable`, admin);
    expect(wordsOf(page)).toContain('This is your own account.');
    expect(page.html).not.toContain('<dialog');
    for (const ask of ['nothing', 'constructor', 'endSession'])
      expect((await site.get(`${LIST}/${half.id}?ask=${ask}`, admin)).html).not.toContain('<dialog');
  });
});
