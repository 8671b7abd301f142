import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { MINUTE, SECOND } from '#shared/clock';
import { createWorld, eventually, type World } from './monitor-world';

let world: World;

beforeEach(async () => {
  world = await createWorld();
  await world.startDaemon();
});
afterEach(() => world.cleanup());

const instant = () => world.sandbox.discord.messages('instant');
const free = () => world.sandbox.discord.messages('free');
const posts = () => world.sandbox.discord.requests().filter((request) => request.method === 'POST');
const edits = () => world.sandbox.discord.requests().filter((request) => request.method === 'PATCH');

async function openRoom(): Promise<void> {
  world.sandbox.shop.show('imperva-room');
  await world.check();
  await eventually(() => expect(instant()).toHaveLength(1));
}

async function deliveries(): Promise<Record<string, string>> {
  const [alert] = await listRecentAlerts(world.db, { limit: 1 });
  return Object.fromEntries((alert?.deliveries ?? []).map((row) => [row.audience, row.status]));
}

describe('an alert', () => {
  it('reaches the instant audience at once and the free one thirty seconds later, once each', async () => {
    world.sandbox.shop.show('imperva-room');
    const check = await world.check();
    expect(check.queue_detected).toBe(true);
    await eventually(() => expect(instant()).toHaveLength(1));
    expect(free()).toHaveLength(0);
    expect(instant()[0]?.receivedAt ?? 0).toBeLessThan(Date.parse(check.check_timestamp) + SECOND);

    world.clock.advance(29 * SECOND);
    await world.check();
    expect(free()).toHaveLength(0);
    world.clock.advance(SECOND);
    await eventually(() => expect(free()).toHaveLength(1));

    await world.check();
    world.clock.advance(MINUTE);
    await world.check();
    expect(posts()).toHaveLength(2);
    expect(edits()).toHaveLength(0);
    expect(await deliveries()).toEqual({ instant: 'sent', free: 'sent' });
  });

  it('reads as Discord needs it: title, link, the reader’s own clock, nobody pinged', async () => {
    await openRoom();
    world.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    const [message] = instant();
    const [embed] = message?.embeds ?? [];
    expect(message?.username).toBe('Packwatch');
    expect(embed).toMatchObject({
      title: 'Pokemon Center UK: the waiting room is open',
      url: world.sandbox.shopUrl,
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

  it('pings the role that is set, and only that', async () => {
    await world.set('discord_role_id_instant', '123456789012345678');
    await openRoom();
    expect(instant()[0]?.pings).toEqual({ everyone: false, roles: ['123456789012345678'], users: [] });
  });

  it('is edited once when the waiting room has closed, and nothing new is posted', async () => {
    await openRoom();
    world.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    world.clock.advance(8 * MINUTE);
    await world.check();

    world.sandbox.shop.show('open');
    await world.check();
    expect(edits()).toHaveLength(0);
    world.clock.advance(MINUTE);
    await world.check();
    await eventually(() => expect(edits()).toHaveLength(2));
    world.clock.advance(MINUTE);
    await world.check();
    expect(posts()).toHaveLength(2);
    expect(edits()).toHaveLength(2);
    for (const message of [instant()[0], free()[0]]) {
      expect(message?.edits).toHaveLength(1);
      expect(message?.embeds[0]?.title).toBe('Pokemon Center UK: the waiting room has closed');
      // It had lasted until the first of the two opens, not until the second.
      expect(message?.embeds[0]?.description).toMatch(/^It lasted 9 minutes\. /);
    }
  });

  it('goes on when the room opens again within five minutes', async () => {
    await openRoom();
    world.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    world.sandbox.shop.show('open');
    await world.check();
    await world.check();
    await eventually(() => expect(edits()).toHaveLength(2));
    world.clock.advance(4 * MINUTE);
    world.sandbox.shop.show('imperva-page');
    await world.check();
    await eventually(() => expect(edits()).toHaveLength(4));
    expect(posts()).toHaveLength(2);
    expect(instant()[0]?.embeds[0]?.title).toBe('Pokemon Center UK: the waiting room is open');
  });

  it('is a new one when the room opens again later', async () => {
    await openRoom();
    world.sandbox.shop.show('open');
    await world.check();
    await world.check();
    world.clock.advance(6 * MINUTE);
    world.sandbox.shop.show('queueit-room');
    await world.check();
    await eventually(() => expect(instant()).toHaveLength(2));
  });

  it('never reaches the free audience when the room closed before their time', async () => {
    await openRoom();
    world.sandbox.shop.show('open');
    await world.check();
    await world.check();
    world.clock.advance(30 * SECOND);
    await eventually(async () => expect(await deliveries()).toEqual({ instant: 'sent', free: 'cancelled' }));
    await world.check();
    expect(free()).toHaveLength(0);
  });

  it('flaps without a second post', async () => {
    world.sandbox.shop.play([
      'imperva-room',
      'open',
      'imperva-room',
      'bot-wall',
      'open',
      'imperva-page',
      'error',
      'open',
      'open',
      'imperva-room',
    ]);
    for (let look = 0; look < 10; look += 1) await world.check();
    await eventually(() => expect(instant()[0]?.edits.length).toBeGreaterThan(0));
    expect(instant()).toHaveLength(1);
    expect(await world.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
  });

  it('is neither opened nor closed by walls, errors and empty answers', async () => {
    for (const mode of [
      'bot-wall',
      'cloudflare-challenge',
      'akamai-denied',
      'error',
      'empty',
      'reset',
    ] as const) {
      world.sandbox.shop.show(mode);
      const check = await world.check();
      expect(check.queue_detected, mode).toBe(false);
    }
    expect(posts()).toHaveLength(0);
    await openRoom();
    world.sandbox.shop.play(['bot-wall', 'bot-wall', 'error', 'open', 'bot-wall']);
    for (let look = 0; look < 5; look += 1) await world.check();
    expect(edits()).toHaveLength(0);
    world.sandbox.shop.show('open');
    await world.check();
    await eventually(() => expect(edits()).toHaveLength(1));
  });

  it.each(['imperva-room', 'imperva-page', 'queueit-room', 'cloudflare-room', 'cloudflare-json'] as const)(
    'opens at once for %s',
    async (mode) => {
      world.sandbox.shop.show(mode);
      await world.check();
      await eventually(() => expect(instant()).toHaveLength(1));
    },
  );

  it('waits for a second look when only words speak of a room', async () => {
    world.sandbox.shop.show('words-room');
    await world.check();
    expect(posts()).toHaveLength(0);
    const [recheck] = await eventually(async () => {
      const delayed = await world.queues.monitor.getDelayed();
      expect(delayed).toHaveLength(1);
      return delayed;
    });
    expect(recheck?.data).toEqual({ watchId: 'pokemon-center-uk', trigger: 'confirm' });
    expect(recheck?.delay).toBeGreaterThan(9 * SECOND);
    expect(recheck?.delay).toBeLessThanOrEqual(10 * SECOND);
    await recheck?.promote();
    await eventually(() => expect(instant()).toHaveLength(1));
  });

  it('drops a weak sign that the second look does not confirm', async () => {
    world.sandbox.shop.play(['words-room', 'open', 'words-room']);
    for (let look = 0; look < 3; look += 1) await world.check();
    expect(posts()).toHaveLength(0);
  });

  it('tells the admins when no instant webhook is set', async () => {
    await world.db.deleteFrom('webhooks').where('audience', '=', 'instant').execute();
    await world.setWebhook('admin');
    world.sandbox.shop.show('imperva-room');
    await world.check();
    await eventually(() => expect(world.sandbox.discord.messages('admin')).toHaveLength(1));
    expect(world.sandbox.discord.messages('admin')[0]?.embeds[0]?.title).toBe(
      'The waiting room opened, but no instant webhook is set',
    );
  });

  it('is sent by several requests for a check as one fetch', async () => {
    world.sandbox.shop.show('slow', { delayMs: 300 });
    const checks = await Promise.all(Array.from({ length: 20 }, () => world.check()));
    expect(new Set(checks.map((check) => check.id)).size).toBeLessThanOrEqual(2);
    expect(world.sandbox.shop.requests().length).toBeLessThanOrEqual(2);
  });
});
