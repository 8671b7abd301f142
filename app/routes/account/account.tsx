import { getFormProps, useForm, type SubmissionResult } from '@conform-to/react';
import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ClientActionFunctionArgs,
} from '@remix-run/react';
import { z } from 'zod';
import { usernameField } from '#shared/accounts/account-fields';
import { updatePreferences, updateProfile } from '#shared/accounts/change-account';
import { toProfile, type Preferences } from '#shared/accounts/profile';
import { listedIdOf, listSessions, revokeSession } from '#shared/accounts/sessions';
import { PRODUCT_NAME } from '#shared/brand';
import { toIso } from '#shared/clock';
import { Avatar } from '~/components/account/avatar';
import { SIGN_OUT_FAILED } from '~/components/account/sign-out-failed';
import { SessionList } from '~/components/account/session-list';
import { LoadFailed } from '~/components/admin/load-failed';
import { answerUnlessLost, LOST } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';
import { failureOf } from '~/http/failures.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { notePageFault } from '~/http/page-fault.server';
import { parsePageForm, readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireMember } from '~/http/auth/session.server';

const usernameForm = z.object({ username: usernameField });

/** What a form of this page leads back to, and what it then says. */
const SAVED = {
  name: 'Your name is saved.',
  preferences: 'Your preferences are saved.',
  session: 'That session is signed out.',
} as const;

function saved(what: keyof typeof SAVED) {
  return redirect(`/account?saved=${what}`, 303);
}

const LOAD_FAILED = 'Failed to load user data';

/** A part that cannot be read says so; null: the account itself could not be read. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db, clock } = serverContext();
  const viewer = await loadOrSay(request, () => requireMember(request));
  if (viewer === null) return null;
  const { account, session } = viewer;
  const sessions = await loadOrSay(request, () => listSessions(db, { accountId: account.id, clock }));
  const { email, username, preferences, discord } = toProfile(viewer);
  const what = new URL(request.url).searchParams.get('saved') ?? '';
  return {
    email,
    username,
    preferences,
    discord: discord ?? null,
    notice: Object.hasOwn(SAVED, what) ? SAVED[what as keyof typeof SAVED] : null,
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

async function saveName(accountId: string, form: URLSearchParams): Promise<Response | FailedForm> {
  const { db, clock } = serverContext();
  const submission = parsePageForm(form, usernameForm);
  if (submission.status !== 'success') return { name: submission.reply(), refused: null };
  await updateProfile(db, { accountId, username: submission.value.username, clock });
  return saved('name');
}

function tickedPreferences(form: URLSearchParams): Preferences {
  const ticked = (name: string) => form.get(name) === 'on';
  return {
    alerts: { email: ticked('alertsByEmail'), push: ticked('alertsByPush') },
    marketing: ticked('marketing'),
  };
}

async function savePreferences(accountId: string, form: URLSearchParams) {
  const { db, clock } = serverContext();
  await updatePreferences(db, { accountId, preferences: tickedPreferences(form), clock });
  return saved('preferences');
}

async function revoke(accountId: string, form: URLSearchParams) {
  await revokeSession(serverContext().db, { accountId, sessionId: form.get('sessionId') ?? '' });
  return saved('session');
}

/** What each of the page's forms says when it went wrong for no known reason. */
const FAILED = {
  name: 'Failed to update profile',
  preferences: 'Failed to update profile',
  revoke: SIGN_OUT_FAILED,
} as const;

type Intent = keyof typeof FAILED;

interface FailedForm {
  name?: SubmissionResult;
  preferences?: Preferences;
  refused: string | null;
}

/** The answer to a form that failed. It gives back what was entered: without scripts the page is made anew. */
function failedForm(request: Request, intent: Intent, form: URLSearchParams, error: unknown): FailedForm {
  const failure = failureOf(error);
  if (failure === null) notePageFault(request, error, { intent, message: 'a form failed' });
  const message = failure?.message ?? FAILED[intent];
  switch (intent) {
    case 'name': {
      const submission = parsePageForm(form, usernameForm);
      return { name: submission.reply({ formErrors: [message] }), refused: null };
    }
    case 'preferences':
      return { preferences: tickedPreferences(form), refused: message };
    case 'revoke':
      return { refused: message };
  }
}

function asIntent(value: string | null): Intent | null {
  return value !== null && Object.hasOwn(FAILED, value) ? (value as Intent) : null;
}

/** The page's forms, told apart by their button. */
export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireMember(request);
  const form = await readPageForm(request);
  const intent = asIntent(form.get('intent'));
  if (intent === null) throw unknownIntent();
  try {
    await serverContext().limits.take([{ limit: 'accountWrite', key: account.id }]);
    const work = { name: saveName, preferences: savePreferences, revoke }[intent];
    return await work(account.id, form);
  } catch (error) {
    return failedForm(request, intent, form, error);
  }
}

export const clientAction = (args: ClientActionFunctionArgs) =>
  answerUnlessLost<FailedForm>(args, (given) => {
    const intent = asIntent(given);
    return { refused: intent === null ? LOST : FAILED[intent] };
  });

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
  const { email, discord, notice, sessions, now } = loaded;
  const answer = useActionData<typeof action>();
  const refused = answer?.refused ?? null;
  return (
    <>
      <div className="mt-3 flex items-center gap-3">
        <Avatar name={loaded.username} picture={discord?.avatar ?? null} />
        <p className="min-w-0 break-words text-soft">
          {email}
          {discord === null ? null : `, connected to Discord as ${discord.username}`}
        </p>
      </div>
      <div className="mt-6 grid gap-5 empty:hidden">
        {refused === null ? null : <Notice kind="error">{refused}</Notice>}
        {notice === null || answer !== undefined ? null : <Notice kind="success">{notice}</Notice>}
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
        <NamePanel username={loaded.username} lastResult={answer?.name} />
        <PreferencesPanel preferences={answer?.preferences ?? loaded.preferences} />
      </div>
    </>
  );
}

function usePendingIntent() {
  const navigation = useNavigation();
  return navigation.state === 'idle' ? null : (navigation.formData?.get('intent') ?? null);
}

function NamePanel({ username, lastResult }: { username: string; lastResult: SubmissionResult | undefined }) {
  const pending = usePendingIntent();
  const [form, fields] = useForm<{ username: string }>({
    id: 'name',
    lastResult,
    defaultValue: { username },
  });
  return (
    <Panel title="Your name">
      <Form method="post" preventScrollReset {...getFormProps(form)} className="grid gap-4">
        {form.errors === undefined ? null : <Notice kind="error">{form.errors.join(' ')}</Notice>}
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
          <Button name="intent" value="name" pending={pending === 'name'}>
            Save name
          </Button>
        </p>
      </Form>
    </Panel>
  );
}

function PreferencesPanel({ preferences }: { preferences: Preferences }) {
  const pending = usePendingIntent();
  return (
    <Panel title="Preferences">
      <Form method="post" preventScrollReset className="grid gap-4">
        <fieldset>
          <legend className="sr-only">What we may send you</legend>
          <Checkbox
            id="alerts-by-email"
            name="alertsByEmail"
            label="Alerts by email"
            hint="For Pro members, the moment a waiting room opens."
            defaultChecked={preferences.alerts.email}
          />
          <Checkbox
            id="alerts-by-push"
            name="alertsByPush"
            label="Alerts as notifications"
            hint="For Pro members, on devices that you allow."
            defaultChecked={preferences.alerts.push}
          />
          <Checkbox
            id="marketing"
            name="marketing"
            label="Product news by email"
            hint="What is new here, now and then."
            defaultChecked={preferences.marketing}
          />
        </fieldset>
        <p>
          <Button name="intent" value="preferences" pending={pending === 'preferences'}>
            Save preferences
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
