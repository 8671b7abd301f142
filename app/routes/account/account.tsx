import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { usernameField } from '#shared/accounts/account-fields';
import { accountOperations } from '#shared/accounts/account-operations';
import { passkeyOperations } from '#shared/accounts/passkeys/passkey-operations';
import { listPasskeys } from '#shared/accounts/passkeys/passkeys';
import { passwordOperations } from '#shared/accounts/passwords/password-operations';
import { toProfile } from '#shared/accounts/profile';
import { listedIdOf, listSessions } from '#shared/accounts/sessions';
import { DAY, toIso } from '#shared/clock';
import { testOperations } from '#shared/member-alerts/test-operations';
import { followOperations } from '#shared/follows/follow-operations';
import { listFollows } from '#shared/follows/follows';
import { listOwnSuggestions } from '#shared/follows/suggestions';
import { readExportState } from '#shared/personal-data/data-exports';
import { personalDataOperations } from '#shared/personal-data/personal-data-operations';
import { pushOperations } from '#shared/push/push-operations';
import { readRoles } from '#shared/role-sync/read-roles';
import { roleOperations } from '#shared/role-sync/role-operations';
import { hasRoles } from '#shared/roles/watch-roles';
import { readSiteSettings } from '#shared/settings/read-settings';
import { AlertsPanel } from '~/components/account/alerts/alerts-panel';
import { DiscordPanel } from '~/components/account/discord-panel';
import { Avatar } from '~/components/account/avatar';
import { DataPanel } from '~/components/account/data-panel';
import { SIGN_OUT_FAILED } from '~/components/account/sign-out-form';
import { PasskeyPanel } from '~/components/account/passkeys/passkey-panel';
import { PasswordPanel } from '~/components/account/password-panel';
import { SessionList } from '~/components/account/session-list';
import { FollowedProducts } from '~/components/products/followed-products';
import { LoadFailed } from '~/components/ui/notice';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { Panel } from '~/components/ui/card';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { titled } from '~/components/site/page-title';
import { requireMember } from '~/http/auth/session.server';
import { loadOptional } from '~/http/server/failures.server';
import { operationForm, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import type { Viewer } from '#shared/accounts/account';
import {
  isPaused,
  parsePreferences,
  preferencesField,
  readPreferences,
  type PreferenceChanges,
  type Preferences,
} from '#shared/accounts/preferences';
import { readNextAlertWords } from '#shared/member-alerts/next-alert';
import { DomainError } from '#shared/errors';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { listRoomWatches } from '#shared/monitor/watches/watches';
import { timeZoneField } from '#shared/zoned-hours';
import { findPublicPushKey } from '#shared/channels/push/push-keys.server';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';

/** The alert data of the account page. */
async function readAlertSettings({ account, membership }: Viewer) {
  const { db, mail, clock } = serverContext();
  const [watches, devices, test, pushKey] = await Promise.all([
    listRoomWatches(db),
    listPushSubscriptions(db, { userId: account.id }),
    readTestResults(db, { userId: account.id }),
    findPublicPushKey(db),
  ]);
  const preferences = readPreferences(account.preferences);
  const isPro = membership.tier === 'pro';
  const now = clock.now();
  const hasDevice = devices.some(({ endedAt }) => endedAt === null);
  const next = await readNextAlertWords(db, { account, isPro, mailEnabled: mail.enabled, hasDevice, now });
  return {
    preferences,
    isZoneChosen: parsePreferences(account.preferences).timeZone !== undefined,
    isPaused: isPaused(preferences, now),
    next,
    isPro,
    mailEnabled: mail.enabled,
    bouncedAt: account.mail_bounced_at,
    bounceReason: account.mail_bounce_reason,
    watches: watches.map(({ slug, shop, title }) => ({ slug, shop, title })),
    devices,
    pushKey,
    test,
  };
}

/** The fields of the preferences form. */
interface PreferenceFields {
  alertsByEmail: boolean;
  alertsByPush: boolean;
  marketing: boolean;
  /** Absent when the form offers no choice of watches. */
  watchChoice?: 'all' | 'chosen';
  watches: string[];
}

function watchesOf({ watchChoice, watches }: PreferenceFields): Preferences['alerts']['watches'] | undefined {
  if (watchChoice === undefined) return undefined;
  if (watchChoice === 'all') return null;
  if (watches.length > 0) return watches;
  const message = 'Please choose at least one waiting room. To get no alerts, switch them off above.';
  throw new DomainError('Invalid', {
    code: 'no_watch_chosen',
    message,
    fieldErrors: { watches: [message] },
  });
}

/** The preferences of the form. Throws `Invalid` `no_watch_chosen`. */
function preferencesOf(fields: PreferenceFields): PreferenceChanges {
  const { alertsByEmail, alertsByPush, marketing } = fields;
  return { alerts: { email: alertsByEmail, push: alertsByPush, watches: watchesOf(fields) }, marketing };
}

/** The quiet hours of the form; none chosen means none. Throws `Invalid` `invalid`. */
function quietHoursOf({
  quietFrom,
  quietTo,
  timeZone,
}: Record<'quietFrom' | 'quietTo' | 'timeZone', string>): PreferenceChanges {
  const hourOf = (text: string) => (text === '' ? Number.NaN : Number(text));
  const quietHours =
    quietFrom === '' && quietTo === '' ? null : { from: hourOf(quietFrom), to: hourOf(quietTo) };
  const parsed = preferencesField.safeParse({ alerts: { quietHours }, timeZone });
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? '';
  throw new DomainError('Invalid', { code: 'invalid', message, fieldErrors: { quietTo: [message] } });
}

/** When a pause of some days ends that begins now; null: it ends now. */
function pauseOf(days: number): string | null {
  return days === 0 ? null : toIso(serverContext().clock.now() + days * DAY);
}

/** The member's roles on Discord and the invite to the server; null while no role is set, or no bot. */
async function readRoleFacts({ account }: Viewer) {
  const { db, clock, config } = serverContext();
  const discordId = account.discord_id;
  if (config.discord.bot === null || !(await hasRoles(db))) return null;
  const { discordInviteUrl } = await readSiteSettings(db);
  return {
    roles: discordId === null ? null : await readRoles(db, { discordId, now: clock.now() }),
    invite: discordInviteUrl,
  };
}

const LOAD_FAILED = 'Failed to load user data';

/** Null: the account could not be read. Null `sessions`, `alerts`, `follows`, `suggestions`, `passkeys`: these could not be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db, clock, config } = serverContext();
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return null;
  const { account, session } = viewer;
  const sessions = await loadOptional(() => listSessions(db, { accountId: account.id, clock }));
  const alerts = await loadOptional(() => readAlertSettings(viewer));
  const follows = await loadOptional(() =>
    listFollows(db, { userId: account.id, tier: viewer.membership.tier, now: clock.now() }),
  );
  const archive = await loadOptional(() => readExportState(db, { accountId: account.id, clock }));
  const passkeys = await loadOptional(() => listPasskeys(db, account.id));
  const suggestions = await loadOptional(() => listOwnSuggestions(db, account.id));
  const roles = await loadOptional(() => readRoleFacts(viewer));
  const { email, username, discord } = toProfile(viewer);
  return {
    email,
    username,
    alerts,
    follows,
    suggestions,
    archive,
    roles,
    tier: viewer.membership.tier,
    hasPassword: account.password_hash !== null,
    discord: discord ?? null,
    passkeyHost: config.passkeys?.rpId ?? null,
    passkeys:
      passkeys &&
      passkeys.map((row) => ({
        id: row.id,
        credentialId: row.credential_id,
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        refused: row.refused_at !== null,
      })),
    now: toIso(clock.now()),
    sessions:
      sessions && sessions.map((listed) => ({ ...listed, current: listed.id === listedIdOf(session) })),
  };
}

const ADD_FAILED = 'Failed to add a passkey';

const FAILED = {
  name: 'Failed to update profile',
  preferences: 'Failed to update profile',
  quiet: 'Failed to update profile',
  pause: 'Failed to update profile',
  removeDevice: 'Failed to remove the device',
  test: 'Failed to send a test',
  revoke: SIGN_OUT_FAILED,
  revokeOthers: SIGN_OUT_FAILED,
  unfollow: 'Failed to stop following',
  suggest: 'Failed to suggest the product',
  checkRoles: 'Failed to check your roles',
  password: 'Failed to change the password',
  passwordCode: 'Failed to send a code',
  export: 'Failed to request your data',
  passkeyCode: 'Failed to send a code',
  startPasskey: ADD_FAILED,
  addPasskey: ADD_FAILED,
  renamePasskey: 'Failed to rename the passkey',
  removePasskey: 'Failed to remove the passkey',
} as const;

const ticked = z.boolean().default(false);

const forms = pageForms(
  { path: '/account', access: requireMember, failed: FAILED },
  {
    name: operationForm(accountOperations.updateProfile, { schema: z.object({ username: usernameField }) }),
    preferences: operationForm(accountOperations.updatePreferences, {
      schema: z.object({
        alertsByEmail: ticked,
        alertsByPush: ticked,
        marketing: ticked,
        watchChoice: z.enum(['all', 'chosen']).optional(),
        watches: z.array(z.string()).default([]),
      }),
      input: (fields) => ({ preferences: preferencesOf(fields) }),
    }),
    quiet: operationForm(accountOperations.updatePreferences, {
      schema: z.object({ quietFrom: textField, quietTo: textField, timeZone: timeZoneField }),
      input: (fields) => ({ preferences: quietHoursOf(fields) }),
    }),
    pause: operationForm(accountOperations.updatePreferences, {
      schema: z.object({ days: z.enum(['0', '1', '7']) }),
      input: ({ days }) => ({ preferences: { alerts: { pausedUntil: pauseOf(Number(days)) } } }),
    }),
    removeDevice: operationForm(pushOperations.remove, {
      schema: z.object({ deviceId: textField }),
      input: ({ deviceId }) => ({ id: deviceId }),
    }),
    test: operationForm(testOperations.send, {}),
    revoke: operationForm(accountOperations.endSession, {
      schema: z.object({ sessionId: textField }),
      input: ({ sessionId }) => ({ id: sessionId }),
    }),
    revokeOthers: operationForm(accountOperations.endOtherSessions, {}),
    unfollow: operationForm(followOperations.unfollow, {}),
    suggest: operationForm(followOperations.suggest, {}),
    checkRoles: operationForm(roleOperations.check, {}),
    password: operationForm(passwordOperations.change, {
      secret: ['newPassword', 'currentPassword', 'code'],
    }),
    passwordCode: operationForm(passwordOperations.sendCode, {}),
    export: operationForm(personalDataOperations.requestExport, {}),
    passkeyCode: operationForm(passwordOperations.sendCode, {}),
    startPasskey: operationForm(passkeyOperations.startAdding, {
      secret: ['currentPassword', 'code'],
      outcome: (details) => ({ stay: true, details }),
    }),
    addPasskey: operationForm(passkeyOperations.add, { secret: ['response'] }),
    renamePasskey: operationForm(passkeyOperations.rename, {}),
    removePasskey: operationForm(passkeyOperations.remove, {}),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

/** iPhone and iPad offer notifications to sites that a manifest lets on to the Home Screen (webkit.org/blog/13878). */
export const links: LinksFunction = () => [
  ...signedInStyles(),
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export const meta: MetaFunction = () => titled('Account');

type Loaded = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>>;

export default function Account() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <h1 className="text-heading">Account</h1>
        {loaded === null ? (
          <div className="mt-6">
            <Panel title="Your account">
              <LoadFailed retryPath="/account">{LOAD_FAILED}</LoadFailed>
            </Panel>
          </div>
        ) : (
          <AccountPanels loaded={loaded} />
        )}
      </main>
    </>
  );
}

function AccountPanels({ loaded }: { loaded: Loaded }) {
  const { email, discord, sessions, now } = loaded;
  return (
    <>
      <div className="mt-3 flex items-center gap-3">
        <Avatar name={loaded.username} url={discord?.avatar ?? null} />
        <p className="min-w-0 wrap-anywhere text-soft">
          {email}
          {discord === null ? null : `, connected to Discord as ${discord.username}`}
        </p>
      </div>
      <div className="mt-6 grid items-start gap-5 lg:grid-cols-2">
        <AlertsPanel settings={loaded.alerts} email={email} now={now} />
        <div className="grid gap-5">
          <FollowedProducts follows={loaded.follows} tier={loaded.tier} suggestions={loaded.suggestions} />
          <NamePanel username={loaded.username} />
          {loaded.roles === null ? null : <DiscordPanel {...loaded.roles} />}
          <PasswordPanel email={email} hasPassword={loaded.hasPassword} />
          <PasskeyPanel
            passkeys={loaded.passkeys}
            host={loaded.passkeyHost}
            hasPassword={loaded.hasPassword}
            now={now}
          />
          <Panel title="Where you are signed in">
            {sessions === null ? (
              <LoadFailed retryPath="/account">{LOAD_FAILED}</LoadFailed>
            ) : (
              <>
                <p className="text-soft">Sign out any session you do not recognise.</p>
                <SessionList sessions={sessions} now={now} />
              </>
            )}
          </Panel>
          <DataPanel archive={loaded.archive} now={now} />
        </div>
      </div>
    </>
  );
}

function NamePanel({ username }: { username: string }) {
  const { Form, result, latest, pendingIntent } = useForms(['name']);
  const { form, field } = useFields('name', latest, { username });
  return (
    <Panel title="Your name">
      <FormNotice result={result} fields={['username']} />
      <Form method="post" preventScrollReset {...form} className="grid gap-4">
        <TextField
          {...field('username')}
          label="Name"
          autoComplete="nickname"
          hint="Shown in the menu and next to what you write."
        />
        <p>
          <Button name="intent" value="name" pending={pendingIntent === 'name'}>
            Save name
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
