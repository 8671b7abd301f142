import { parseWithZod } from '@conform-to/zod/v4';
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
import { toProfile } from '#shared/accounts/profile';
import { listedIdOf, listSessions, revokeSession } from '#shared/accounts/sessions';
import { PRODUCT_NAME } from '#shared/brand';
import { toIso } from '#shared/clock';
import { SessionList } from '~/components/account/session-list';
import { answerUnlessLost, LOST } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';
import { failureOf } from '~/http/failures.server';
import { refuseForm } from '~/http/form-refusal.server';
import { readPageForm, unknownIntent } from '~/http/page-form.server';
import { serverContext } from '~/http/server-context.server';
import { requireMember } from '~/http/session.server';

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

export async function loader({ request }: LoaderFunctionArgs) {
  const { account, session } = await requireMember(request);
  const { db, clock } = serverContext();
  const sessions = await listSessions(db, { accountId: account.id, clock });
  const { email, username, preferences, discord } = toProfile(account);
  const what = new URL(request.url).searchParams.get('saved') ?? '';
  return {
    email,
    username,
    preferences,
    discordName: discord?.username ?? null,
    notice: Object.hasOwn(SAVED, what) ? SAVED[what as keyof typeof SAVED] : null,
    now: toIso(clock.now()),
    sessions: sessions.map((row) => ({
      id: row.id,
      current: row.id === listedIdOf(session),
      userAgent: row.user_agent,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    })),
  };
}

async function saveName(accountId: string, form: URLSearchParams) {
  const { db, clock } = serverContext();
  const submission = parseWithZod(form, { schema: usernameForm });
  if (submission.status !== 'success') return { name: submission.reply(), refused: null };
  try {
    await updateProfile(db, { accountId, username: submission.value.username, clock });
    return saved('name');
  } catch (error) {
    return { name: refuseForm(submission, error), refused: null };
  }
}

async function savePreferences(accountId: string, form: URLSearchParams) {
  const { db, clock } = serverContext();
  const ticked = (name: string) => form.get(name) === 'on';
  const preferences = {
    alerts: { email: ticked('alertsByEmail'), push: ticked('alertsByPush') },
    marketing: ticked('marketing'),
  };
  await updatePreferences(db, { accountId, preferences, clock });
  return saved('preferences');
}

/** The page's forms, told apart by their button. */
export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireMember(request);
  const { db, limits } = serverContext();
  const form = await readPageForm(request);
  try {
    await limits.take([{ limit: 'accountWrite', key: account.id }]);
    switch (form.get('intent')) {
      case 'name':
        return await saveName(account.id, form);
      case 'preferences':
        return await savePreferences(account.id, form);
      case 'revoke':
        await revokeSession(db, { accountId: account.id, sessionId: form.get('sessionId') ?? '' });
        return saved('session');
      default:
        throw unknownIntent();
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { name: undefined, refused: failure.message };
  }
}

export const clientAction = (args: ClientActionFunctionArgs) =>
  answerUnlessLost(args, () => ({ name: undefined, refused: LOST }));

export const meta: MetaFunction = () => [{ title: `Account · ${PRODUCT_NAME}` }];

export default function Account() {
  const { email, discordName, notice, sessions, now } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer?.refused ?? null;
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <h1 className="text-heading">Account</h1>
        <p className="mt-2 text-soft">
          {email}
          {discordName === null ? null : `, connected to Discord as ${discordName}`}
        </p>
        <div className="mt-6 grid gap-5 empty:hidden">
          {refused === null ? null : <Notice kind="error">{refused}</Notice>}
          {notice === null || answer !== undefined ? null : <Notice kind="success">{notice}</Notice>}
        </div>
        <div className="mt-6 grid items-start gap-5 lg:grid-cols-2">
          <div className="lg:row-span-2">
            <Panel title="Where you are signed in">
              <p className="text-soft">Sign out whatever you do not know.</p>
              <SessionList sessions={sessions} now={now} />
            </Panel>
          </div>
          <NamePanel lastResult={answer?.name} />
          <PreferencesPanel />
        </div>
      </main>
    </>
  );
}

function usePendingIntent() {
  const navigation = useNavigation();
  return navigation.state === 'idle' ? null : (navigation.formData?.get('intent') ?? null);
}

function NamePanel({ lastResult }: { lastResult: SubmissionResult | undefined }) {
  const { username } = useLoaderData<typeof loader>();
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

function PreferencesPanel() {
  const { preferences } = useLoaderData<typeof loader>();
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
