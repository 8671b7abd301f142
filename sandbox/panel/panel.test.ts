import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const EVIL = '<img src=x onerror=alert(1)>"\'';
const panel = async () => (await fetch(sandbox.origin)).text();

async function post(body: object, path = '') {
  const response = await fetch(`${sandbox.webhookUrl('instant')}${path}?wait=true`, {
    method: path ? 'PATCH' : 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { id: string };
}

test('an empty panel shows every section and every switch', async () => {
  const page = await panel();
  for (const text of [
    'Packwatch sandbox',
    'The shop shows…',
    '#instant',
    '#free',
    '#admin',
    'Mail',
    'Scrappey',
  ]) {
    expect(page).toContain(text);
  }
  expect(page).toContain('value="imperva-room"');
  expect(page).toContain('action="/control/webhooks/1400000000000000101/faults"');
  expect(page).toContain('<a class="button" href="/">Refresh</a>');
});

test('an alert is rendered as in Discord, with its earlier versions', async () => {
  const { id } = await post({
    username: 'Packwatch',
    embeds: [
      {
        title: 'Open',
        url: 'https://shop.example/',
        color: 0x3ba55d,
        description: '**Go**',
        fields: [{ name: 'Since', value: 'now', inline: true }],
        footer: { text: 'alert 1' },
        timestamp: '2026-11-20T16:00:00.000Z',
      },
    ],
  });
  await post({ embeds: [{ title: 'Closed' }] }, `/messages/${id}`);
  const page = await panel();
  expect(page).toContain('(edited)');
  expect(page).toContain('<h4>Closed</h4>');
  expect(page).toContain('fill="#3ba55d"');
  expect(page).toContain('<h4><a href="https://shop.example/" rel="noreferrer noopener">Open</a></h4>');
  expect(page).toContain('<strong>Go</strong>');
});

test('received content is rendered as text, never as markup', async () => {
  await post({
    username: EVIL,
    content: EVIL,
    embeds: [
      {
        title: EVIL,
        description: EVIL,
        author: { name: EVIL },
        footer: { text: EVIL },
        fields: [{ name: EVIL, value: EVIL }],
      },
    ],
  });
  sandbox.discord.addWebhook(EVIL);
  await fetch(sandbox.shopUrl, { headers: { 'user-agent': EVIL } });
  const transport = createTransport(sandbox.smtpUrl);
  await transport.sendMail({
    from: 'a@packwatch.test',
    to: 'b@example.test',
    subject: EVIL,
    text: EVIL,
    html: EVIL,
  });
  transport.close();
  const page = await panel();
  expect(page).toContain('&lt;img src=x');
  expect(page).not.toContain('<img');
});

test('the content security policy allows only our own resources', async () => {
  const first = (await fetch(sandbox.origin)).headers.get('content-security-policy');
  const second = (await fetch(sandbox.origin)).headers.get('content-security-policy');
  expect(first).toContain("default-src 'none'");
  expect(first).toMatch(/script-src 'nonce-[^']+'/);
  expect(first).not.toBe(second);
});

test('the revision grows with each received message or mail, and only then', async () => {
  const revision = async () =>
    (await (await fetch(`${sandbox.origin}/control/revision`)).json()) as { revision: number };
  const before = await revision();
  expect(await revision()).toEqual(before);
  await post({ content: 'open' });
  expect((await revision()).revision).toBeGreaterThan(before.revision);
});
