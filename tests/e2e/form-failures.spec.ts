import { dirname } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { createSession } from '#shared/accounts/sessions';
import { keepAccountUrl } from '#shared/mail/account-deletion-mail';
import { endSessionUrl } from '#shared/mail/new-browser-mail';
import { unsubscribeUrl } from '#shared/accounts/unsubscribe';
import { DAY, MINUTE, SECOND, systemClock, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { createKeyring, loadSessionSecret } from '#shared/secrets.server';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { addFollow } from '../integration/member-alerts/product-follower';
import { insertProductWatch } from '../integration/monitor/product-watch';
import { subscribe } from '../paid-accounts';
import { startAdminWeb, type AdminWeb } from './admin-web';
import { picture } from './article-data';
import { fillAdminPages, setRoles } from './form-data';
import { FORM_PAGES, type FormCase, type FormPage } from './form-table';
import { enterWithBeta } from './membership-data';
import { withDatabase } from './news-data';
import { openSession } from './people';
import { resetSettings } from './settings-data';
import { interceptRequests, type Intercept } from './intercept-requests';
import { expect, test, type SharedStack } from './test';

/**
 * The browser logs each request that fails. Remix logs a SyntaxError for a response that is not its own data.
 */
test.use({
  notedFaults: /^(?:Failed to load resource: |SyntaxError)/,
  viewport: { width: 360, height: 740 },
});

/** How a form gets no answer. A GET is never a form here: lists refresh themselves. */
const FAULTS = {
  'the request is cut': () => 'cut',
  'a proxy answers with 502': ({ method }) =>
    method === 'GET' ? 'send' : { status: 502, body: '<h1>Bad Gateway</h1>' },
} as const satisfies Record<string, Parameters<Intercept>[0]>;

type Ids = Readonly<Record<string, string>>;

const withIds = (text: string, ids: Ids) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no id ${name}`);

async function type(page: Page, field: string, value: string | true): Promise<void> {
  const control = page.locator(field);
  if (value === true) await control.setChecked(true);
  else if (value.endsWith('.png')) await control.setInputFiles(await picture(value));
  else await control.fill(value);
}

function readTyped(page: Page, field: string): Promise<string | true> {
  return page.locator(field).evaluate((control: HTMLElement) => {
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement))
      return control.innerText.trim();
    if (control.type === 'checkbox' || control.type === 'radio') return control.matches(':checked') || '';
    return control.value.replace('C:\\fakepath\\', '');
  });
}

/** The sentences in view that were not there before the press. */
function newAlerts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role=alert]:not([data-before])')]
      .filter((alert) => {
        const { top, bottom, width } = alert.getBoundingClientRect();
        const x = alert.getBoundingClientRect().left + width / 2;
        const on = document.elementFromPoint(x, (top + bottom) / 2);
        return on !== null && (alert.contains(on) || on.contains(alert));
      })
      .map((alert) => alert.innerText.trim()),
  );
}

/** Waits until a script has loaded, which a dialog does in advance. */
async function untilLoaded(page: Page, script: string): Promise<void> {
  await page.waitForFunction(async (pattern) => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const address = loaded.find((name) => new RegExp(pattern).test(name));
    // Resolves when all that it imports has loaded, too.
    return address !== undefined && import(address).then(() => true);
  }, `/assets/${script}-[\\w-]{8}\\.js`);
}

function buttonOf(page: Page, { intent, within }: FormCase): Locator {
  const scope = within === undefined ? '' : `${within} `;
  return page
    .locator(
      `${scope}button[name=intent][value="${intent}"], ${scope}form:has(> input[name=intent][value="${intent}"]) button`,
    )
    .filter({ visible: true })
    .and(page.locator(':enabled'))
    .first();
}

/** Sends a form that gets no answer, and looks for its sentence and for what was typed. Returns what is wrong. */
async function sendInVain(
  page: Page,
  form: FormCase,
  { send, wrong }: { send: () => Promise<unknown>; wrong: (what: string) => void },
): Promise<void> {
  if (form.stays !== true)
    await page.evaluate(() => {
      for (const alert of document.querySelectorAll('[role=alert]')) alert.setAttribute('data-before', '');
    });
  const before = { heading: await page.locator('h1').first().innerText(), address: page.url() };
  await send();
  try {
    await expect.poll(() => newAlerts(page)).toContain(form.says);
  } catch {
    wrong(`no sentence in view, but: ${JSON.stringify(await page.locator('[role=alert]').allInnerTexts())}`);
  }
  const after = { heading: await page.locator('h1').first().innerText(), address: page.url() };
  if (JSON.stringify(after) !== JSON.stringify(before)) wrong(`the page became ${JSON.stringify(after)}`);
  for (const [field, value] of Object.entries(form.typed ?? {})) {
    const now = await readTyped(page, field).catch(() => 'no field');
    if (now !== value) wrong(`${field} holds ${JSON.stringify(now)}`);
  }
}

async function tryPage(
  page: Page,
  intercept: Intercept,
  origin: string,
  { path, forms, alsoHas = [] }: FormPage,
  ids: Ids,
) {
  const found: string[] = [];
  const at = withIds(path, ids);
  const onLoad = forms.find(({ intent }) => intent.startsWith('start-'));
  if (onLoad !== undefined) await intercept(({ method }) => (method === 'GET' ? 'send' : 'cut'));
  await page.goto(origin + at);
  if (onLoad !== undefined) {
    await expect(page.getByRole('alert').filter({ hasText: onLoad.says }), at).toBeVisible();
    await intercept(null);
  }
  const shown = await page
    .locator(':is(main, dialog) :is(button, input)[name=intent]')
    .evaluateAll((controls) => controls.map((control) => (control as HTMLInputElement).value));
  const listed = [...forms.map(({ intent }) => intent), ...alsoHas];
  for (const intent of new Set(shown))
    if (!listed.includes(intent)) found.push(`${at}: the form ${intent} is not in the table`);
  for (const raw of forms) {
    const form = JSON.parse(withIds(JSON.stringify(raw), ids)) as FormCase;
    if (form.first !== undefined) await page.locator(form.first).first().click();
    for (const [field, value] of Object.entries(form.typed ?? {})) await type(page, field, value);
    if (form.script !== undefined) await untilLoaded(page, form.script);
    if (form.first !== undefined) await buttonOf(page, form).waitFor();
    for (const [name, fault] of Object.entries(FAULTS)) {
      const wrong = (what: string) => found.push(`${at}, ${form.intent}, ${name}: ${what}`);
      await intercept(fault);
      const button = form.intent.startsWith('start-')
        ? page.getByRole('button', { name: 'Try again' })
        : buttonOf(page, form);
      const send = () =>
        Promise.all([
          name === 'the request is cut'
            ? page.waitForEvent('requestfailed', (request) => request.method() !== 'GET')
            : page.waitForResponse((response) => response.status() === 502),
          button.click(),
        ]);
      try {
        await sendInVain(page, form, { send, wrong });
      } catch (error) {
        const shown = (await page.content()).slice(0, 600);
        throw new Error(`${form.intent}, ${name}, at ${page.url()}: ${shown}`, { cause: error });
      }
      await intercept(null);
      if (found.some((what) => what.includes('the page became'))) return found;
    }
  }
  return found;
}

async function tryPages(page: Page, origin: string, pages: readonly FormPage[], ids: Ids): Promise<void> {
  page.setDefaultTimeout(30 * SECOND);
  const intercept = await interceptRequests(page);
  const found: string[] = [];
  for (const one of pages) {
    try {
      found.push(...(await tryPage(page, intercept, origin, one, ids)));
    } catch (error) {
      const { cause } = error as Error;
      found.push(`${one.path}: ${String(error).slice(0, 900)} ${String(cause ?? '').slice(0, 600)}`);
      await intercept(null);
    }
  }
  expect(found).toEqual([]);
}

test('forms of visitors say that they failed, and keep what was typed', async ({ page, stack }) => {
  const { accountId: userId, sessionId } = await openSession(stack, 'member');
  const closing = await openSession(stack, 'member');
  const requestedAt = toIso(Date.now());
  await withDatabase(stack.dataDir, (db) =>
    db
      .updateTable('users')
      .set({
        disabled_at: requestedAt,
        deletion_requested_at: requestedAt,
        delete_after: toIso(Date.now() + DAY),
      })
      .where('id', '=', closing.accountId)
      .execute(),
  );
  const now = Date.now();
  const keyring = createKeyring([loadSessionSecret(stack.dataDir)]);
  const url = unsubscribeUrl({ keyring, appUrl: stack.siteUrl }, { userId, now });
  await tryPages(page, stack.siteUrl, FORM_PAGES.visitor, {
    unsubscribe: new URL(url).searchParams.get('token') ?? '',
    keepAccount:
      keepAccountUrl({ keyring, appUrl: '' }, { accountId: closing.accountId, requestedAt }).split(
        'token=',
      )[1] ?? '',
    endSession:
      endSessionUrl({ keyring, appUrl: '' }, { accountId: userId, sessionId }).split('token=')[1] ?? '',
  });
});

/** A member with a device, a passkey, another session, no password and a product that they follow, whose slug is returned. */
async function enterMember(page: Page, stack: SharedStack): Promise<string> {
  const { accountId, token } = await openSession(stack, 'member');
  await page.context().addCookies([{ name: PLAIN_SESSION_COOKIE, value: token, url: stack.siteUrl }]);
  return withDatabase(stack.dataDir, async (db) => {
    const productId = await insertProductWatch(db);
    await addFollow(db, { userId: accountId, productId });
    await setRoles(db);
    await db
      .updateTable('users')
      .set({ discord_id: `2000${Date.now()}` })
      .where('id', '=', accountId)
      .execute();
    await createSession(db, { accountId, userAgent: 'Another browser', clock: systemClock });
    await db
      .insertInto('passkeys')
      .values({
        id: newId(),
        user_id: accountId,
        credential_id: newId(),
        public_key: 'pQECAyYgASFYIA',
        counter: 0,
        name: 'A phone',
        created_at: toIso(Date.now()),
      })
      .execute();
    await db
      .insertInto('push_subscriptions')
      .values({
        id: newId(),
        user_id: accountId,
        endpoint: `https://push.example/${newId()}`,
        p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
        user_agent: null,
        created_at: toIso(Date.now()),
        last_sent_at: null,
      })
      .execute();
    return `product-${productId}`;
  });
}

test('forms of members say that they failed, and keep what was typed', async ({ page, stack }) => {
  const product = await enterMember(page, stack);
  await tryPages(page, stack.siteUrl, [...FORM_PAGES.member, ...FORM_PAGES.follower], { product });
  await resetSettings(stack);
});

test('forms of paying members say that they failed, and keep what was typed', async ({ page, stack }) => {
  const { email } = await enterWithBeta(page, stack);
  const byState = (state: 'none' | 'active' | 'canceling') =>
    FORM_PAGES.pro.filter(({ path }) => {
      const needs = /buy=|pay=/.test(path) ? 'none' : path.endsWith('#canceling') ? 'canceling' : 'active';
      return needs === state;
    });
  await tryPages(page, stack.siteUrl, byState('none'), {});
  const userId = await withDatabase(stack.dataDir, async (db) => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await subscribe(db, id);
    const subscription = await db
      .selectFrom('subscriptions')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    const now = Date.now();
    await db
      .insertInto('plan_quotes')
      .values({
        id: newId(),
        user_id: id,
        subscription_id: subscription.id,
        from_package_id: 'pro-monthly',
        new_package_id: 'pro-yearly',
        proration_at: Math.floor(now / SECOND),
        remaining_pence: 900,
        prorated_pence: 8_000,
        status: 'open',
        created_at: toIso(now),
        expires_at: toIso(now + 10 * MINUTE),
      })
      .execute();
    return id;
  });
  await tryPages(page, stack.siteUrl, byState('active'), {});
  await withDatabase(stack.dataDir, (db) =>
    db.updateTable('subscriptions').set({ cancel_at_period_end: 1 }).where('user_id', '=', userId).execute(),
  );
  await tryPages(page, stack.siteUrl, byState('canceling'), {});
});

test.describe('forms of admins', () => {
  let admin: AdminWeb;
  let ids: Awaited<ReturnType<typeof fillAdminPages>>;
  test.beforeAll(async () => {
    admin = await startAdminWeb('form-failures');
    ids = await fillAdminPages(admin.db, dirname(admin.databaseFile));
  });
  test.afterAll(() => admin.stop());

  for (const [part, ofMonitor] of [
    ['the monitor', true],
    ['the other sections', false],
  ] as const)
    test(`in ${part} say that they failed, and keep what was typed`, async ({ page }) => {
      const cookie = { name: PLAIN_SESSION_COOKIE, value: admin.token, url: admin.web.url };
      await page.context().addCookies([cookie]);
      const pages = FORM_PAGES.admin.filter(
        ({ path }) => path.startsWith('/dashboard/monitor') === ofMonitor,
      );
      await tryPages(page, admin.web.url, pages, ids);
    });
});
