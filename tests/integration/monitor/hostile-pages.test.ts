import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJudge } from '../../../daemon/checks/judge';
import { bundlePrograms } from '../bundled-programs';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';

const PROGRAM = 'daemon/checks/judge-thread.ts';
const SPACES = `1;${' '.repeat(5_000)}'''`;

/** Bytes that once stopped the daemon, or permanently its judging thread. */
const PAGES = {
  'spaces-in-a-refresh-element': `\r\n\r\n<meta http-equiv="refresh" content="${SPACES}">`,
  'spaces-in-a-refresh-header': `\r\nRefresh: ${SPACES}\r\n\r\n<p>x`,
  'an-escape-that-is-none': '\r\n\r\n<script>location.href="https%3a%2f%2fshop.example%2f100%"</script>',
  'the-same-on-a-large-page': `\r\n\r\n<script>location.href="https%3a%2f%2fshop.example%2f100%"</script>${'<p>y'.repeat(10_000)}`,
  'many-lines-of-a-comment': `\r\n\r\n<div class="comment">${'a<br>'.repeat(130_000)}</div>`,
  'headers-named-as-in-javascript': `\r\nconstructor: y\r\n__proto__: z\r\n\r\n${'<p>y'.repeat(10_000)}`,
};

let fixture: MonitorFixture;
let shop: Server;
beforeAll(async () => {
  shop = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const name = /^GET \/(\S+)/.exec(request.toString())?.[1] as keyof typeof PAGES;
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close${PAGES[name]}`);
    });
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  fixture = await createMonitorFixture({ webhooks: ['instant'] });
});
afterAll(async () => {
  await fixture.cleanup();
  shop.close();
});

it('hostile pages are unknown, at every check, while another watch is checked and alerts', async () => {
  const { port } = shop.address() as { port: number };
  const names = Object.keys(PAGES);
  await fixture.db
    .insertInto('watches')
    .values(
      names.map((name) => ({
        id: name,
        slug: name,
        shop: name,
        title: name,
        url: `http://127.0.0.1:${port}/${name}`,
        time_zone: 'Europe/London',
        hours: '0-24',
        interval_seconds: 15,
      })),
    )
    .execute();
  const programs = await bundlePrograms([PROGRAM]);
  const judge = createJudge({
    program: pathToFileURL(programs.fileOf(PROGRAM)),
    logger: pino({ level: 'silent' }),
  });
  await fixture.startDaemon({ judge });
  fixture.sandbox.shop.show('imperva-room');
  // The second round finds a queue that still works.
  for (let round = 0; round < 2; round += 1) {
    const hostile = Promise.all(names.map((name) => fixture.check(name)));
    expect(await fixture.check()).toMatchObject({ queue_detected: true });
    for (const { content_analysis: analysis } of await hostile)
      expect(analysis).toMatchObject({
        verdict: 'unknown',
        reason: expect.not.stringContaining('could not be judged') as string,
      });
  }
  await eventually(() => expect(fixture.sandbox.discord.messages('instant')).toHaveLength(1));
}, 60_000);
