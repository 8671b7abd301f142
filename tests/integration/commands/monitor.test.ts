import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE } from '#shared/clock';
import type { ToolResult } from '../../../daemon/cli/terminal';
import { startChild } from '../child-process';
import { createDaemonSuite, type TestContext, type DaemonSuite } from '../daemon-suite';
import { untilDelivery } from '../alerts/delivery-fixture';
import { storeCheck } from '../alerts/finished-check';
import { eventually } from '../monitor/monitor-fixture';

const USAGE = 'Use: npm run monitor -- COMMAND [--watch SLUG] [--json]';
let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

type Monitor = (...args: string[]) => Promise<ToolResult>;

/** Runs a test with `npm run monitor`. Fails when any output contains a webhook token. */
function atTerminal(test: (monitor: Monitor, context: TestContext) => Promise<void>): Promise<void> {
  return suite.run(async (context) => {
    const tokens = (['instant', 'free', 'admin'] as const).map(
      (audience) => context.fixture.sandbox.webhookUrl(audience).split('/').at(-1) ?? '',
    );
    const monitor: Monitor = async (...args) => {
      const answer = await context.runTool('monitor', ...args);
      for (const token of tokens) expect(answer.stdout + answer.stderr).not.toContain(token);
      return answer;
    };
    await test(monitor, context);
  }, []);
}

/** The JSON object in the last line of the output of `--json`. */
function lastObject({ stdout }: ToolResult): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
}

describe.concurrent('npm run monitor', { timeout: 2 * MINUTE }, () => {
  it('starts and stops, the second time without effect, and the scheduler follows at once', () =>
    atTerminal(async (monitor, { fixture }) => {
      const started = await monitor('start');
      expect(started).toEqual({ code: 0, stdout: 'Monitoring started.\n', stderr: '' });
      expect(await (await fixture.queues.open('monitor')).getJobSchedulersCount()).toBe(1);
      expect(lastObject(await monitor('start', '--json'))).toMatchObject({ success: true, changed: false });
      expect((await monitor('stop')).stdout).toBe('Monitoring stopped.\n');
      expect(await (await fixture.queues.open('monitor')).getJobSchedulersCount()).toBe(0);
      expect(lastObject(await monitor('stop', '--json'))).toEqual({
        success: true,
        changed: false,
        message: 'Monitoring is already stopped.',
        schedulerFollowed: true,
      });
    }));

  it('checks, and prints status and history as text and as JSON', () =>
    atTerminal(async (monitor, { fixture, startDaemon }) => {
      const refused = await monitor('check');
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'Failed to trigger check: the daemon is not running.\n',
      });
      await startDaemon();
      await fixture.setWebhook('instant');
      fixture.sandbox.shop.show('imperva-room');
      const checked = await monitor('check');
      expect(checked).toMatchObject({ code: 0, stderr: '' });
      expect(checked.stdout).toMatch(/^The waiting room is open: .* \(HTTP 200, \d+ ms\)\n$/);
      await untilDelivery(fixture, 'instant', 'sent');
      const object = lastObject(await monitor('check', '--json'));
      expect(object).toMatchObject({ success: true, check: { queue_detected: true } });
      expect(object.check).not.toHaveProperty('raw_response');

      const status = await monitor('status');
      expect(status.stdout).toMatch(/The shop shows +WAITING ROOM/);
      expect(status.stdout).toMatch(/Daemon +alive/);
      expect(status.stdout).toMatch(/instant by discord +sent/);
      expect(lastObject(await monitor('status', '--json'))).toMatchObject({
        success: true,
        queueActive: true,
        state: 'waiting_room',
        daemon: { online: true },
      });

      await fixture.db.updateTable('watches').set({ time_zone: 'Europe/Berlin' }).execute();
      expect((await monitor('status')).stdout).toMatch(
        /Hours +all day \(Europe\/Berlin\)|Hours +\S+ to \S+ \(Europe\/Berlin\)/,
      );
      expect((await monitor('settings')).stdout).toMatch(/Watching .+ \(Europe\/Berlin\)\./);

      const history = await monitor('history', '--hours', '1');
      expect(history.stdout).toContain('WAITING ROOM');
      expect(history.stdout).toMatch(/Alert of .*: open/);
      const listed = lastObject(await monitor('history', '--json'));
      expect(listed.history).toHaveLength(2);
      expect(listed.alerts).toHaveLength(1);
    }));

  it('prints external text without control sequences', () =>
    atTerminal(async (monitor, { fixture }) => {
      const hostile = 'a\u001b]0;owned\u0007b\u009b2Jc\u202ed\u0000e\nf';
      const judgement = {
        verdict: 'unknown',
        strength: null,
        unknownReason: 'error',
        reason: hostile,
        signs: [{ id: 'words', pointsTo: 'nothing', weight: 0, evidence: hostile }],
      } as const;
      await storeCheck(fixture.db, fixture.clock, {
        judgement: { ...judgement, signs: [...judgement.signs] },
        errorMessage: hostile,
      });
      const page = join(fixture.folder, 'page.html');
      writeFileSync(page, `<title>${hostile}</title><h1>You are now in line ${hostile}</h1>`);
      const commands = [['status'], ['history'], ['history', '--json'], ['judge', '--file', page]];
      const answers: ToolResult[] = [];
      for (const command of commands) {
        const answer = await monitor(...command);
        answers.push(answer);
        // No daemon runs, which `status` reports.
        expect([answer.code, answer.stderr]).toEqual([command[0] === 'status' ? 1 : 0, '']);
        const obeyed = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
        expect(answer.stdout).not.toMatch(obeyed);
      }
      const [status, history, object] = answers;
      for (const answer of [status, history])
        expect(answer?.stdout).toContain('a\\u001b]0;owned\\u0007b\\u009b2Jc\\u202ede f');
      if (object === undefined) throw new Error('history --json was not run');
      const [check] = z.array(z.object({ error_message: z.string() })).parse(lastObject(object).history);
      // U+0000 cannot be stored.
      expect(check?.error_message).toBe(hostile.replace('\0', ''));
    }));

  it('sets, tests, lists and deletes a webhook', () =>
    atTerminal(async (monitor, { fixture }) => {
      const url = fixture.sandbox.webhookUrl('free');
      expect((await monitor('webhook', 'test')).stderr).toBe('No webhook is set for the instant audience.\n');
      const set = await monitor('webhook', 'set', url, '--audience', 'free');
      expect(set).toEqual({ code: 0, stdout: 'Webhook URL updated successfully!\n', stderr: '' });
      expect(fixture.sandbox.discord.messages()).toEqual([]);
      expect((await monitor('webhook', 'test', '--audience', 'free')).stdout).toBe(
        'Test alert sent successfully!\nIt went to the channel of the free webhook.\n',
      );
      expect(fixture.sandbox.discord.messages('free').map((message) => message.embeds[0]?.title)).toEqual([
        'Packwatch: test alert',
      ]);
      expect((await monitor('webhook', 'list')).stdout).toMatch(
        /free +http:\/\/127\.0\.0\.1:\d+\/api\/webhooks\/1400…\/••••/,
      );
      const shown = lastObject(await monitor('webhook', '--json'));
      expect(shown.webhooks).toMatchObject([
        { audience: 'instant', webhook: null },
        { audience: 'free' },
        { audience: 'admin', webhook: null },
      ]);
      expect(lastObject(await monitor('webhook', 'delete', '--audience', 'free', '--json'))).toEqual({
        success: true,
        audience: 'free',
        message: 'Webhook removed.',
      });
      expect((await monitor('webhook')).stdout).toMatch(/free +not set/);
    }));

  it('refuses a webhook unknown to Discord, one on another host, and an invalid address', () =>
    atTerminal(async (monitor, { fixture }) => {
      const known = fixture.sandbox.webhookUrl('instant');
      const unknown = known.replace(/webhooks\/\d+/, 'webhooks/1499999999999999999');
      const answers = await Promise.all([
        monitor('webhook', 'set', unknown),
        monitor('webhook', 'set', 'https://hooks.example/api/webhooks/1/abc'),
        monitor('webhook', 'set', 'nonsense'),
      ]);
      expect(answers.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
        [1, 2, 2].map((code) => ({ code, stdout: '' })),
      );
      expect(answers[0]?.stderr).toBe(
        'Discord does not know this webhook. Was it deleted? Copy the URL again in Discord.\n',
      );
      const wrong = 'This is not a Discord webhook URL. ';
      expect(answers[1]?.stderr).toContain(`Cannot use https://hooks.example/… as the URL: ${wrong}`);
      expect(answers[2]?.stderr).toContain(`Cannot use nonsense as the URL: ${wrong}`);
      expect(await fixture.db.selectFrom('webhooks').select('audience').execute()).toEqual([]);
    }));

  it('sets the webhook of a thread, and says what Discord answers to a test', () =>
    atTerminal(async (monitor, { fixture }) => {
      const url = fixture.sandbox.webhookUrl('instant');
      const refused = await monitor('webhook', 'set', `${url}?wait=true`);
      expect(refused).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/Only "\?thread_id="/),
      });
      await monitor('webhook', 'set', `${url}?thread_id=140000000000000201`);
      expect((await monitor('webhook', 'list')).stdout).toContain('?thread_id=140000000000000201');
      const tested = await monitor('webhook', 'test');
      expect(tested.code).toBe(1);
      expect(tested.stderr).toMatch(
        /^Failed to send test alert: Discord answered 404 \(code 10003\): Unknown Channel\. The thread of this webhook was deleted/,
      );
    }));

  it('shows and changes settings', () =>
    atTerminal(async (monitor) => {
      expect((await monitor('settings', 'set', 'check_interval_seconds', '30')).stdout).toBe(
        'check_interval_seconds is now 30.\n',
      );
      expect((await monitor('settings', 'set', 'check_interval_seconds', '30')).stdout).toBe(
        'Nothing was changed.\n',
      );
      expect((await monitor('settings')).stdout).toMatch(/check_interval_seconds +30\n/);
      const object = lastObject(await monitor('settings', '--json'));
      expect(object).toMatchObject({ success: true, broken: [] });
      expect(object.settings).toContainEqual({ setting_key: 'monitoring_hours', setting_value: '0-24' });
      const refused = await monitor('settings', 'set', 'check_interval_seconds', '5');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(
        /^Cannot use 5 as check_interval_seconds: The interval is a whole number of seconds from 15 to 3600\.\n/,
      );
      expect((await monitor('settings', 'set', 'colour', 'red')).stderr).toMatch(
        /^There is no monitor setting called colour\./,
      );
    }));

  it('applies to the watch that --watch names, and to no other', () =>
    atTerminal(async (monitor, { fixture }) => {
      await fixture.db
        .insertInto('watches')
        .values({
          id: 'other',
          slug: 'other-shop',
          shop: 'Other Shop',
          title: 'Other Shop',
          time_zone: 'UTC',
          hours: '9-21',
          interval_seconds: 60,
        })
        .execute();
      const there = ['--watch', 'other-shop'];
      expect((await monitor('settings', 'set', 'check_interval_seconds', '30', ...there)).code).toBe(0);
      expect((await monitor('start', ...there)).stdout).toBe('Monitoring started.\n');
      expect((await (await fixture.queues.open('monitor')).getJobSchedulers()).map(({ key }) => key)).toEqual(
        ['check-other'],
      );
      expect(
        await fixture.db
          .selectFrom('watches')
          .select(['id', 'running', 'interval_seconds'])
          .orderBy('id')
          .execute(),
      ).toEqual([
        { id: 'other', running: 1, interval_seconds: 30 },
        { id: DEFAULT_WATCH_ID, running: 0, interval_seconds: 60 },
      ]);
      expect(lastObject(await monitor('status', '--json', ...there))).toMatchObject({
        scheduler: { running: true, intervalSeconds: 30 },
      });
      const answer = await monitor('status', '--watch', 'nowhere', '--json');
      expect(answer.code).toBe(1);
      expect(lastObject(answer)).toEqual({
        success: false,
        code: 'unknown_watch',
        message: 'There is no watch called nowhere. Known are other-shop, pokemon-center-uk.',
      });
    }));

  it('adds, lists, changes and removes a watch, and refuses an address of our own network', () =>
    atTerminal(async (monitor, { fixture }) => {
      const { shopUrl } = fixture.sandbox;
      const names = ['--shop', 'Card Shop', '--title', 'Elite Trainer Boxes'];
      const refused = await monitor('watch', 'add', ...names, '--url', 'http://169.254.169.254/', '--json');
      expect(refused.code).toBe(1);
      expect(lastObject(refused)).toMatchObject({ success: false, code: 'address_not_public' });
      expect((await monitor('watch', 'add', ...names, '--url', shopUrl, '--interval', '5')).stderr).toMatch(
        /^Cannot use 5 as --interval: The interval is a whole number of seconds from 15 to 3600\.\n/,
      );
      expect(await monitor('watch', 'add', ...names, '--url', shopUrl, '--time-zone', 'Asia/Tokyo')).toEqual({
        code: 0,
        stdout:
          'Watch added. It is stopped; start it to begin its checks.\nStart it with "npm run monitor -- start --watch elite-trainer-boxes".\n',
        stderr: '',
      });
      const set = await monitor('watch', 'set', 'elite-trainer-boxes', '--interval', '30', '--hours', '0-24');
      expect(set).toEqual({ code: 0, stdout: 'Watch saved.\n', stderr: '' });
      const list = (await monitor('watch')).stdout;
      expect(list).toMatch(/^elite-trainer-boxes +stopped +0-24 Asia\/Tokyo +unknown +never +http/m);
      expect(list).toMatch(/^pokemon-center-uk /m);
      expect(lastObject(await monitor('watch', 'list', '--json')).watches).toMatchObject([
        { slug: 'elite-trainer-boxes', intervalSeconds: 30, url: shopUrl },
        { slug: DEFAULT_WATCH_ID },
      ]);
      expect((await monitor('watch', 'remove', 'elite-trainer-boxes')).stdout).toBe(
        'Elite Trainer Boxes is deleted.\nThe messages of an open alert are edited.\n',
      );
      expect(await monitor('watch', 'remove', DEFAULT_WATCH_ID)).toMatchObject({
        code: 1,
        stderr: 'Pokemon Center UK cannot be deleted. Stop it instead.\n',
      });
    }));

  it.each([
    [['constructor'], 'There is no command constructor.'],
    [['watch', 'set'], 'watch set SLUG'],
    [['status', '--loud'], "Unknown option '--loud'"],
    [['history', '--hours', '1000'], '--hours is a whole number from 1 to 720.'],
    [['webhook', 'set'], 'Use: npm run monitor -- webhook set URL'],
    [['judge', '--status', '200'], '--status, --url, --requested and --headers go with --file.'],
  ] as const)('answers %j with how it goes, and exit code 2', (args, sentence) =>
    atTerminal(async (monitor) => {
      const answer = await monitor(...args);
      expect(answer).toMatchObject({ code: 2, stdout: '' });
      expect(answer.stderr).toContain(sentence);
    }),
  );

  it('prints its usage without arguments, with --help, and after an unknown command', () =>
    atTerminal(async (monitor) => {
      for (const args of [[], ['--help']])
        expect(await monitor(...args)).toMatchObject({
          code: 0,
          stderr: '',
          stdout: expect.stringContaining(USAGE) as string,
        });
      expect((await monitor('dance')).stderr).toContain(USAGE);
    }));
});

describe.concurrent('npm run monitor -- judge', { timeout: 2 * MINUTE }, () => {
  it('judges a saved page with its headers, as JSON or raw, without Redis, daemon or database', () =>
    suite.run(async ({ fixture, runTool }) => {
      const page = await (await fetch(fixture.sandbox.shopUrl)).text();
      fixture.sandbox.shop.show('imperva-room');
      const room = await (await fetch(fixture.sandbox.shopUrl)).text();
      const path = (name: string, content: string): string => {
        const file = join(fixture.folder, name);
        writeFileSync(file, content);
        return file;
      };
      const files = { shop: path('shop.html', page), room: path('room.html', room) };
      const json = path(
        'headers.json',
        JSON.stringify({ 'CF-Mitigated': 'challenge', 'content-type': 'text/html' }),
      );
      const raw = path(
        'headers.txt',
        'HTTP/1.1 403 Forbidden\r\ncf-mitigated: challenge\r\ncontent-type: text/html\r\n',
      );
      const nowhere = {
        DATA_DIR: join(fixture.folder, 'nothing-here'),
        REDIS_URL: `unix://${fixture.folder}/nowhere.sock`,
      };
      Object.assign(fixture.environment, nowhere);

      const seen = await runTool('monitor', 'judge', '--file', files.room);
      expect(seen).toMatchObject({ code: 0, stderr: '' });
      expect(seen.stdout).toMatch(/^Verdict: waiting_room \(strong\)\nReason: {2}/);
      expect(lastObject(await runTool('monitor', 'judge', '--file', files.shop, '--json'))).toMatchObject({
        success: true,
        verdict: 'open',
        status: 200,
      });
      for (const [headers, status] of [
        [json, 503],
        [raw, 403],
      ] as const) {
        const args = [
          'judge',
          '--file',
          path(`empty-${status}.html`, '<p>Just a moment...</p>'),
          '--headers',
          headers,
          '--json',
        ];
        const answer = await runTool('monitor', ...args, ...(headers === json ? ['--status', '503'] : []));
        expect(lastObject(answer)).toMatchObject({ verdict: 'unknown', unknownReason: 'challenge', status });
      }
      const url = 'https://shop.example/page';
      expect(
        lastObject(await runTool('monitor', 'judge', '--file', files.shop, '--url', url, '--json')),
      ).toMatchObject({ url });
    }));

  it('judges a saved product page: its fields, headers, address and size', () =>
    suite.run(async ({ fixture, runTool }) => {
      const path = (name: string, content: string | Buffer): string => {
        const file = join(fixture.folder, name);
        writeFileSync(file, content);
        return file;
      };
      const judge = async (...args: string[]): Promise<ToolResult> =>
        runTool('monitor', 'judge', '--kind', 'product', '--file', ...args);
      const product = (more: string): string =>
        `<title>Fox Tin</title><body><main><h1>Fox Tin</h1><p>¥5,400</p><button>Add to basket</button>${more}</main>`;
      const variants = [
        { id: 7, title: 'Red', option1: 'Red', available: true, price: 999, compare_at_price: null },
        { id: 8, title: 'Blue', option1: 'Blue', available: false, price: 999, compare_at_price: null },
      ];
      const tin = path(
        'tin.html',
        product(`<script type="application/json">${JSON.stringify(variants)}</script>`),
      );

      const whole = await judge(tin, '--url', 'https://shop.example/tin?variant=8', '--json');
      expect(whole).toMatchObject({ code: 0, stderr: '' });
      const fields =
        'availability unknownReason detail strength price title gtin variants seller reason signs';
      expect(Object.keys(lastObject(whole)).sort()).toEqual(fields.split(' ').sort());
      expect(lastObject(whole)).toMatchObject({
        availability: 'out_of_stock',
        title: 'Fox Tin',
        variants: [
          { key: '7', name: 'Red', availability: 'in_stock', price: { amount: 999, currency: 'GBP' } },
          { key: '8', name: 'Blue', availability: 'out_of_stock' },
        ],
      });
      expect(Object.keys((lastObject(whole)['variants'] as object[])[0] ?? {}).sort()).toEqual([
        'availability',
        'key',
        'name',
        'price',
      ]);

      const yen = await judge(path('yen.html', product('')));
      expect(yen.stdout).toMatch(/^Availability: in_stock .*\n.*\nProduct: {6}Fox Tin\nPrice: {8}JP¥5,400\n/);

      // A page larger than a check reads is judged by what a check reads of it.
      const huge = path('huge.html', Buffer.alloc(12 * 1024 * 1024, product('').padEnd(4096, ' ')));
      expect(lastObject(await judge(huge, '--json'))).toMatchObject({ title: 'Fox Tin' });

      const headers = path('headers.txt', 'HTTP/1.1 403 Forbidden\r\ncf-mitigated: challenge\r\n');
      const wall = path('wall.html', '<title>Just a moment...</title>');
      expect(lastObject(await judge(wall, '--headers', headers, '--json'))).toMatchObject({
        availability: 'unknown',
        unknownReason: 'challenge',
        price: null,
        title: null,
        variants: [],
        signs: [],
      });
      expect(lastObject(await judge(tin, '--status', '503', '--json'))).toMatchObject({
        availability: 'in_stock',
      });
      for (const [args, sentence] of [
        [[join(fixture.folder, 'nowhere.html')], 'the file cannot be read.'],
        [[fixture.folder], 'the file cannot be read.'],
        [[tin, '--url', 'tin'], '--url must be a complete URL'],
        [[tin, '--url', 'ftp://shop.example/tin'], '--url must be a complete URL'],
        [[tin, '--kind', 'news'], '--kind is given twice.'],
      ] as const) {
        const refused = await judge(...args);
        expect(refused).toMatchObject({ code: 2, stdout: '' });
        expect(refused.stderr).toContain(sentence);
      }
    }));

  it('fetches the configured page once, and neither records nor alerts', () =>
    suite.run(async ({ fixture, runTool }) => {
      fixture.sandbox.shop.show('imperva-room');
      const answer = lastObject(await runTool('monitor', 'judge', '--json'));
      expect(answer).toMatchObject({
        success: true,
        verdict: 'waiting_room',
        strength: 'strong',
        scrappeyStatus: 'disabled',
      });
      expect(fixture.sandbox.shop.requests()).toHaveLength(1);
      expect(await fixture.db.selectFrom('monitor_checks').select('id').execute()).toEqual([]);
      expect(fixture.sandbox.discord.requests()).toEqual([]);
    }));

  it('prints a fetch error without the Scrappey key', () =>
    suite.run(
      async ({ fixture, runTool }) => {
        fixture.sandbox.scrappey.setFaults([{ kind: 'status', status: 401 }]);
        const answer = await runTool('monitor', 'judge');
        expect(answer.stdout).toMatch(/^Verdict: unknown/);
        expect(answer.stdout).toContain('Fault:   Scrappey refused the API key (status 401).');
        expect(answer.stdout + answer.stderr).not.toContain(fixture.sandbox.scrappeyKey);
      },
      [],
      (sandbox) => ({ SCRAPPEY_API_KEY: sandbox.scrappeyKey, SCRAPPEY_API_URL: sandbox.scrappeyUrl }),
    ));
});

describe('every invalid environment variable', () => {
  it('is reported by the daemon, which does not start', () =>
    suite.run(async ({ program }) => {
      const child = startChild([program], { PORT: 'eighty', LOG_LEVEL: 'loud' });
      expect((await child.ended).code).toBe(1);
      await eventually(() => {
        expect(child.stderr()).toContain('PORT must be a port number');
        expect(child.stderr()).toContain('LOG_LEVEL must be');
      });
    }));
});
