import { beforeEach, expect, test } from 'vitest';
import { updatePreferences } from '#shared/accounts/change-account';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { requestRolesOf } from '#shared/roles/request-roles';
import * as accountPage from '~/routes/account/account';
import * as rolesPage from '~/routes/admin/discord-roles';
import * as memberPage from '~/routes/admin/members/member';
import * as editPage from '~/routes/admin/monitor/watches/edit';
import { serverContext } from '~/http/server/context.server';
import { FIRST_ROLES } from '../../../sandbox/discord/guild';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';

const PAGE = '/dashboard/discord-roles';
const ROLES = { instant: FIRST_ROLES.instant, free: FIRST_ROLES.free };
/** Of pages that are rendered without the frame whose main part is `text`. */
const wordsOf = ({ html }: RenderedPage): string =>
  html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const site = createRenderedSite({
  [PAGE]: rolesPage,
  '/account': accountPage,
  '/dashboard/monitor/:slug/edit': editPage,
  '/dashboard/members/:id': memberPage,
});

let fixture: ApiFixture;
let admin = '';
beforeEach(async () => {
  fixture = await createApiFixture({
    DISCORD_BOT_TOKEN: 'canary-bot-token',
    DISCORD_GUILD_ID: '1400000000000000000',
  });
  admin = await fixture.tokenOf('admin');
  return () => fixture.cleanup();
});

const stored = () =>
  fixture.db.selectFrom('settings').select('value').where('key', '=', 'discord_roles').executeTakeFirst();

async function addRow(discordId: string, row: object): Promise<void> {
  const now = toIso(Date.now());
  await fixture.db
    .insertInto('member_roles')
    .values({
      id: newId(),
      discord_id: discordId,
      audience: 'instant',
      status: 'sent',
      due_at: now,
      expires_at: now,
      created_at: now,
      updated_at: now,
      ...row,
    })
    .execute();
}

test('an admin sets the roles; odd ids and one role for both are refused with what was typed', async () => {
  expect(wordsOf(await site.get(PAGE, admin))).toContain(
    'No roles are changed until you enter the id of a role.',
  );
  const odd = await site.post(PAGE, admin, { intent: 'settings', instant: 'Instant', free: '' });
  expect(wordsOf(odd)).toContain('Please enter the id of a role, which has 17 to 20 digits');
  expect(odd.html).toContain('value="Instant"');
  const same = await site.post(PAGE, admin, { intent: 'settings', instant: ROLES.free, free: ROLES.free });
  expect(wordsOf(same)).toContain('Please choose another role than the instant one.');
  expect(await stored()).toBeUndefined();
  const saved = await site.post(PAGE, admin, { intent: 'settings', ...ROLES, joinAtSignIn: 'on' });
  expect(saved).toMatchObject({ status: 303, leadsTo: PAGE });
  expect(JSON.parse((await stored())?.value ?? '')).toEqual({ ...ROLES, joinAtSignIn: true });
  const page = await site.get(PAGE, admin);
  expect(wordsOf(page)).toContain('The roles have not been compared yet.');
  expect(page.html).not.toContain('canary-bot-token');
  expect((await site.get(PAGE, await fixture.tokenOf('member'))).status).toBe(302);
});

test('differences are listed, and changed once an admin agrees to this list', async () => {
  await site.post(PAGE, admin, { intent: 'settings', ...ROLES });
  const { db } = fixture;
  const member = await fixture.account('member');
  await db
    .updateTable('users')
    .set({ discord_id: '200000000000000001' })
    .where('id', '=', member.id)
    .execute();
  await addRow('200000000000000001', { found: 'held', difference: 'remove', status: 'cancelled' });
  await addRow('200000000000000002', { found: 'held', difference: 'remove', status: 'cancelled' });
  const compared = '2026-11-28T12:00:00.000Z';
  await db
    .insertInto('discord_server')
    .values({ id: 'server', name: 'Packwatch', fault: null, compared_at: compared, known_members: 7 })
    .execute();
  const text = wordsOf(await site.get(PAGE, admin));
  expect(text).toContain('Compared with Packwatch 28 November 2026');
  expect(text).toContain(`${member.username} loses the instant role`);
  expect(text).toContain('Discord user 200000000000000002, no longer connected loses the instant role');
  const old = await site.post(PAGE, admin, { intent: 'apply', comparedAt: '2026-11-27T12:00:00.000Z' });
  expect(wordsOf(old)).toContain('The roles have been compared again since then. Please check the new list.');
  const statuses = async () =>
    (await db.selectFrom('member_roles').select('status').execute()).map(({ status }) => status);
  expect(await statuses()).toEqual(['cancelled', 'cancelled']);
  expect((await site.post(PAGE, admin, { intent: 'apply', comparedAt: compared })).status).toBe(303);
  expect(await statuses()).toEqual(['pending', 'pending']);
  const audit = await db.selectFrom('audit_log').select(['action', 'details']).execute();
  expect(audit).toContainEqual({ action: 'roles.apply', details: '{"count":2}' });
});

test('faults are named with what to do and how many members wait', async () => {
  await site.post(PAGE, admin, { intent: 'settings', ...ROLES });
  for (const id of ['1', '2'])
    await addRow(`20000000000000000${id}`, {
      status: 'pending',
      last_error: 'Discord answered 403 (code 50013). Do this.',
    });
  expect(wordsOf(await site.get(PAGE, admin))).toContain(
    'Waiting for the instant role: 2 members. Discord answered 403 (code 50013). Do this.',
  );
});

test('the role of a watch is set where it is edited, and named on the pages of admins and members', async () => {
  const { db } = fixture;
  const pro = await fixture.account('pro');
  const token = await fixture.signIn(pro);
  const discordId = '200000000000000009';
  await db.updateTable('users').set({ discord_id: discordId }).where('id', '=', pro.id).execute();
  const watch = await db
    .selectFrom('watches')
    .selectAll()
    .where('id', '=', DEFAULT_WATCH_ID)
    .executeTakeFirstOrThrow();
  const address = `/dashboard/monitor/${watch.slug}/edit`;
  const memberRole = '310000000000000001';
  const form = await site.get(address, admin);
  expect(wordsOf(form)).toContain('Discord role of its members (optional)');
  const fields = {
    intent: 'edit',
    shop: watch.shop,
    title: watch.title,
    url: serverContext().config.monitor.targetUrl,
    hoursFrom: '9',
    hoursTo: '21',
    timeZone: watch.time_zone,
    intervalSeconds: String(watch.interval_seconds),
  };
  const odd = await site.post(address, admin, { ...fields, memberRole: '@shop' });
  expect(wordsOf(odd)).toContain('Please enter the id of a role, which has 17 to 20 digits');
  expect(odd.html).toContain('value="@shop"');
  expect((await site.post(address, admin, { ...fields, memberRole })).status).toBe(303);
  expect((await site.get(address, admin)).html).toContain(`value="${memberRole}"`);
  expect(wordsOf(await site.get(PAGE, admin))).toContain(`${watch.title} 0 members`);
  const taken = await site.post(PAGE, admin, { intent: 'settings', instant: '', free: memberRole });
  expect(wordsOf(taken)).toContain(`This is the role of ${watch.title}. Please choose another.`);

  expect((await site.get('/account', token)).text).toContain(`You will get the role of ${watch.title} soon.`);
  await addRow(discordId, { audience: 'watch', role_id: memberRole, found: 'held' });
  expect((await site.get('/account', token)).text).toContain(`You have the role of ${watch.title}.`);
  expect(wordsOf(await site.get(`/dashboard/members/${pro.id}`, admin))).toContain(`${watch.title}: has it`);
  expect(wordsOf(await site.get(PAGE, admin))).toContain(`${watch.title} 1 member`);
  await updatePreferences(db, {
    accountId: pro.id,
    preferences: { alerts: { watches: [] } },
    clock: serverContext().clock,
  });
  expect((await site.get('/account', token)).text).toContain(
    `You will lose the role of ${watch.title} soon: it belongs to Pro and the alerts of its waiting room.`,
  );
  await db.deleteFrom('member_roles').where('role_id', '=', memberRole).execute();
  expect((await site.get('/account', token)).text).toContain(
    'With Pro you get roles of products that you follow, and of waiting rooms in your alert settings.',
  );
});

test('a member reads which roles they have, and may ask for a check', async () => {
  const { db } = fixture;
  const pro = await fixture.account('pro');
  const token = await fixture.signIn(pro);
  expect((await site.get('/account', token)).text).not.toContain('Discord roles');
  await site.post(PAGE, admin, { intent: 'settings', instant: ROLES.instant });
  expect((await site.get('/account', token)).text).toContain('Sign in with Discord to connect your account');
  const discordId = '200000000000000009';
  await db.updateTable('users').set({ discord_id: discordId }).where('id', '=', pro.id).execute();
  expect((await site.get('/account', token)).text).toContain('has not been checked yet');
  expect((await site.post('/account', token, { intent: 'checkRoles' })).status).toBe(303);
  expect(await db.selectFrom('member_roles').select(['audience', 'status']).execute()).toEqual([
    { audience: 'instant', status: 'pending' },
  ]);
  const says = async (found: 'held' | 'missing' | 'absent' | 'banned') => {
    await db.updateTable('member_roles').set({ found }).execute();
    return (await site.get('/account', token)).text;
  };
  expect(await says('held')).toContain('You have the instant role.');
  expect(await says('missing')).toContain('You will get the instant role soon.');
  expect(await says('absent')).toContain('Join the server to get the instant role.');
  expect(await says('banned')).toContain('The server has banned you, so you do not get the instant role.');
  expect(serverContext().config.discord.bot).not.toBeNull();
});

test('without a bot an admin reads what is missing, and members see nothing of roles, whose changes are stored', async () => {
  await fixture.cleanup();
  fixture = await createApiFixture({});
  admin = await fixture.tokenOf('admin');
  const { db } = fixture;
  await site.post(PAGE, admin, { intent: 'settings', ...ROLES });
  expect(wordsOf(await site.get(PAGE, admin))).toContain(
    'DISCORD_BOT_TOKEN and DISCORD_GUILD_ID are not set on this server. Once they are set, the changes of the last seven days are applied',
  );
  const pro = await fixture.account('pro');
  const discordId = '200000000000000009';
  await db.updateTable('users').set({ discord_id: discordId }).where('id', '=', pro.id).execute();
  expect((await site.get('/account', await fixture.signIn(pro))).text).not.toContain('Discord roles');
  await inTransaction(db, (trx) => requestRolesOf(trx, pro.id, Date.now()));
  expect(
    await db.selectFrom('member_roles').select(['audience', 'status']).orderBy('audience').execute(),
  ).toEqual([
    { audience: 'free', status: 'pending' },
    { audience: 'instant', status: 'pending' },
  ]);
});
