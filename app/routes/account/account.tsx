import { getFormProps, useForm } from '@conform-to/react';
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import type { Account as AccountRow } from '#shared/accounts/account';
import { usernameField } from '#shared/accounts/account-fields';
import { updatePreferences, updateProfile } from '#shared/accounts/change-account';
import type { Preferences } from '#shared/accounts/preferences';
import { toProfile } from '#shared/accounts/profile';
import { listedIdOf, listSessions, revokeSession } from '#shared/accounts/sessions';
import { PRODUCT_NAME } from '#shared/brand';
import { toIso } from '#shared/clock';
import { Avatar } from '~/components/account/avatar';
import { SIGN_OUT_FAILED } from '~/components/account/sign-out-form';
import { SessionList } from '~/components/account/session-list';
import { LoadFailed } from '~/components/ui/notice';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms, useLastResult } from '~/components/forms/use-forms';
import { PageNav } from '~/components/site/page-nav';
import { Panel } from '~/components/ui/panel';
import { Button } from '~/components/ui/button';
import { Checkbox, TextField } from '~/components/ui/fields';
import { requireMember } from '~/http/auth/session.server';
import { loadOptional } from '~/http/server/failures.server';
import { pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

const LOAD_FAILED = 'Failed to load user data';

/** Null: the account could not be read. Null `sessions`: the sessions could not be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db, clock } = serverContext();
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return null;
  const { account, session } = viewer;
  const sessions = await loadOptional(() => listSessions(db, { accountId: account.id, clock }));
  const { email, username, preferences, discord } = toProfile(viewer);
  return {
    email,
    username,
    preferences,
    discord: discord ?? null,
    now: toIso(clock.now()),
    sessions:
      sessions &&
      sessions.map((row) => ({
        id: row.id,
        current: row.id === listedIdOf(session),
        userAgent: row.user_agent,
        createdAt: row.created_at,
        lastSeenAt: row.last_seen_at,
      })),
  };
}

const FAILED = {
  name: 'Failed to update profile',
  preferences: 'Failed to update profile',
  revoke: SIGN_OUT_FAILED,
} as const;

/** Counts a member's write. Refusal: 429. */
function takeWrite({ id }: AccountRow): Promise<void> {
  return serverContext().limits.take([{ limit: 'accountWrite', key: id }]);
}

const ticked = z.boolean().default(false);

const forms = pageForms(
  { path: '/account', access: requireMember, failed: FAILED },
  {
    name: {
      schema: z.object({ username: usernameField }),
      async run({ username }, { viewer: { account } }) {
        const { db, clock } = serverContext();
        await takeWrite(account);
        await updateProfile(db, { accountId: account.id, username, clock });
      },
      done: 'Your name is saved.',
    },
    preferences: {
      schema: z.object({ alertsByEmail: ticked, alertsByPush: ticked, marketing: ticked }),
      async run({ alertsByEmail, alertsByPush, marketing }, { viewer: { account } }) {
        const { db, clock } = serverContext();
        const preferences = { alerts: { email: alertsByEmail, push: alertsByPush }, marketing };
        await takeWrite(account);
        await updatePreferences(db, { accountId: account.id, preferences, clock });
      },
      done: 'Your preferences are saved.',
    },
    revoke: {
      schema: z.object({ sessionId: textField }),
      async run({ sessionId }, { viewer: { account } }) {
        await takeWrite(account);
        await revokeSession(serverContext().db, { accountId: account.id, sessionId });
      },
      done: 'That session is signed out.',
    },
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `Account · ${PRODUCT_NAME}` }];

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
              <LoadFailed again="/account">{LOAD_FAILED}</LoadFailed>
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
        <p className="min-w-0 break-words text-soft">
          {email}
          {discord === null ? null : `, connected to Discord as ${discord.username}`}
        </p>
      </div>
      <div className="mt-6 grid items-start gap-5 lg:grid-cols-2">
        <div className="lg:row-span-2">
          <Panel title="Where you are signed in">
            {sessions === null ? (
              <LoadFailed again="/account">{LOAD_FAILED}</LoadFailed>
            ) : (
              <>
                <p className="text-soft">Sign out whatever you do not know.</p>
                <SessionList sessions={sessions} now={now} />
              </>
            )}
          </Panel>
        </div>
        <NamePanel username={loaded.username} />
        <PreferencesPanel preferences={loaded.preferences} />
      </div>
    </>
  );
}

function NamePanel({ username }: { username: string }) {
  const { Form, result, latest, pendingIntent } = useForms(['name']);
  const [form, fields] = useForm<{ username: string }>({
    id: 'name',
    lastResult: useLastResult(latest),
    defaultValue: { username },
  });
  return (
    <Panel title="Your name">
      <FormNotice result={result} fields={['username']} />
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-4">
        <TextField
          id={fields.username.id}
          name={fields.username.name}
          label="Name"
          autoComplete="nickname"
          hint="Shown in the menu, and beside what you write."
          defaultValue={fields.username.initialValue}
          errors={fields.username.errors}
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

function PreferencesPanel({ preferences }: { preferences: Preferences }) {
  const { Form, result, pendingIntent } = useForms(['preferences']);
  const typed = result?.ok === false ? result.values : undefined;
  const isTicked = (name: string, saved: boolean) => (typed === undefined ? saved : typed[name] === 'on');
  return (
    <Panel title="Preferences">
      <FormNotice result={result} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <fieldset>
          <legend className="sr-only">What we may send you</legend>
          <Checkbox
            id="alerts-by-email"
            name="alertsByEmail"
            label="Alerts by email"
            hint="For Pro members, the moment a waiting room opens."
            defaultChecked={isTicked('alertsByEmail', preferences.alerts.email)}
          />
          <Checkbox
            id="alerts-by-push"
            name="alertsByPush"
            label="Alerts as notifications"
            hint="For Pro members, on devices that you allow."
            defaultChecked={isTicked('alertsByPush', preferences.alerts.push)}
          />
          <Checkbox
            id="marketing"
            name="marketing"
            label="Product news by email"
            hint="What is new here, now and then."
            defaultChecked={isTicked('marketing', preferences.marketing)}
          />
        </fieldset>
        <p>
          <Button name="intent" value="preferences" pending={pendingIntent === 'preferences'}>
            Save preferences
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
