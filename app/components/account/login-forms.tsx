import { useState, type ReactNode } from 'react';
import { getFormProps, useForm } from '@conform-to/react';
import { useLastResult, type Forms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { ChatIcon, ChevronIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/ui/use-hydrated';
import { useSignInPath } from './next-path';

/** Requests a token for local storage from the login. Rendered only with scripts, which store it. */
export function KeepTokenField() {
  return useHydrated() ? <input type="hidden" name="scripts" value="on" /> : null;
}

/** Signs in with Discord. A plain form, because it redirects to Discord. `ready`: whether Discord login is configured. */
export function DiscordSignIn({ ready }: { ready: boolean }) {
  const [leaving, setLeaving] = useState(false);
  const signInPath = useSignInPath();
  if (!ready) return <p className="text-soft">Sign-in with Discord is not set up on this server.</p>;
  return (
    <form method="post" action={signInPath('/auth/discord')} onSubmit={() => setLeaving(true)}>
      <Button variant="primary" wide pending={leaving}>
        {leaving ? null : <ChatIcon />}
        Sign in with Discord
      </Button>
    </form>
  );
}

/**
 * Explains how to sign in without the password: a Discord account with the same email address opens the same account.
 * `discordReady`: whether Discord login is configured.
 */
export function ForgottenPassword({ discordReady }: { discordReady: boolean }) {
  return (
    <p className="text-small text-soft">
      <strong className="font-semibold text-ink">Forgot your password?</strong>{' '}
      {discordReady
        ? 'Sign in with Discord, with a Discord account that has the same email address and has verified it. It opens the same account here.'
        : 'Passwords cannot be reset yet, and sign-in with Discord is not set up on this server. Please ask the people who run it.'}
    </p>
  );
}

/** The password forms, collapsed unless `open`. */
export function PasswordDisclosure({ open, children }: { open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="group border-t border-line pt-4">
      <summary className="flex min-h-10 cursor-pointer list-none items-center justify-between gap-3 rounded-control font-semibold [&::-webkit-details-marker]:hidden">
        Use email and password instead
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

interface Credentials {
  email: string;
  password: string;
}

const KINDS = {
  login: { intent: 'login', button: 'Log in', autoComplete: 'current-password', hint: undefined },
  register: {
    intent: 'register',
    button: 'Create account',
    autoComplete: 'new-password',
    hint: 'At least 10 characters. A few words you can remember are best.',
  },
} as const;

/** The email and password form of the page's `forms`, for login or registration. */
export function PasswordForm({
  kind,
  forms: { Form, latest, pendingIntent },
}: {
  kind: keyof typeof KINDS;
  forms: Forms;
}) {
  const [form, fields] = useForm<Credentials>({ id: kind, lastResult: useLastResult(latest) });
  const { intent, button, autoComplete, hint } = KINDS[kind];
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-4">
      {kind === 'login' ? <KeepTokenField /> : null}
      {form.errors === undefined ? null : (
        <div id={form.errorId}>
          <Notice kind="error">{form.errors.join(' ')}</Notice>
        </div>
      )}
      <TextField
        id={fields.email.id}
        name={fields.email.name}
        label="Email"
        type="email"
        autoComplete="username"
        defaultValue={fields.email.initialValue}
        errors={fields.email.errors}
      />
      <TextField
        id={fields.password.id}
        name={fields.password.name}
        label="Password"
        type="password"
        autoComplete={autoComplete}
        hint={hint}
        errors={fields.password.errors}
      />
      <Button variant="primary" name="intent" value={intent} wide pending={pendingIntent === intent}>
        {button}
      </Button>
    </Form>
  );
}
