import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { describeAttempts } from '#shared/alerts/deliveries/describe-attempts';
import { MINUTE, SECOND } from '#shared/clock';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { FLAPPING } from './delivery-fixture';

let fixture: MonitorFixture;

beforeEach(async () => {
  fixture = await createMonitorFixture();
  await fixture.startDaemon();
});
afterEach(() => fixture.cleanup());

const instant = () => fixture.sandbox.discord.messages('instant');
const free = () => fixture.sandbox.discord.messages('free');
const posts = () => fixture.sandbox.discord.requests().filter((request) => request.method === 'POST');
const edits = () => fixture.sandbox.discord.requests().filter((request) => request.method === 'PATCH');

async function openRoom(): Promise<void> {
  fixture.sandbox.shop.show('imperva-room');
  await fixture.check();
  await eventually(() => expect(instant()).toHaveLength(1));
}

async function deliveries(): Promise<Record<string, string>> {
  const [alert] = await listRecentAlerts(fixture.db, { limit: 1 });
  return Object.fromEntries((alert?.deliveries ?? []).map((row) => [row.audience, row.status]));
}

describe('an alert', () => {
  it('is posted once to the instant audience at once and once to the free audience thirty seconds later', async () => {
    fixture.sandbox.shop.show('imperva-room');
    const check = await fixture.check();
    expect(check.queue_detected).toBe(true);
    await eventually(() => expect(instant()).toHaveLength(1));
    expect(free()).toHaveLength(0);
    expect(instant()[0]?.receivedAt ?? 0).toBeLessThan(Date.parse(check.check_timestamp) + 20 * SECOND);

    const due = await fixture.db.selectFrom('alert_deliveries').select(['audience', 'due_at']).execute();
    const dueAt = (audience: string) =>
      Date.parse(due.find((row) => row.audience === audience)?.due_at ?? '');
    expect(dueAt('free') - dueAt('instant')).toBe(30 * SECOND);

    // The clock also runs: ten seconds are left for a slow machine.
    fixture.clock.advance(20 * SECOND);
    await fixture.check();
    expect(free()).toHaveLength(0);
    fixture.clock.advance(10 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));

    await fixture.check();
    fixture.clock.advance(MINUTE);
    await fixture.check();
    expect(posts()).toHaveLength(2);
    expect(edits()).toHaveLength(0);
    expect(await deliveries()).toEqual({ instant: 'sent', free: 'sent' });
  });

  it('has a title, a link and Discord timestamps, and pings no one', async () => {
    await openRoom();
    fixture.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    const [message] = instant();
    const [embed] = message?.embeds ?? [];
    expect(message?.username).toBe('Packwatch');
    expect(embed).toMatchObject({
      title: 'Pokemon Center UK: the waiting room is open',
      url: fixture.sandbox.shopUrl,
    });
    expect(embed?.fields?.[0]?.value).toMatch(/^<t:\d+:T> \(<t:\d+:R>\)$/);
    expect(message?.allowedMentions).toEqual({ parse: [] });
    expect(message?.pings).toEqual({ everyone: false, roles: [], users: [] });
    const link = new URL(free()[0]?.embeds[0]?.url ?? '');
    expect(link.origin + link.pathname).toBe('https://packwatch.test/restock/pokemon-center-uk');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      retailer: 'Pokemon Center UK',
      source: 'discord',
    });
    expect(
      posts().every((request) => request.userAgent?.startsWith('DiscordBot (https://packwatch.test')),
    ).toBe(true);
  });

  it('pings the configured role only', async () => {
    await fixture.writeSetting('discord_role_id_instant', '123456789012345678');
    await openRoom();
    expect(instant()[0]?.pings).toEqual({ everyone: false, roles: ['123456789012345678'], users: [] });
  });

  it('is edited once when the waiting room has closed, without a new post', async () => {
    await openRoom();
    fixture.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    fixture.clock.advance(8 * MINUTE);
    await fixture.check();

    fixture.sandbox.shop.show('open');
    await fixture.check();
    expect(edits()).toHaveLength(0);
    fixture.clock.advance(MINUTE);
    await fixture.check();
    await eventually(() => expect(edits()).toHaveLength(2));
    fixture.clock.advance(MINUTE);
    await fixture.check();
    expect(posts()).toHaveLength(2);
    expect(edits()).toHaveLength(2);
    for (const message of [instant()[0], free()[0]]) {
      expect(message?.edits).toHaveLength(1);
      expect(message?.embeds[0]?.title).toBe('Pokemon Center UK: the waiting room has closed');
      // The room lasted until the first of the two `open` verdicts.
      expect(message?.embeds[0]?.description).toMatch(/^It lasted 9 minutes\. /);
    }
    await eventually(async () => {
      const [alert] = await listRecentAlerts(fixture.db, { limit: 1 });
      expect(alert?.deliveries.map(describeAttempts)).toEqual([
        'posted at the first attempt, edited once',
        'posted at the first attempt, edited once',
      ]);
    });
  });

  it('is reopened when the room opens again within five minutes', async () => {
    await openRoom();
    fixture.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await fixture.check();
    await eventually(() => expect(edits()).toHaveLength(2));
    fixture.clock.advance(4 * MINUTE);
    fixture.sandbox.shop.show('imperva-page');
    await fixture.check();
    await eventually(() => expect(edits()).toHaveLength(4));
    expect(posts()).toHaveLength(2);
    expect(instant()[0]?.embeds[0]?.title).toBe('Pokemon Center UK: the waiting room is open');
  });

  it('is a new alert when the room opens again later', async () => {
    await openRoom();
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await fixture.check();
    fixture.clock.advance(6 * MINUTE);
    fixture.sandbox.shop.show('queueit-room');
    await fixture.check();
    await eventually(() => expect(instant()).toHaveLength(2));
  });

  it('is not posted to the free audience when the room closes within thirty seconds', async () => {
    await openRoom();
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await fixture.check();
    fixture.clock.advance(30 * SECOND);
    await eventually(async () => expect(await deliveries()).toEqual({ instant: 'sent', free: 'cancelled' }));
    await fixture.check();
    expect(free()).toHaveLength(0);
  });

  it('is not posted again while the room flaps', async () => {
    fixture.sandbox.shop.play([...FLAPPING]);
    for (const _mode of FLAPPING) await fixture.check();
    await eventually(() => expect(instant()[0]?.edits.length).toBeGreaterThan(0));
    expect(instant()).toHaveLength(1);
    expect(await fixture.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
  });

  it('is neither opened nor closed by bot walls, errors and empty responses', async () => {
    for (const mode of [
      'bot-wall',
      'cloudflare-challenge',
      'akamai-denied',
      'error',
      'empty',
      'reset',
    ] as const) {
      fixture.sandbox.shop.show(mode);
      const check = await fixture.check();
      expect(check.queue_detected, mode).toBe(false);
    }
    expect(posts()).toHaveLength(0);
    await openRoom();
    fixture.sandbox.shop.play(['bot-wall', 'bot-wall', 'error', 'open', 'bot-wall']);
    for (let count = 0; count < 5; count += 1) await fixture.check();
    expect(edits()).toHaveLength(0);
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await eventually(() => expect(edits()).toHaveLength(1));
  });

  it.each(['imperva-room', 'imperva-page', 'queueit-room', 'cloudflare-room', 'cloudflare-json'] as const)(
    'opens at once for %s',
    async (mode) => {
      fixture.sandbox.shop.show(mode);
      await fixture.check();
      await eventually(() => expect(instant()).toHaveLength(1));
    },
  );

  it('needs a second check when only words indicate a room', async () => {
    fixture.sandbox.shop.show('words-room');
    const { check_timestamp: checkedAt } = await fixture.check();
    expect(posts()).toHaveLength(0);
    const [recheck] = await eventually(async () => {
      const delayed = await (await fixture.queues.open('monitor')).getDelayed();
      expect(delayed).toHaveLength(1);
      return delayed;
    });
    expect(recheck?.data).toEqual({ watchId: 'pokemon-center-uk', trigger: 'confirm' });
    expect(recheck?.delay).toBeLessThanOrEqual(10 * SECOND);
    const dueAt = (recheck?.timestamp ?? 0) + (recheck?.delay ?? 0);
    expect(dueAt - Date.parse(checkedAt)).toBeGreaterThan(9 * SECOND);
    await recheck?.promote();
    await eventually(() => expect(instant()).toHaveLength(1));
  });

  it('is not opened by a weak sign that the second check does not confirm', async () => {
    fixture.sandbox.shop.play(['words-room', 'open', 'words-room']);
    for (let count = 0; count < 3; count += 1) await fixture.check();
    expect(posts()).toHaveLength(0);
  });

  it('notifies the admins when no instant webhook is set', async () => {
    await fixture.db.deleteFrom('webhooks').where('audience', '=', 'instant').execute();
    await fixture.setWebhook('admin');
    fixture.sandbox.shop.show('imperva-room');
    await fixture.check();
    await eventually(() => expect(fixture.sandbox.discord.messages('admin')).toHaveLength(1));
    expect(fixture.sandbox.discord.messages('admin')[0]?.embeds[0]?.title).toBe(
      'The waiting room opened, but no instant webhook is set',
    );
  });

  it('is opened by one fetch for several concurrent check requests', async () => {
    fixture.sandbox.shop.show('slow', { delayMs: 300 });
    const checks = await Promise.all(Array.from({ length: 20 }, () => fixture.check()));
    expect(new Set(checks.map((check) => check.id)).size).toBeLessThanOrEqual(2);
    expect(fixture.sandbox.shop.requests().length).toBeLessThanOrEqual(2);
  });
});
