import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { recordBounce } from '#shared/accounts/mail-bounces';
import { readPreferences, wantsAlert } from '#shared/accounts/preferences';
import { unsubscribeUrl } from '#shared/accounts/unsubscribe';
import { DAY, systemClock, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { memberOutbox } from '#shared/member-alerts/member-outbox';
import { handleMemberDeliveries, readMemberResults } from '#shared/member-alerts/member-results';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { purgeMemberAlerts } from '#shared/member-alerts/purge-member-alerts';
import { renderAlertMail } from '#shared/mail/alert-mail';
import { createKeyring } from '#shared/secrets.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import * as accountPage from '~/routes/account/account';
import * as unsubscribePage from '~/routes/account/unsubscribe';
import { callApi, createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';

const site = createRenderedSite({ '/account': accountPage, '/unsubscribe': unsubscribePage });

let fixture: ApiFixture;
let member: Account;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  member = await fixture.account('beta');
  token = await fixture.signIn(member);
});
afterEach(() => fixture.cleanup());

async function addWatch(slug: string, shop: string): Promise<void> {
  const first = await fixture.db.selectFrom('watches').selectAll().executeTakeFirstOrThrow();
  await fixture.db
    .insertInto('watches')
    .values({ ...first, id: slug, slug, shop, title: shop })
    .execute();
}

const stored = async () =>
  readPreferences(
    (
      await fixture.db
        .selectFrom('users')
        .select('preferences')
        .where('id', '=', member.id)
        .executeTakeFirstOrThrow()
    ).preferences,
  );

const save = (alerts: object) =>
  callApi('PUT', '/api/auth/preferences', { token, body: { preferences: { alerts } } });

const addDevice = (id: string, userAgent: string | null) =>
  fixture.db
    .insertInto('push_subscriptions')
    .values({
      id,
      user_id: member.id,
      endpoint: `https://push.example/${id}`,
      p256dh: 'a public key',
      auth: 'a secret',
      user_agent: userAgent,
      created_at: toIso(systemClock.now()),
    })
    .execute();

describe('the preferences', () => {
  it('choose watches through the API; null is all, and an unknown watch is refused', async () => {
    await addWatch('tcg', 'Trading Cards');
    expect((await save({ watches: ['tcg', 'tcg'] })).body).toMatchObject({
      user: { preferences: { alerts: { email: true, push: false, watches: ['tcg'] } } },
    });
    const chosen = await stored();
    expect(wantsAlert(chosen, { channel: 'email', watchSlug: 'tcg' })).toBe(true);
    expect(wantsAlert(chosen, { channel: 'email', watchSlug: 'pokemon-center' })).toBe(false);
    expect(wantsAlert(chosen, { channel: 'push', watchSlug: 'tcg' })).toBe(false);

    expect(await save({ watches: ['gone'] })).toMatchObject({
      status: 422,
      body: {
        code: 'unknown_watch',
        errors: { watches: ['The watch “gone” no longer exists. Please choose again.'] },
      },
    });
    await save({ email: false });
    expect((await stored()).alerts).toMatchObject({ email: false, push: false, watches: ['tcg'] });
    await save({ watches: null });
    expect((await stored()).alerts).toMatchObject({ email: false, push: false, watches: null });
  });

  it('are a form that works without scripts, with the watches once there are two', async () => {
    expect((await site.get('/account', token)).text).not.toContain('Which waiting rooms');
    await addWatch('tcg', 'Trading Cards');
    expect((await site.get('/account', token)).text).toContain('Which waiting rooms');

    const many = await site.post('/account', token, {
      intent: 'preferences',
      alertsByPush: 'on',
      watchChoice: 'chosen',
      watches: 'tcg',
    });
    expect(many).toMatchObject({ status: 303, leadsTo: '/account' });
    expect(await stored()).toMatchObject({
      alerts: { email: false, push: true, watches: ['tcg'] },
      marketing: false,
    });
    const none = await site.post('/account', token, {
      intent: 'preferences',
      alertsByEmail: 'on',
      watchChoice: 'chosen',
    });
    expect(none.text).toContain('Please choose at least one waiting room.');
    expect((await stored()).alerts.email).toBe(false);
    const slugs = Array.from({ length: 199 }, (_, number) => `watch-${String(number).padStart(3, '0')}`);
    for (const slug of slugs) await addWatch(slug, slug);
    const fields = new URLSearchParams({ intent: 'preferences', watchChoice: 'chosen' });
    for (const slug of slugs) fields.append('watches', slug);
    await accountPage.action({
      request: new Request(`${SITE}/account`, {
        method: 'POST',
        headers: { Cookie: `${SESSION_COOKIE}=${token}` },
        body: fields,
      }),
      params: {},
      context: {},
    });
    expect((await stored()).alerts.watches).toEqual(slugs);
    await site.post('/account', token, { intent: 'preferences', watchChoice: 'all', watches: 'tcg' });
    expect((await stored()).alerts.watches).toBeNull();
  });
});

describe('quiet hours and pauses', () => {
  const NO_CHANGE = { email: true, push: false, watches: null };
  const put = (preferences: object) =>
    callApi('PUT', '/api/auth/preferences', { token, body: { preferences } });
  const soon = (ms: number) => toIso(Date.now() + ms);

  it('are preferences of the API, which are kept when others change', async () => {
    expect((await callApi('GET', '/api/auth/user', { token })).body).toMatchObject({
      user: { preferences: { alerts: { quietHours: null, pausedUntil: null }, timeZone: 'Europe/London' } },
    });
    const until = soon(DAY);
    await put({ alerts: { quietHours: { from: 22, to: 7 }, pausedUntil: until }, timeZone: 'Asia/Kolkata' });
    await put({ alerts: { watches: null }, marketing: false });
    expect(await stored()).toEqual({
      alerts: { ...NO_CHANGE, quietHours: { from: 22, to: 7 }, pausedUntil: until },
      timeZone: 'Asia/Kolkata',
      marketing: false,
    });
    await put({ alerts: { quietHours: null, pausedUntil: null } });
    expect((await stored()).alerts).toEqual({ ...NO_CHANGE, quietHours: null, pausedUntil: null });
  });

  it.each([
    ['equal hours', { alerts: { quietHours: { from: 7, to: 7 } } }],
    ['an hour that is none', { alerts: { quietHours: { from: 24, to: 7 } } }],
    ['half an hour', { alerts: { quietHours: { from: 22.5, to: 7 } } }],
    ['one hour alone', { alerts: { quietHours: { from: 22 } } }],
    ['a time zone that is none', { timeZone: 'Mars/Olympus' }],
    ['an offset', { timeZone: '+01:00' }],
    ['a time that is none', { alerts: { pausedUntil: 'tomorrow' } }],
    ['a year', { alerts: { pausedUntil: soon(365 * DAY) } }],
  ])('refuse %s', async (_, preferences) => {
    expect(await put(preferences)).toMatchObject({ status: 422 });
    expect((await stored()).alerts).toMatchObject({ quietHours: null, pausedUntil: null });
  });

  it('are forms that work without scripts, beside when the next alert comes', async () => {
    const pro = await fixture.account('pro');
    token = await fixture.signIn(pro);
    member = pro;
    const send = (fields: Record<string, string>) => site.post('/account', token, fields);
    const page = await site.get('/account', token);
    expect(page.text).toContain('The next alert reaches you at once.');
    // Where mails and other pages lead.
    for (const id of ['alerts', 'follows', 'password', 'passkeys', 'data'])
      expect(page.html).toContain(` id="${id}"`);
    const half = await send({ intent: 'quiet', quietFrom: '22', quietTo: '', timeZone: 'Europe/London' });
    expect(half.text).toContain('Please choose two different hours, or none.');
    const nowhere = await send({ intent: 'quiet', quietFrom: '', quietTo: '', timeZone: 'nowhere/at all' });
    expect(nowhere.text).toContain('Please enter a time zone such as Europe/London.');
    const hours = { quietFrom: '0', quietTo: '23', timeZone: 'Pacific/Kiritimati' };
    expect(await send({ intent: 'quiet', ...hours })).toMatchObject({ status: 303, leadsTo: '/account' });
    expect(await stored()).toMatchObject({
      alerts: { quietHours: { from: 0, to: 23 } },
      timeZone: 'Pacific/Kiritimati',
    });
    expect(await send({ intent: 'pause', days: '7' })).toMatchObject({ status: 303 });
    const paused = await site.get('/account', token);
    expect(paused.text).toMatch(/Your alerts are paused until \w+day .*\(Pacific\/Kiritimati\)/);
    expect(paused.text).toContain('Resume alerts');
    expect(paused.text).not.toContain('Pause for 1 day');
    expect(await send({ intent: 'pause', days: '0' })).toMatchObject({ status: 303 });
    expect((await stored()).alerts.pausedUntil).toBeNull();
    expect(await send({ intent: 'pause', days: '400' })).toMatchObject({ status: 200 });
    expect((await stored()).alerts.pausedUntil).toBeNull();
    await send({ intent: 'quiet', quietFrom: '', quietTo: '', timeZone: 'Europe/London' });
    expect((await stored()).alerts.quietHours).toBeNull();
  });
});

describe('a test', () => {
  const rows = () =>
    fixture.db
      .selectFrom('member_deliveries')
      .select(['channel', 'target', 'alert_id', 'status'])
      .orderBy('channel')
      .orderBy('target')
      .execute();

  it('goes where alerts go, also to an address that bounced, and the page shows its result', async () => {
    await addDevice('phone', 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0');
    await inTransaction(fixture.db, (trx) =>
      recordBounce(trx, {
        userId: member.id,
        reason: 'the mail server refused the address with 550',
        now: 0,
      }),
    );
    expect((await site.get('/account', token)).text).toContain(
      `Alerts do not reach ${member.email} : the mail server refused the address with 550.`,
    );
    await save({ push: true });
    const sent = await callApi('POST', '/api/push/test', { token, body: {} });
    const email = serverContext().mail.enabled ? 1 : 0;
    expect(sent).toMatchObject({ status: 200, body: { sent: { email, push: 1 } } });
    expect(await rows()).toEqual([
      ...(email === 1 ? [{ channel: 'email', target: member.id, alert_id: null, status: 'pending' }] : []),
      { channel: 'push', target: 'phone', alert_id: null, status: 'pending' },
    ]);
    await fixture.db
      .updateTable('member_deliveries')
      .set({ status: 'dead', attempts: 1, last_error: 'the push service refused it' })
      .where('channel', '=', 'push')
      .execute();
    expect((await site.get('/account', token)).text).toContain(
      'Chrome on Android: Failed, the push service refused it',
    );
  });

  it('is refused while alerts are switched off or reach no device', async () => {
    await save({ email: false });
    const off = await site.post('/account', token, { intent: 'test' });
    expect(off.text).toContain('Alerts are switched off. Switch on alerts by email or as notifications');
    await save({ push: true });
    const nowhere = await site.post('/account', token, { intent: 'test' });
    expect(nowhere.text).toContain('None of your devices is set up for notifications.');
    expect(await rows()).toEqual([]);
  });
});

it('the record of what was sent to a member gives way to sums days after the alert, which the monitor screen and the account page still show', async () => {
  const { db } = fixture;
  const now = systemClock.now();
  const old = toIso(now - 91 * DAY);
  const check = newId();
  await db
    .insertInto('alerts')
    .values(
      [old, toIso(now - 2 * DAY)].map((openedAt, index) => ({
        id: `alert-${index}`,
        watch_id: 'pokemon-center',
        target_url: 'https://shop.example/',
        status: 'closed' as const,
        strength: 'strong' as const,
        opened_at: openedAt,
        last_seen_at: openedAt,
        closed_at: openedAt,
        close_reason: null,
        suspended_at: null,
        revision: 1,
        opening_check_id: check,
        closing_check_id: null,
      })),
    )
    .execute();
  const row = (alert_id: string | null, createdAt: string, target: string) => ({
    ...memberOutbox.newRow({ dueAt: now, expiresAt: now, owner: null, now }),
    alert_id,
    user_id: member.id,
    channel: 'push' as const,
    target,
    status: 'sent' as const,
    sent_at: createdAt,
    created_at: createdAt,
  });
  const browser = {
    id: 'browser',
    user_id: member.id,
    endpoint: 'https://push.example/1',
    p256dh: 'k',
    auth: 'a',
  };
  await db
    .insertInto('push_subscriptions')
    .values({ ...browser, user_agent: null, created_at: old })
    .execute();
  await db
    .insertInto('member_deliveries')
    .values([
      row('alert-0', old, 'browser'),
      ...Array.from({ length: 230 }, (_, index) => row('alert-0', old, String(index))),
      ...Array.from({ length: 18 }, (_, index) => ({
        ...row('alert-0', old, `dead-${index}`),
        status: 'dead' as const,
        sent_at: null,
        last_error: index < 12 ? 'gone' : 'refused',
      })),
      { ...row('alert-0', old, 'handled'), status: 'expired' as const, sent_at: null, handled_at: old },
      row(null, old, 'test'),
      row('alert-1', toIso(now - 2 * DAY), 'x'),
      row(null, toIso(now), 'y'),
    ])
    .execute();
  const read = async () => ({
    results: (await readMemberResults(db, { alertId: 'alert-0' })).results,
    lastSentAt: (await listPushSubscriptions(db, { userId: member.id })).map(({ lastSentAt }) => lastSentAt),
  });
  const before = await read();
  expect(before).toMatchObject({
    results: [
      {
        sent: 231,
        failed: 18,
        handled: 1,
        reasons: [
          { reason: 'gone', count: 12 },
          { reason: 'refused', count: 6 },
        ],
      },
    ],
    lastSentAt: [old],
  });
  expect(await purgeMemberAlerts(db, now)).toBe(251);
  expect(await read()).toEqual(before);
  expect(await purgeMemberAlerts(db, now)).toBe(0);
  const handle = {
    alertId: 'alert-0',
    channel: 'push' as const,
    actor: { userId: null },
    clock: systemClock,
  };
  expect(await handleMemberDeliveries(db, handle)).toBe(18);
  expect((await read()).results).toMatchObject([{ sent: 231, failed: 0, handled: 19, reasons: [] }]);
  expect(await db.selectFrom('member_deliveries').selectAll().execute()).toHaveLength(2);
  expect(await db.selectFrom('alerts').selectAll().execute()).toHaveLength(2);
});

describe('a device', () => {
  it('is removed with its form; one of another member is not', async () => {
    await addDevice('phone', null);
    const stranger = await fixture.signIn(await fixture.account('admin'));
    const remove = (as: string) => site.post('/account', as, { intent: 'removeDevice', deviceId: 'phone' });
    expect((await remove(stranger)).text).toContain('This device no longer receives notifications.');
    expect(await remove(token)).toMatchObject({ status: 303 });
    expect(await fixture.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([]);
  });
});

describe('unsubscribing', () => {
  const link = () => {
    const { keyring, clock } = serverContext();
    return unsubscribeUrl({ keyring, appUrl: SITE }, { userId: member.id, now: clock.now() }).slice(
      SITE.length,
    );
  };
  /** As earlier releases sent it. */
  const undatedLink = (secret?: string) => {
    const keyring = secret === undefined ? serverContext().keyring : createKeyring([secret]);
    return `/unsubscribe?token=${member.id}.${keyring.hash('unsubscribe', member.id)}`;
  };
  const at = async (time: string, work: () => Promise<void>) => {
    const context = serverContext();
    const { clock } = context;
    context.clock = { ...clock, now: () => Date.parse(time) };
    try {
      await work();
    } finally {
      context.clock = clock;
    }
  };
  const post = (path: string, body: BodyInit) => {
    const request = new Request(SITE + path, { method: 'POST', body });
    return unsubscribePage.action({ request, params: {}, context: {} });
  };

  it('asks first, works without a sign-in, and says what stays', async () => {
    const path = link();
    const asked = await site.get(path, '');
    expect(asked).toMatchObject({ status: 200 });
    expect(asked.text).toContain('The address that received that email gets one');
    // Whoever gets hold of a link learns no address and no account.
    expect(asked.html).not.toContain(member.email);
    expect(path).not.toContain(member.id);
    expect(Buffer.from(path.split('token=')[1] ?? '', 'base64url').toString('latin1')).not.toContain(
      member.id,
    );
    expect((await stored()).alerts.email).toBe(true);
    const done = await site.post(path, '', { intent: 'unsubscribe' });
    expect(done).toMatchObject({ status: 303, leadsTo: path });
    expect((await stored()).alerts.email).toBe(false);
    const end = await site.get(path, '');
    expect(end.text).toContain('You are unsubscribed');
    expect(end.html).not.toContain(member.email);
  });

  it('works for a year after the mail', async () => {
    const path = link();
    const oneClick = () => post(path, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }));
    const days = (count: number) => new Date(serverContext().clock.now() + count * DAY).toISOString();
    await at(days(366), async () => {
      expect((await site.get(path, '')).text).toContain('This unsubscribe link has expired');
      expect(await oneClick()).toMatchObject({ status: 404 });
    });
    expect((await stored()).alerts.email).toBe(true);
    await at(days(364), async () => expect(await oneClick()).toBeNull());
    expect((await stored()).alerts.email).toBe(false);
  });

  it('works with the links of mails from before they had a date, for a year', async () => {
    await at('2026-12-24T12:00:00.000Z', async () => {
      expect((await site.get(undatedLink(), '')).text).toContain('Unsubscribe from alert emails?');
      expect(await post(undatedLink(), new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }))).toBeNull();
    });
    expect((await stored()).alerts.email).toBe(false);
    await at('2027-11-26T12:00:00.000Z', async () => {
      expect((await site.get(undatedLink(), '')).text).toContain('This unsubscribe link has expired');
    });
  });

  it('takes one click of a mail program, in both encodings of RFC 8058', async () => {
    const multipart = new FormData();
    multipart.set('List-Unsubscribe', 'One-Click');
    for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), multipart]) {
      await save({ email: true });
      expect(await post(link(), body)).toBeNull();
      expect((await stored()).alerts.email).toBe(false);
    }
  });

  it('refuses a link that is cut off, of another member, or signed with another secret', async () => {
    const [, hash = ''] = undatedLink().split('.');
    const foreign = createKeyring(['another secret of the tests']);
    const now = serverContext().clock.now();
    for (const path of [
      link().slice(0, -1),
      '/unsubscribe',
      undatedLink('another secret of the tests'),
      unsubscribeUrl({ keyring: foreign, appUrl: '' }, { userId: member.id, now }),
      unsubscribeUrl({ keyring: serverContext().keyring, appUrl: '' }, { userId: 'none', now }),
      `/unsubscribe?token=someone-else.${hash}`,
    ]) {
      const page = await site.get(path, '');
      expect(page.text).toContain('This unsubscribe link is not complete');
      const answer = await post(path, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }));
      expect(answer).toMatchObject({ status: 404 });
    }
    expect((await stored()).alerts.email).toBe(true);
  });
});

it('an alert mail says what opened when, and can be unsubscribed from with one click', () => {
  const mail = renderAlertMail({
    kind: 'alert',
    watch: { shop: 'Shop <b>', title: 'Spring sale', slug: 'shop' },
    openedAt: '2026-07-01T09:30:05.000Z',
    link: 'https://shop.example/?a=1&b=2',
    appUrl: SITE,
    unsubscribeUrl: `${SITE}/unsubscribe?token=x.y`,
  });
  expect(mail.subject).toBe('Shop <b>: the waiting room is open');
  expect(mail.text).toContain('The waiting room of Shop <b> (Spring sale) opened at 10:30:05 UK time.');
  expect(mail.text).toContain('Go to Shop <b>: https://shop.example/?a=1&b=2');
  expect(mail.text).toContain(`Unsubscribe from alert emails: ${SITE}/unsubscribe?token=x.y`);
  expect(mail.html).not.toContain('<b>:');
  expect(mail.html).toContain('href="https://shop.example/?a=1&amp;b=2"');
  expect(mail.headers).toMatchObject({
    'List-Unsubscribe': `<${SITE}/unsubscribe?token=x.y>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});
