import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromIso, MINUTE, SECOND, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { readMemberResults } from '#shared/member-alerts/member-results';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { sendTestAlerts } from '#shared/member-alerts/test-operations';
import { measureIdleTime } from '../../idle-time';
import { openRoom } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { addMember } from './crowd';

/** What a broken push service does with each connection. */
const FAULTS = {
  silent: () => undefined,
  'headers alone': (socket: Socket) =>
    void socket.once('data', () => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\n')),
  drip(socket: Socket) {
    socket.once('data', () => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 4000\r\n\r\n'));
    const timer = setInterval(() => socket.write('.'), SECOND / 2);
    socket.on('close', () => clearInterval(timer));
  },
  'busy for all': (socket: Socket) =>
    void socket.on('data', () =>
      socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'),
    ),
  closes: (socket: Socket) => void socket.destroy(),
} satisfies Record<string, (socket: Socket) => void>;

/** Each loopback address is a separate host: one browser per host, as an attacker would choose them. */
const OWN_HOSTS = 150;
const BROWSERS_PER_FAULT = 150;

let fixture: MonitorFixture;
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    answer(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return (server.address() as AddressInfo).port;
}

const ownHost = (number: number): string => `127.0.1.${number + 1}`;

beforeEach(async () => {
  const hosts = Array.from({ length: OWN_HOSTS }, (_unused, number) => ownHost(number));
  fixture = await createMonitorFixture({
    webhooks: [],
    environment: { ALLOWED_PRIVATE_HOSTS: ['127.0.0.1', 'localhost', ...hosts].join(',') },
  });
});
afterEach(async () => {
  // Ends the attempts that the daemon would wait for.
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
  await fixture.cleanup();
});

async function addBrowsers(userId: string, endpoints: readonly string[]): Promise<void> {
  const { keys } = fixture.sandbox.push.subscribe();
  const row = { user_id: userId, ...keys, created_at: toIso(Date.now()) };
  await fixture.db
    .insertInto('push_subscriptions')
    .values(endpoints.map((endpoint) => ({ ...row, id: newId(), endpoint })))
    .execute();
}

it('push services that hang, drip, refuse or fail delay no browser of another one', async () => {
  const { db, sandbox } = fixture;
  const origins = [];
  for (const fault of Object.values(FAULTS)) origins.push(`http://127.0.0.1:${await listen(fault)}`);
  const silentPort = await listen(FAULTS.silent);
  // A handshake that never ends, and a port where nothing listens.
  origins.push(`https://127.0.0.1:${silentPort}`, 'http://127.0.0.1:9');
  let well = 0;
  for (const [number, origin] of origins.entries()) {
    const stuck = await addMember(fixture, `stuck-${number}`, {
      alerts: { email: false, push: true },
      browsers: 0,
    });
    await addBrowsers(
      stuck,
      Array.from({ length: BROWSERS_PER_FAULT }, (_unused, browser) => `${origin}/${number}/${browser}`),
    );
    await addMember(fixture, `well-${number}`, { alerts: { email: false, push: true }, browsers: 4 });
    well += 4;
  }
  const attacker = await addMember(fixture, 'attacker', {
    alerts: { email: false, push: true },
    browsers: 0,
  });
  await addBrowsers(
    attacker,
    Array.from({ length: OWN_HOSTS }, (_unused, number) => `http://${ownHost(number)}:${silentPort}/`),
  );

  await fixture.startDaemon();
  await openRoom(fixture);
  const idleMs = measureIdleTime();
  await eventually(() => expect(sandbox.push.messages()).toHaveLength(well));
  // Two seconds on an idle machine; one attempt at a hanging host is a wait of ten.
  expect(idleMs()).toBeLessThan(9 * SECOND);
  const { id } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
  // The others wait for their push services, and are not lost.
  const { sending } = await eventually(async () => {
    const [push] = (await readMemberResults(db, { alertId: id })).results;
    expect(push).toMatchObject({ channel: 'push', failed: 0, expired: 0, cancelled: 0 });
    if (push === undefined) throw new Error('nothing was sent by push');
    // After ten seconds a push service that answered with its headers alone has accepted the message.
    expect(push.sent).toBeGreaterThanOrEqual(well);
    expect(push.sent + push.waiting + push.sending + push.tryingAgain).toBe(
      well + origins.length * BROWSERS_PER_FAULT + OWN_HOSTS,
    );
    return push;
  });
  expect(sending).toBeLessThan(400);
});

it('tests of twelve accounts to hanging browsers delay no alert and no other test, and end once, soon', async () => {
  const { db, sandbox } = fixture;
  const origin = `http://127.0.0.1:${await listen(FAULTS.silent)}`;
  const free = { alerts: { email: false, push: true }, pro: false };
  const test = async (userId: string) => {
    const account = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    return sendTestAlerts(db, { account, mailEnabled: false, clock: fixture.clock });
  };
  const attackers: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    const userId = await addMember(fixture, `free-${number}`, { ...free, browsers: 0 });
    await addBrowsers(
      userId,
      Array.from({ length: 20 }, (_unused, browser) => `${origin}/${number}/${browser}`),
    );
    attackers.push(userId);
    await test(userId);
  }
  await fixture.startDaemon();
  const statesOf = async (userId: string) => {
    const { results = [] } = (await readTestResults(db, { userId })) ?? {};
    return results.map(({ state }) => state);
  };
  await eventually(async () =>
    expect((await Promise.all(attackers.map(statesOf))).flat()).toContain('sending'),
  );
  const other = await addMember(fixture, 'other', free);
  await addMember(fixture, 'pro', { alerts: { email: false, push: true } });
  await openRoom(fixture);
  const idleMs = measureIdleTime();
  await eventually(() => expect(sandbox.push.messages()).toHaveLength(1));
  expect(idleMs()).toBeLessThan(9 * SECOND);
  await test(other);
  await eventually(async () => expect(await statesOf(other)).toEqual(['sent']));
  // One that hung has failed; it is not tried again. A newer test replaces those that wait.
  await eventually(async () =>
    expect((await Promise.all(attackers.map(statesOf))).flat()).toContain('failed'),
  );
  expect(await test(attackers[0] ?? '')).toEqual({ email: 0, push: 20 });
  const rows = await db
    .selectFrom('member_deliveries')
    .select(['status', 'attempts', 'user_id', 'created_at', 'expires_at'])
    .where('alert_id', 'is', null)
    .execute();
  expect(Math.max(...rows.map(({ attempts }) => attempts))).toBe(1);
  expect(rows.filter(({ status }) => status === 'sending').length).toBeLessThanOrEqual(16);
  expect(
    rows.filter(({ user_id, status }) => user_id === attackers[0] && status === 'pending').length,
  ).toBeLessThanOrEqual(20);
  expect(Math.max(...rows.map((row) => fromIso(row.expires_at) - fromIso(row.created_at)))).toBe(MINUTE);
});
