import { afterEach, beforeEach, expect, test } from 'vitest';
import * as layout from '~/routes/admin/layout';
import * as checkPage from '~/routes/admin/monitor/checks/check';
import * as newProduct from '~/routes/admin/monitor/products/new';
import * as shop from '~/routes/admin/monitor/products/shop';
import * as watch from '~/routes/admin/monitor/watch';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';
import { storeCheck } from '../alerts/finished-check';
import { insertProductWatch, productCheck, UNKNOWN } from '../monitor/product-watch';
import { createRenderedSite } from '../rendered-site';

const NEW = '/dashboard/monitor/products/new';
// The main part of the page, and so its text, is the layout's.
const pages = createRenderedSite(
  {
    [NEW]: newProduct,
    '/dashboard/monitor/products/shops/:host': shop,
    '/dashboard/monitor/:slug': watch,
    '/dashboard/monitor/:slug/checks/:checkId': checkPage,
  },
  { layout },
);

let fixture: ApiFixture;
let token: string;

beforeEach(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
afterEach(() => fixture.cleanup());

const SCHEME = 'Enter an address that begins with https:// or http://.';

test.each([
  ['', 'Please enter the address of the page, such as https://shop.example/.'],
  ['cards.example/box', SCHEME],
  ['javascript:alert(1)', SCHEME],
  ['http://127.0.0.1:1/box', '127.0.0.1 is not on the public internet. Enter the address of a public page.'],
  ['https://user:secret@cards.example/', 'Enter the address without a user name and a password.'],
])('the page that adds a product refuses %j beside its field, and keeps it', async (url, sentence) => {
  const { html, text } = await pages.post(NEW, token, { intent: 'preview', url });
  expect(text.split(sentence)).toHaveLength(2);
  const [field = ''] = /<input[^>]*id="page-url"[^>]*>/.exec(html) ?? [];
  expect(field).toContain('aria-invalid="true"');
  const [, description = ''] = /aria-describedby="([^"]*)"/.exec(field) ?? [];
  const describing = description.split(' ').map((id) => html.split(`id="${id}"`)[1]?.split('</p>')[0]);
  expect(describing.join()).toContain(sentence);
  expect(field).toContain(`value="${url}"`);
  expect(await fixture.db.selectFrom('page_previews').select('id').execute()).toEqual([]);
});

test('a wrong verdict without the right answer is refused beside its field', async () => {
  const id = await insertProductWatch(fixture.db);
  const checkId = await storeCheck(fixture.db, { now: () => Date.now() }, productCheck(id));
  const path = `/dashboard/monitor/watch-${id}/checks/${checkId}`;
  const { text } = await pages.post(path, token, { intent: 'wrong', price: 'cheap', note: '' });
  expect(text).toContain('Please choose what the page shows.');
  expect(text).toContain('Please enter a price such as 49.99.');
  expect(text).not.toContain('We did not understand');
});

test('an admin sees that no check has read a price, and then the last price read', async () => {
  const id = await insertProductWatch(fixture.db);
  const clock = { now: () => Date.now() };
  for (const [seen, words] of [
    [UNKNOWN, 'No price read yet'],
    [{ price: null }, 'No price read yet'],
    [{}, '£49.99'],
    [UNKNOWN, '£49.99'],
  ] as const) {
    await storeCheck(fixture.db, clock, productCheck(id, seen));
    for (const path of [
      `/dashboard/monitor/watch-${id}`,
      `/dashboard/monitor/products/shops/${id}.example`,
    ]) {
      const { status, text } = await pages.get(path, token);
      expect(status).toBe(200);
      expect(text, path).toContain(words);
    }
  }
});
