import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { listRetailers } from '#shared/settings/read-settings';
import { serverContext } from '~/http/server/context.server';
import * as siteSettings from '~/routes/admin/site-settings';
import * as watchPage from '~/routes/admin/monitor/watch';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite, type RenderedPage } from '../rendered-site';

const SETTINGS = '/dashboard/site-settings';
const WATCH = `/dashboard/monitor/${DEFAULT_WATCH_ID}`;
const site = createRenderedSite({ [SETTINGS]: siteSettings, '/dashboard/monitor/:slug': watchPage });

let fixture: ApiFixture;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
afterEach(() => fixture.cleanup());

/** The refusals that a form of the page brings back: of the form with `value` as its intent. */
function hiddenFieldOf({ html }: RenderedPage, value: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.includes(`value="${value}"`)) ?? '';
  const [, otherRefusals] = /name="otherRefusals" value="([^"]+)"/.exec(form) ?? [];
  return otherRefusals === undefined ? {} : { otherRefusals };
}

/** The words of the page: these routes are rendered without the frame whose main part `text` is. */
const wordsOf = ({ html }: RenderedPage) =>
  html.replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

const valueOf = ({ html }: RenderedPage, id: string) =>
  (new RegExp(`<input[^>]* id="${id}"[^>]*>`).exec(html) ?? [''])[0].match(/ value="([^"]*)"/)?.[1] ?? '';

/** Sends a form without scripts, and follows its redirect. */
async function send(path: string, fields: Record<string, string>): Promise<RenderedPage> {
  const answer = await site.post(path, token, fields);
  if (answer.leadsTo === null) return answer;
  return site.get(answer.leadsTo, token, { Cookie: answer.cookies });
}

it('a change that may be saved is not said to have failed', async () => {
  const { db, log } = serverContext();
  const [warned, failed] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')];
  const unknown = Object.assign(new Error('unknown'), { code: 'POSTGRES_COMMIT_UNKNOWN' });
  const transaction = vi
    .spyOn(db, 'transaction')
    .mockReturnValue({ execute: () => Promise.reject(unknown) } as never);
  const page = await send(SETTINGS, { intent: 'add-retailer', retailer: 'Argos' });
  transaction.mockRestore();
  expect(page.status).toBe(503);
  expect(wordsOf(page)).toContain('cannot tell whether your change was saved');
  expect(valueOf(page, 'retailer')).toBe('Argos');
  expect([warned.mock.lastCall?.[1], failed.mock.calls]).toEqual(['a form failed', []]);
});

it('a form’s refusal stays while other forms of the page are sent', async () => {
  for (const retailer of ['Smyths', 'Argos']) await send(SETTINGS, { intent: 'add-retailer', retailer });
  const refused = await send(SETTINGS, { intent: 'add-retailer', retailer: 'ARGOS' });
  expect(wordsOf(refused)).toContain('This retailer is already listed.');
  expect(valueOf(refused, 'retailer')).toBe('ARGOS');
  // The form itself replaces its refusal.
  expect(hiddenFieldOf(refused, 'add-retailer')).toEqual({});

  const moved = await send(SETTINGS, {
    intent: 'retailer-up',
    retailer: 'Argos',
    ...hiddenFieldOf(refused, 'retailer-up'),
  });
  expect(wordsOf(moved)).toContain('Argos moved up.');
  expect(wordsOf(moved)).toContain('This retailer is already listed.');
  expect(valueOf(moved, 'retailer')).toBe('ARGOS');

  // A refusal of a third form, then a success: both refusals stay.
  const twice = await send(SETTINGS, {
    intent: 'discord-invite',
    value: 'https://example.com/',
    ...hiddenFieldOf(moved, 'discord-invite'),
  });
  expect(wordsOf(twice)).toContain('This retailer is already listed.');
  expect(wordsOf(twice)).toContain('Please enter a Discord invite');
  const removed = await send(SETTINGS, {
    intent: 'remove-retailer',
    retailer: 'Smyths',
    ...hiddenFieldOf(twice, 'remove-retailer'),
  });
  expect(wordsOf(removed)).toContain('Retailer removed.');
  expect(wordsOf(removed)).toContain('Undo the removal of Smyths');
  expect(wordsOf(removed)).toContain('Please enter a Discord invite');
  expect(valueOf(removed, 'discord-invite')).toBe('https://example.com/');
  expect(valueOf(removed, 'retailer')).toBe('ARGOS');
  const back = await send(SETTINGS, {
    intent: 'restore-retailer',
    retailer: 'Smyths',
    at: '1',
    ...hiddenFieldOf(removed, 'restore-retailer'),
  });
  expect(await listRetailers(fixture.db)).toEqual(['Argos', 'Smyths']);
  expect(valueOf(back, 'retailer')).toBe('ARGOS');

  // Sent again with success, it is settled; the others stay.
  const added = await send(SETTINGS, {
    intent: 'add-retailer',
    retailer: 'Zavvi',
    ...hiddenFieldOf(back, 'add-retailer'),
  });
  expect(wordsOf(added)).not.toContain('This retailer is already listed.');
  expect(wordsOf(added)).toContain('Please enter a Discord invite');
  // Opening the page again clears the refusals.
  expect(wordsOf(await site.get(SETTINGS, token))).not.toContain('Please enter a Discord invite');
});

it('panels that share an intent each keep their own refusal', async () => {
  const refused = await send(WATCH, { intent: 'set-webhook', audience: 'free', webhook_url: 'no address' });
  expect(wordsOf(refused)).toContain('This is not a Discord webhook URL.');
  expect(hiddenFieldOf(refused, 'start')).not.toEqual({});
  const started = await send(WATCH, { intent: 'start', ...hiddenFieldOf(refused, 'start') });
  expect(wordsOf(started)).toContain('Monitoring started.');
  expect(wordsOf(started)).toContain('This is not a Discord webhook URL.');
  expect(started.html).toContain('value="no address"');
});

it('refusals of another page, of another server, or without a seal are left out', async () => {
  const refused = await send(SETTINGS, { intent: 'add-retailer', retailer: '' });
  const { otherRefusals = '' } = hiddenFieldOf(refused, 'news');
  const foreign = await send(WATCH, { intent: 'start', otherRefusals });
  expect(wordsOf(foreign)).not.toContain('Please enter the name of a retailer.');
  for (const forged of [
    'x',
    (otherRefusals.startsWith('A') ? 'B' : 'A') + otherRefusals.slice(1),
    Buffer.from('{"path":"/"}').toString('base64url'),
    ' ',
  ])
    expect(
      wordsOf(await send(SETTINGS, { intent: 'news', enabled: 'true', otherRefusals: forged })),
    ).not.toContain('Please enter the name of a retailer.');
});
