import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderTestMessage } from '#shared/alerts/render-discord-message';
import { createDiscordWebhooks, type DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { parseWebhookAddress, type WebhookAddress } from '#shared/channels/discord/webhook-address';
import { SECOND } from '#shared/clock';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { startFakeWebhookServer } from './fake-webhook-server';

const THREAD = '140000000000000201';
const message = renderTestMessage({
  audience: 'instant',
  watch: { shop: 'Shop', title: 'Waiting room' },
  appUrl: 'https://packwatch.test',
  now: '2027-01-15T12:00:00.000Z',
});

let sandbox: Sandbox;
let discord: DiscordWebhooks;
let time = 0;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.reset();
  time = 1_800_000_000_000;
  discord = create();
});
afterEach(() => discord.close());

const create = (answerWithinMs?: number) =>
  createDiscordWebhooks({
    appUrl: 'https://packwatch.test',
    now: () => time,
    ...(answerWithinMs === undefined ? {} : { answerWithinMs }),
  });

function addressOf(audience: 'instant' | 'free', thread = ''): WebhookAddress {
  const address = parseWebhookAddress(sandbox.webhookUrl(audience) + thread, [sandbox.webhookHost]);
  if (address === null) throw new Error('the sandbox has another address');
  return address;
}

const paths = () =>
  sandbox.discord.requests('instant').map(({ method, path }) => [method, path.split('?')[1]]);

describe('a webhook of a thread', () => {
  it('posts into it and edits there, and is verified without it', async () => {
    sandbox.discord.setChannel('instant', { threads: [{ id: THREAD }] });
    const address = addressOf('instant', `?thread_id=${THREAD}`);
    expect(await discord.verify(address)).toMatchObject({ kind: 'ok' });
    const posted = await discord.post(address, message);
    if (posted.kind !== 'ok') throw new Error(posted.reason);
    expect(posted).not.toHaveProperty('newThreadId');
    expect(await discord.edit(address, posted.messageId ?? '', message)).toMatchObject({ kind: 'ok' });
    expect(sandbox.discord.messages('instant')[0]).toMatchObject({ channelId: THREAD });
    expect(paths()).toEqual([
      ['GET', undefined],
      ['POST', `wait=true&thread_id=${THREAD}`],
      ['PATCH', `thread_id=${THREAD}`],
    ]);
  });

  it.each([
    [
      'was deleted',
      [],
      404,
      /\(code 10003\): Unknown Channel\. The thread of this webhook was deleted/,
      'webhook',
    ],
    ['is locked', [{ id: THREAD, state: 'locked' }], 400, /Thread is locked\. Open the thread again/, null],
  ] as const)('says so when the thread %s', async (_name, threads, status, reason, gone) => {
    sandbox.discord.setChannel('instant', { threads: [...threads] });
    const answer = await discord.post(addressOf('instant', `?thread_id=${THREAD}`), message);
    const how = gone === null ? { kind: 'rejected' } : { kind: 'gone', what: gone };
    expect(answer).toMatchObject({ ...how, status, reason: expect.stringMatching(reason) });
  });

  it('whose thread is archived is not taken for a deleted webhook when a message cannot be edited', async () => {
    sandbox.discord.setChannel('instant', { threads: [{ id: THREAD }] });
    const address = addressOf('instant', `?thread_id=${THREAD}`);
    const posted = await discord.post(address, message);
    const id = posted.kind === 'ok' ? (posted.messageId ?? '') : '';
    sandbox.discord.setChannel('instant', { threads: [{ id: THREAD, state: 'archived' }] });
    expect(await discord.edit(address, id, message)).toMatchObject({ kind: 'rejected' });
    sandbox.discord.setChannel('instant', {});
    expect(await discord.edit(address, id, message)).toMatchObject({ kind: 'gone', what: 'message' });
  });
});

describe('a webhook of a forum', () => {
  it('makes a thread for each message, and asks only once whether it must', async () => {
    sandbox.discord.setChannel('instant', { type: 'forum' });
    const answers = [
      await discord.post(addressOf('instant'), message),
      await discord.post(addressOf('instant'), message),
    ];
    const threads = sandbox.discord.threads('instant');
    expect(threads.map(({ name }) => name)).toEqual(['Packwatch: test alert', 'Packwatch: test alert']);
    expect(answers).toMatchObject(threads.map(({ id }) => ({ kind: 'ok', newThreadId: id })));
    expect(paths()).toHaveLength(3);

    // The webhook is moved to an ordinary channel.
    sandbox.discord.setChannel('instant', {});
    const moved = await discord.post(addressOf('instant'), message);
    expect(moved).toMatchObject({ kind: 'ok' });
    expect(moved).not.toHaveProperty('newThreadId');
  });

  it('that requires a tag says what to do', async () => {
    sandbox.discord.setChannel('instant', { type: 'forum', tagRequired: true });
    expect(await discord.post(addressOf('instant'), message)).toMatchObject({
      kind: 'rejected',
      reason:
        'Discord answered 400 (code 40067): A tag is required to create a forum post in this channel. Add "?thread_id=" and the id of a thread of this channel to the webhook URL',
    });
  });
});

describe('a block of this machine by Discord’s edge', () => {
  it.each([
    { kind: 'ban', persistent: true },
    { kind: 'ban', as: 'json', persistent: true },
    { kind: 'ban', as: 'json', retryAfter: 0, persistent: true },
  ] as const)('pauses all webhooks of the host for longer each time, after %j', async (fault) => {
    sandbox.discord.setFaults('instant', [{ ...fault, on: ['GET', 'POST'] }]);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const answer = await discord.post(addressOf('instant'), message);
      if (answer.kind !== 'retry' || answer.limited !== 'receiver') throw new Error(answer.kind);
      expect(await discord.post(addressOf('free'), message)).toMatchObject({
        kind: 'retry',
        limited: 'receiver',
      });
      waits.push((answer.waitMs ?? 0) / SECOND);
      time += SECOND;
    }
    // 0, 5, 20, 65 and 185 s; then every two minutes.
    expect(sandbox.discord.requests('instant').length).toBe(5);
    expect(sandbox.discord.requests('free')).toEqual([]);
    expect(waits.slice(0, 7)).toEqual([5, 4, 3, 2, 1, 15, 14]);

    sandbox.discord.setFaults('instant', []);
    time += 120 * SECOND;
    expect(await discord.post(addressOf('free'), message)).toMatchObject({ kind: 'ok' });
    expect(await discord.post(addressOf('instant'), message)).toMatchObject({ kind: 'ok' });
  });

  it('by a page with status 403 is not taken for a deleted webhook', async () => {
    const edge = await startFakeWebhookServer((response) =>
      response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Error 1020: Access denied</h1>'),
    );
    try {
      const address = parseWebhookAddress(edge.webhookUrl, [edge.host]) as WebhookAddress;
      const answer = await discord.post(address, message);
      expect(answer).toMatchObject({ kind: 'retry', limited: 'receiver', status: 403, waitMs: 5 * SECOND });
      await discord.post(address, message);
      expect(edge.requests).toHaveLength(1);
    } finally {
      await edge.close();
    }
  });
});

describe('a message that Discord answers late', () => {
  it('is not uncertain when the answer comes before the time-out', async () => {
    sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 200 }]);
    const answer = await discord.post(addressOf('instant'), message);
    expect(answer).toMatchObject({ kind: 'ok', messageId: sandbox.discord.messages('instant')[0]?.id });
  });

  it('is uncertain after the time-out, and an edit is not', async () => {
    // Long enough for the message to arrive on a busy machine.
    const impatient = create(SECOND);
    try {
      sandbox.discord.setFaults('instant', [{ kind: 'hang', accept: true, count: 2 }]);
      expect(await impatient.post(addressOf('instant'), message)).toEqual({
        kind: 'retry',
        status: null,
        uncertain: true,
        reason: 'no answer within 1 s',
      });
      const id = sandbox.discord.messages('instant')[0]?.id ?? '';
      expect(await impatient.edit(addressOf('instant'), id, message)).toMatchObject({ uncertain: false });
    } finally {
      await impatient.close();
    }
  });

  it('is uncertain after a gateway’s time-out', async () => {
    sandbox.discord.setFaults('instant', [
      { kind: 'status', status: 504 },
      { kind: 'status', status: 520 },
      { kind: 'status', status: 502 },
    ]);
    const answers = [
      await discord.post(addressOf('instant'), message),
      await discord.post(addressOf('instant'), message),
      await discord.post(addressOf('instant'), message),
    ];
    expect(answers).toMatchObject([
      { kind: 'retry', status: 504, uncertain: true },
      { kind: 'retry', status: 520, uncertain: true },
      { kind: 'retry', status: 502, uncertain: false },
    ]);
  });

  it.each([
    [200, { kind: 'ok', status: 200, messageId: null }],
    [503, { kind: 'retry', status: 503, uncertain: false }],
    [404, { kind: 'retry', status: 404, uncertain: false }],
  ] as const)(
    'is not uncertain after status %i, although the rest of the answer is lost',
    async (status, expected) => {
      const breaking = await startFakeWebhookServer((response, count) => {
        response.writeHead(status, { 'content-length': 1_000 }).write('{"id":"12');
        if (count === 1) setImmediate(() => response.destroy());
      });
      const impatient = create(SECOND);
      try {
        const address = parseWebhookAddress(breaking.webhookUrl, [breaking.host]) as WebhookAddress;
        expect(await impatient.post(address, message)).toMatchObject(expected);
        // The second answer stops.
        expect(await impatient.post(address, message)).toMatchObject(expected);
      } finally {
        await impatient.close();
        await breaking.close();
      }
    },
  );
});
