import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Cookie, Page } from 'playwright/test';
import { createSession } from '#shared/accounts/sessions';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { newId } from '#shared/ids';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { expect, untilLive, type SharedStack } from './test';

/** A person without an account. */
export interface Person {
  email: string;
  password: string;
  /** Which button they press on Discord's page. */
  persona: string;
}

export function newPerson(): Person {
  const name = `e2e-${randomBytes(5).toString('hex')}`;
  return { email: `${name}@packwatch.example`, password: `${name} and some words`, persona: name };
}

/** Gives a person an account at Discord, by default with a verified address. */
export async function joinDiscord(
  stack: SharedStack,
  { email, persona }: Person,
  { verified = true, avatar = null }: { verified?: boolean; avatar?: string | null } = {},
): Promise<void> {
  const answer = await fetch(`${stack.sandbox.origin}/control/oauth/personas`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      key: persona,
      label: persona,
      id: `15${String(randomInt(2 ** 47)).padStart(16, '0')}`,
      username: persona.slice(0, 20),
      globalName: null,
      email,
      verified,
      avatar,
    }),
  });
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

/** The subjects of the mails that reached an address, oldest first. */
export async function subjectsSentTo(stack: SharedStack, email: string): Promise<string[]> {
  const answer = await fetch(`${stack.sandbox.origin}/control/mails`);
  const { mails } = (await answer.json()) as { mails: { subject: string; envelope: { to: string[] } }[] };
  return mails.filter(({ envelope }) => envelope.to.includes(email)).map(({ subject }) => subject);
}

/** The codes that were mailed to an address, oldest first. */
async function codesSentTo(stack: SharedStack, email: string): Promise<string[]> {
  return (await subjectsSentTo(stack, email))
    .map((subject) => /\b\d{6}\b/.exec(subject)?.[0])
    .filter((code) => code !== undefined);
}

/** Waits for the mail that makes it `count` of them, and returns its code. */
export async function waitForCode(stack: SharedStack, email: string, count = 1): Promise<string> {
  let codes: string[] = [];
  await expect
    .poll(async () => (codes = await codesSentTo(stack, email)).length, { timeout: 60_000 })
    .toBe(count);
  return codes.at(-1) ?? '';
}

/** Moves every request for a code into the past, so that the next one may be made now. */
export async function expireResendWait(stack: SharedStack): Promise<void> {
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    await db
      .updateTable('code_requests')
      .set({ requested_at: toIso(Date.now() - 2 * MINUTE) })
      .execute();
  } finally {
    await db.destroy();
  }
}

/** Presses the button of the page at hand and chooses a persona, or `deny`, on Discord's page. */
export async function goThroughDiscord(page: Page, stack: SharedStack, persona: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Discord' }).click();
  await page.waitForURL(`${stack.sandbox.origin}/**`);
  await page.locator(`#persona-${persona}`).click();
}

/** Fills in the code that was mailed and waits for where the sign-in leads. */
export async function enterCode(page: Page, code: string, leadsTo = '/dashboard'): Promise<void> {
  await page.getByLabel('Verification code').fill(code);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page).toHaveURL(leadsTo);
  await untilLive(page);
}

/** Signs a person in with Discord for the first time, with the mailed code. */
export async function signInFirstTime(page: Page, stack: SharedStack, person: Person): Promise<void> {
  await page.goto('/login');
  await goThroughDiscord(page, stack, person.persona);
  await expect(page).toHaveURL('/login?step=verify');
  await enterCode(page, await waitForCode(stack, person.email));
}

/** A new account with a session. */
interface Entered {
  person: Person;
  accountId: string;
  sessionId: string;
  /** The session's token, which its cookie holds. */
  token: string;
  /** The token that the same browser keeps in local storage. */
  localToken: string;
}

/** Makes a new account with a session, past the sign-in. */
export async function openSession(stack: SharedStack, role: 'admin' | 'member'): Promise<Entered> {
  const person = newPerson();
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    const now = toIso(Date.now());
    const accountId = newId();
    await db
      .insertInto('users')
      .values({
        id: accountId,
        email: person.email,
        email_verified_at: now,
        username: person.persona,
        role,
        beta_ever_requested: 0,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const ofBrowser = { accountId, userAgent: null, clock: systemClock };
    const { token, session } = await createSession(db, ofBrowser);
    const local = await createSession(db, { ...ofBrowser, browserSessionId: session.id });
    return { person, accountId, sessionId: session.id, token, localToken: local.token };
  } finally {
    await db.destroy();
  }
}

function addSession(page: Page, stack: SharedStack, token: string): Promise<void> {
  return page.context().addCookies([{ name: PLAIN_SESSION_COOKIE, value: token, url: stack.siteUrl }]);
}

/**
 * Opens a session of a new account in this browser, past the sign-in: for tests of what comes after it. Local storage
 * stays empty, and which page is open does not change.
 */
export async function enterAs(page: Page, stack: SharedStack, role: 'admin' | 'member'): Promise<Person> {
  const { person, token } = await openSession(stack, role);
  await addSession(page, stack, token);
  return person;
}

/** Opens a session of a new member as `enterAs` does, with its token in local storage, and the dashboard. */
export async function enterWithLocalSession(page: Page, stack: SharedStack): Promise<Entered> {
  const entered = await openSession(stack, 'member');
  await addSession(page, stack, entered.token);
  await page.goto(`/auth/discord/success?token=${entered.localToken}`);
  await expect(page).toHaveURL('/dashboard');
  await untilLive(page);
  return entered;
}

const adminSessions = new WeakMap<SharedStack, Cookie[]>();

/**
 * Signs in the admin of the sandbox: through Discord once, afterwards by the session that this opened, as long as it
 * lasts. Says nothing about which page is open then.
 */
export async function signInAdmin(page: Page, stack: SharedStack): Promise<void> {
  const context = page.context();
  const opened = adminSessions.get(stack);
  if (opened !== undefined) {
    await context.addCookies(opened);
    const answer = await context.request.get(`${stack.siteUrl}/api/auth/user`);
    if (answer.ok()) return;
  }
  await page.goto('/login');
  await goThroughDiscord(page, stack, 'admin');
  await page.waitForURL(/login\?step=verify|success|dashboard/);
  if (page.url().includes('verify'))
    await enterCode(page, await waitForCode(stack, 'admin@packwatch.example'));
  await expect(page).toHaveURL('/dashboard');
  const cookies = await context.cookies(stack.siteUrl);
  adminSessions.set(
    stack,
    cookies.filter(({ name }) => name === 'packwatch_session'),
  );
}

/** Local storage of a browser that is not signed in. */
export const NOTHING_STORED = { token: null, user: null, userId: null };

/** What local storage holds of a session. */
export function readLocalSession(
  page: Page,
): Promise<{ token: string | null; user: string | null; userId: string | null }> {
  return page.evaluate(() => ({
    token: localStorage.getItem('auth_token'),
    user: localStorage.getItem('user'),
    userId: localStorage.getItem('userId'),
  }));
}
