import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright/test';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { createPasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { expectNoFaults } from './page-quality';
import { enterAs, openSession, subjectsSentTo, waitForCode } from './people';
import { expect, test, type SharedStack } from './test';

/** Gives the page's browser an authenticator that holds passkeys and checks its user (Chrome DevTools Protocol, WebAuthn). */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** A member with a password, signed in on the account page. */
async function enterWithPassword(page: Page, stack: SharedStack) {
  const { person, accountId, token } = await openSession(stack, 'member');
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    const password_hash = await createPasswordHasher().hash(person.password, 'a network');
    await db.updateTable('users').set({ password_hash }).where('id', '=', accountId).execute();
  } finally {
    await db.destroy();
  }
  await page.context().addCookies([{ name: 'packwatch_session', value: token, url: stack.siteUrl }]);
  await page.goto('/account');
  return { ...person, token };
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' });

async function addPasskey(page: Page, password: string): Promise<void> {
  const panel = panelOf(page);
  await panel.getByLabel('Current password').fill(password);
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
}

async function memberWithPasskey(page: Page, stack: SharedStack) {
  const authenticator = await plugIn(page);
  const person = await enterWithPassword(page, stack);
  await addPasskey(page, person.password);
  await expect(panelOf(page).getByRole('status')).toHaveText('Passkey added. You can now sign in with it.');
  return { ...authenticator, person };
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });

test('a member adds a passkey, signs in with it, renames and removes it @own-context', async ({
  page,
  stack,
}) => {
  const { cdp, authenticatorId, person } = await memberWithPasskey(page, stack);
  const panel = panelOf(page);
  await expect(panel.getByRole('listitem')).toContainText('Never used');
  await expect(panel.getByLabel('Current password')).toHaveValue('');
  await addPasskey(page, person.password);
  await expect(panel.getByRole('alert')).toHaveText('This authenticator already has your passkey.');

  await signOut(page);
  await page.goto('/login?next=%2Faccount');
  await signInButton(page).click();
  await expect(page).toHaveURL('/account');
  expect(await page.evaluate(() => localStorage.getItem('auth_token'))).not.toBeNull();
  await expect(panel.getByRole('listitem')).toContainText('Last used');

  await panel.getByText('Rename').click();
  await panel.getByLabel('Name').fill('My phone');
  await panel.getByRole('button', { name: 'Save name' }).click();
  await expect(panel.getByRole('status')).toHaveText('Name saved.');
  await panel.getByRole('button', { name: 'Remove My phone' }).click();
  await expect(panel.getByRole('status')).toHaveText(
    'Passkey removed. It can no longer be used to sign in. You sign in with your password from now on.',
  );
  // The password manager is told, so that it does not offer the passkey again.
  await expect
    .poll(async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials)
    .toEqual([]);
  await expect
    .poll(() => subjectsSentTo(stack, person.email))
    .toEqual(
      expect.arrayContaining([
        'A passkey was added to your Packwatch account',
        'New sign-in to your Packwatch account',
        'A passkey was removed from your Packwatch account',
      ]),
    );
});

test('the browser offers passkeys at the email field @own-context', async ({ page, stack }) => {
  await memberWithPasskey(page, stack);
  await signOut(page);
  await page.goto('/login');
  await page.getByText('Use email and password instead').click();
  // The virtual authenticator chooses its passkey at once.
  await expect(page).toHaveURL('/dashboard');
});

test('a connection lost after the request for the list leaves the page as it is @own-context', async ({
  page,
}) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
  });
  await page.goto('/login');
  await page.route('**/*.data*', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  const challenge = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByText('Use email and password instead').click();
  await challenge;
  await expect
    .poll(() =>
      page.evaluate(() => [...window.__remixRouter.state.fetchers.values()].map(({ state }) => state)),
    )
    .toEqual([]);
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('an authenticator whose counter went back is refused and marked @own-context', async ({
  page,
  stack,
}) => {
  const { cdp, authenticatorId, person } = await memberWithPasskey(page, stack);
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  const [credential] = credentials;
  if (credential === undefined) throw new Error('the authenticator holds no passkey');
  const signIn = async () => {
    await signOut(page);
    await page.goto('/login');
    await signInButton(page).click();
  };
  await signIn();
  await expect(page).toHaveURL('/dashboard');
  // A copy of the authenticator, made before the sign-in.
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } });
  await signIn();
  await expect(page.getByRole('alert')).toContainText('This passkey was refused');
  await expect
    .poll(() => subjectsSentTo(stack, person.email))
    .toContain('A sign-in to your Packwatch account was refused');
  await page.context().addCookies([{ name: 'packwatch_session', value: person.token, url: stack.siteUrl }]);
  await page.goto('/account');
  await expect(panelOf(page).getByRole('listitem')).toContainText('Refused');
  await panelOf(page).getByText('Rename').click();
  await expectNoFaults(page, panelOf(page));
});

test('a passkey that was removed elsewhere says so, and is offered no more @own-context', async ({
  page,
  stack,
}) => {
  const { cdp, authenticatorId } = await memberWithPasskey(page, stack);
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    await db.deleteFrom('passkeys').execute();
  } finally {
    await db.destroy();
  }
  await signOut(page);
  await page.goto('/login');
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toContainText('This passkey no longer works');
  await expect
    .poll(async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials)
    .toEqual([]);
});

test('the site at another host has no use for its passkeys, and says so @own-context', async ({
  page,
  stack,
}) => {
  await memberWithPasskey(page, stack);
  await signOut(page);
  const other = new URL('/login', stack.siteUrl);
  other.hostname = '127.0.0.1';
  await page.goto(other.href);
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toContainText('address of the site');
});

test('a prompt that is closed leaves the page as it was @own-context', async ({ page, stack }) => {
  const { cdp, authenticatorId } = await memberWithPasskey(page, stack);
  await signOut(page);
  await page.goto('/login');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await signInButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('No passkey was chosen in time. You can try again.');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await signInButton(page).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a member without a password adds one with a mailed code, and is warned when the last way in goes @own-context', async ({
  page,
  stack,
}) => {
  const { cdp, authenticatorId } = await plugIn(page);
  const person = await enterAs(page, stack, 'member');
  await page.goto('/account');
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(panel.getByText('Please enter the code that we sent to your email address.')).toBeVisible();
  await panel.getByRole('button', { name: 'Send me a code' }).click();
  await panel.getByLabel('Code from the email').fill(await waitForCode(stack, person.email));
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(panel.getByRole('status')).toContainText('Passkey added.');
  expect((await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);

  await signOut(page);
  await page.goto('/login?next=%2Faccount');
  await signInButton(page).click();
  await expect(page).toHaveURL('/account');
  await panel.getByRole('button', { name: /^Remove/ }).click();
  await expect(panel.getByRole('status')).toContainText('Please set a password now');
});

/** Presses the button and reads the challenge that the page got. The page's request waits until `release` is called. */
async function holdRequest(page: Page): Promise<{ challenge: string; release(): Promise<void> }> {
  await page.addInitScript(() => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    if (location.pathname !== '/login') return;
    credentials.get = async (options) => {
      const challenge = new TextDecoder().decode(options?.publicKey?.challenge);
      await new Promise((release) => Object.assign(window, { held: { challenge, release } }));
      return get(options);
    };
  });
  await page.goto('/login');
  await signInButton(page).click();
  type Holding = { held?: { challenge: string; release(): void } };
  const held = await page.waitForFunction(() => (window as Holding).held?.challenge);
  return {
    challenge: (await held.jsonValue()) ?? '',
    release: () => page.evaluate(() => (window as Holding).held?.release()),
  };
}

test('an answer that comes too late says so, and the next one signs in @own-context', async ({
  page,
  stack,
}) => {
  await memberWithPasskey(page, stack);
  await signOut(page);
  const { challenge, release } = await holdRequest(page);
  const [nonce = ''] = challenge.split('.');
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    // As after an answer in another tab; an expired challenge has the same refusal.
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await db.insertInto('used_challenges').values({ id: nonce, expires_at }).execute();
  } finally {
    await db.destroy();
  }
  await release();
  await expect(page.getByRole('alert')).toHaveText(
    'This request has expired or was already used. Please try again.',
  );
  await signInButton(page).click();
  await page.waitForFunction(
    (before) => (window as { held?: { challenge: string } }).held?.challenge !== before,
    challenge,
  );
  await release();
  await expect(page).toHaveURL('/dashboard');
});

test('the list at the email field gets a new challenge before the old one expires @own-context', async ({
  page,
}) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
  });
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request.postData() ?? '');
  });
  await page.goto('/login');
  const challenge = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByText('Use email and password instead').click();
  await challenge;
  await page.clock.runFor('03:30');
  expect(asked).toHaveLength(1);
  let seconds = 210;
  await expect
    .poll(async () => {
      await page.clock.runFor('00:10');
      seconds += 10;
      return asked.length;
    })
    .toBe(2);
  expect(seconds).toBeLessThan(300);
  expect(asked[1]).toContain('passkeyStart');
});

test('a passkey answer that another origin of the same host got is refused @own-context', async ({
  page,
  stack,
}) => {
  await memberWithPasskey(page, stack);
  await signOut(page);
  const { challenge } = await holdRequest(page);
  const foreign = new URL(stack.siteUrl);
  foreign.port = '49999';
  await page.route(`${foreign.origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  );
  await page.goto(foreign.href, { waitUntil: 'load' });
  const response = await page.evaluate(
    async ([text, rpId]) => {
      const publicKey = { challenge: new TextEncoder().encode(text), rpId };
      return JSON.stringify(await navigator.credentials.get({ publicKey }));
    },
    [challenge, foreign.hostname] as const,
  );
  expect(response).toContain('clientDataJSON');
  const answer = await page.request.post(`${stack.siteUrl}/login`, {
    form: { intent: 'passkey', response },
    headers: { Origin: stack.siteUrl },
  });
  expect(await answer.text()).toContain('This passkey could not be checked');
  await page.goto('/account');
  await expect(page).not.toHaveURL('/account');
});
