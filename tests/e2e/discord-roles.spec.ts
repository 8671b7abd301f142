import type { Page } from 'playwright/test';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { FIRST_ROLES } from '../../sandbox/discord/guild';
import { insertFollowedProduct } from '../integration/member-alerts/product-follower';
import { subscribe } from '../paid-accounts';
import {
  advanceDays,
  askSandbox,
  CARDS,
  enterWithBeta,
  fillCard,
  payOnStripesPage,
  setCard,
} from './membership-data';
import { withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { enterAs, goThroughDiscord, joinDiscord, newPerson, signInFirstTime } from './people';
import { resetSettings } from './settings-data';
import { runTool } from './stack';
import { expect, MODES, test, type SharedStack } from './test';

const PAGE = '/dashboard/discord-roles';
const SUBSCRIPTION = '/dashboard/subscription';
const { instant: INSTANT } = FIRST_ROLES;
/** The time limit for a role to follow a change. */
const ROLE_WITHIN = { timeout: 10 * SECOND };

// Stripe's pages refuse the header with the client's address.
test.use({ extraHTTPHeaders: {} });

test.beforeAll(async ({ stack }) => {
  await runTool('packages', ['sync'], stack.environment, stack.dataDir);
});
test.beforeEach(({ stack }) => resetSettings(stack));
test.afterAll(({ stack }) => resetSettings(stack));

interface Guild {
  members: { id: string; username: string; roles: string[] }[];
}

const askGuild = (stack: SharedStack, method: string, path: string, body?: object) =>
  askSandbox(stack, method, `guild${path}`, body) as Promise<Guild>;

async function findMember(stack: SharedStack, match: Partial<Guild['members'][number]>) {
  const { members } = await askGuild(stack, 'GET', '');
  return members.find(({ id, username }) => id === match.id || username === match.username);
}

function setRoles(
  stack: SharedStack,
  settings: { instant?: string; joinAtSignIn?: boolean },
): Promise<unknown> {
  const value = JSON.stringify({ instant: '', free: '', joinAtSignIn: false, ...settings });
  return withDatabase(stack.dataDir, (db) =>
    db
      .insertInto('settings')
      .values({ key: SETTING_KEY.discordRoles, value, description: null, updated_at: toIso(Date.now()) })
      .execute(),
  );
}

/** Signs in a member whose Discord account is on the server. Returns its id. */
async function enterMember(page: Page, stack: SharedStack): Promise<string> {
  const { email } = await enterWithBeta(page, stack);
  const id = `2100${Date.now()}`;
  await withDatabase(stack.dataDir, (db) =>
    db
      .updateTable('users')
      .set({ discord_id: id, discord_username: 'a_member' })
      .where('email', '=', email)
      .execute(),
  );
  await askGuild(stack, 'PUT', `/members/${id}`, { username: 'a_member' });
  return id;
}

const expectRoles = (stack: SharedStack, id: string, roles: string[]) =>
  expect.poll(async () => (await findMember(stack, { id }))?.roles, ROLE_WITHIN).toEqual(roles);

async function expectSentence(page: Page, sentence: string): Promise<void> {
  await page.goto('/account');
  await expect(page.getByText(sentence)).toBeVisible();
}

/** Pays for the monthly plan: in the card form, and without scripts on Stripe's page. */
async function pay(page: Page, hasScripts: boolean): Promise<void> {
  await page.goto(`${SUBSCRIPTION}?pay=pro-monthly`);
  if (hasScripts) {
    await fillCard(page, CARDS.succeeds);
    await page.getByRole('button', { name: /^Pay £/ }).click();
  } else {
    await page.getByRole('button', { name: 'Pay on Stripe’s page' }).click();
    await payOnStripesPage(page, CARDS.succeeds);
  }
  await expect(page).toHaveURL(/attempt=|subscription/);
}

/** Moves the end of an unpaid renewal's grace into the past, and the check of the role that waits for it. */
async function endGrace(stack: SharedStack, discordId: string): Promise<void> {
  const past = toIso(Date.now() - MINUTE);
  await withDatabase(stack.dataDir, async (db) => {
    await db
      .updateTable('subscriptions')
      .set({ grace_until: past })
      .where('status', '=', 'past_due')
      .where('user_id', 'in', (from) =>
        from.selectFrom('users').select('id').where('discord_id', '=', discordId),
      )
      .execute();
    await db
      .updateTable('member_roles')
      .set({ recheck_at: past })
      .where('discord_id', '=', discordId)
      .where('recheck_at', 'is not', null)
      .execute();
  });
}

for (const mode of MODES) {
  const hasScripts = mode === '';

  test(`a payment gives the role, and the end of a cancelled subscription takes it${mode}`, async ({
    page,
    stack,
  }) => {
    await setRoles(stack, { instant: INSTANT });
    const id = await enterMember(page, stack);
    await pay(page, hasScripts);
    await expectRoles(stack, id, [INSTANT]);
    await expectSentence(page, 'You have the instant role.');
    await page.goto(`${SUBSCRIPTION}?cancel=1`);
    await page.getByRole('button', { name: 'Cancel Subscription' }).click();
    await expect(page.getByText('Canceling')).toBeVisible();
    await expectRoles(stack, id, [INSTANT]);
    await advanceDays(stack, 32);
    await expectRoles(stack, id, []);
    await expectSentence(page, 'You get the instant role with Pro.');
  });

  test(`the role stays while a renewal is unpaid, and goes with the grace${mode}`, async ({
    page,
    stack,
  }) => {
    await setRoles(stack, { instant: INSTANT });
    const id = await enterMember(page, stack);
    await pay(page, hasScripts);
    await expectRoles(stack, id, [INSTANT]);
    await page.goto(SUBSCRIPTION);
    await page.getByRole('button', { name: 'Update card or see invoices' }).click();
    await setCard(page, CARDS.failsLater);
    await advanceDays(stack, 32);
    await expect(async () => {
      await page.goto(SUBSCRIPTION);
      await expect(page.getByText('Payment failed')).toBeVisible({ timeout: 500 });
    }).toPass();
    await expectRoles(stack, id, [INSTANT]);
    // Three days pass without an event. A late Stripe event may write its own time again.
    await expect
      .poll(async () => {
        await endGrace(stack, id);
        return (await findMember(stack, { id }))?.roles;
      }, ROLE_WITHIN)
      .toEqual([]);
    await expectSentence(page, 'You get the instant role with Pro.');
  });

  test(`an admin sets the roles, and reads what is wrong and what to do${mode}`, async ({ page, stack }) => {
    await enterAs(page, stack, 'admin');
    await page.goto(PAGE);
    await page.getByLabel('Role of members with Pro').fill(INSTANT);
    await page.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByText('Saved. The roles are being compared.')).toBeVisible();
    const untilShown = (text: string) =>
      expect(async () => {
        await page.goto(PAGE);
        await expect(page.getByText(text)).toBeVisible({ timeout: 500 });
      }).toPass();
    await untilShown('Compared with Packwatch');
    if (hasScripts) await expectNoFaults(page);
    const compare = async () => {
      await page.getByRole('button', { name: 'Compare now' }).click();
      await expect(page.getByText('The comparison has started.')).toBeVisible();
    };
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await brokenWords(page)).toEqual([]);

    await askGuild(stack, 'PUT', `/roles/${INSTANT}`, { position: 5 });
    try {
      await compare();
      await untilShown('The role “Instant” is not below the bot’s.');
      if (hasScripts) await expectNoFaults(page);
    } finally {
      await askGuild(stack, 'PUT', `/roles/${INSTANT}`, { position: 2 });
    }
    await compare();
    await untilShown('Compared with Packwatch');
  });

  test(`an admin gives a product a role, which comes and goes with the follow of a member with Pro${mode}`, async ({
    page,
    stack,
  }) => {
    const role = `3100${Date.now()}`;
    await askGuild(stack, 'PUT', `/roles/${role}`, { name: 'Chest', position: 1 });
    const product = await withDatabase(stack.dataDir, insertFollowedProduct);
    try {
      await enterAs(page, stack, 'admin');
      await page.goto(`/dashboard/monitor/watch-${product}/edit`);
      await page.getByLabel('Discord role of its members').fill(INSTANT.slice(0, 9));
      await page.getByRole('button', { name: 'Save watch' }).click();
      await expect(page.getByText('Please enter the id of a role')).toBeVisible();
      await page.getByLabel('Discord role of its members').fill(role);
      if (hasScripts) await expectNoFaults(page);
      await page.getByRole('button', { name: 'Save watch' }).click();
      await expect(page.getByText('Watch saved.')).toBeVisible();

      const id = await enterMember(page, stack);
      await withDatabase(stack.dataDir, async (db) => {
        const account = await db
          .selectFrom('users')
          .select('id')
          .where('discord_id', '=', id)
          .executeTakeFirstOrThrow();
        await subscribe(db, account.id);
      });
      await page.goto(`/restock/product-${product}/follow`);
      await page.getByRole('button', { name: 'Follow Ember Hollow chest', exact: true }).click();
      await expect(page.getByRole('status')).toHaveText('You follow Ember Hollow chest.');
      await expectRoles(stack, id, [role]);
      await expectSentence(page, 'You have the role of Ember Hollow chest.');
      if (hasScripts) await expectNoFaults(page);
      await page.getByRole('button', { name: 'Stop following Ember Hollow chest' }).click();
      await expect(page.getByText('You no longer follow Ember Hollow chest.')).toBeVisible();
      await expectRoles(stack, id, []);

      await enterAs(page, stack, 'admin');
      await page.goto(PAGE);
      await page.getByRole('link', { name: 'Ember Hollow chest' }).click();
      await page.getByLabel('Discord role of its members').fill('');
      await page.getByRole('button', { name: 'Save watch' }).click();
      await expect(page.getByText('Watch saved.')).toBeVisible();
    } finally {
      await withDatabase(stack.dataDir, (db) => db.deleteFrom('watch_roles').execute());
    }
  });

  test(`a sign-in that asks for it adds the user to the server, one that is refused does not${mode}`, async ({
    page,
    stack,
  }) => {
    await setRoles(stack, { joinAtSignIn: true });
    const person = newPerson();
    await joinDiscord(stack, person);
    const username = person.persona.slice(0, 20);
    await page.goto('/login');
    await goThroughDiscord(page, stack, 'deny');
    await page.waitForURL(`${stack.siteUrl}/**`);
    expect(await findMember(stack, { username })).toBeUndefined();
    await signInFirstTime(page, stack, person);
    await expect.poll(() => findMember(stack, { username }), ROLE_WITHIN).toMatchObject({ roles: [] });
  });
}

/** The words of facts on a page that take more than one line. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator('dd').evaluateAll((values) =>
    values.flatMap((value) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() !== null) {
        const text = texts.currentNode;
        for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      }
      return found;
    }),
  );
}
