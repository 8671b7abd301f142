import { FormNotice, useFields, type Forms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { KeepTokenField } from './login-forms';

const FIELDS = ['email', 'password'] as const;

export const NEW_PASSWORD_HINT = 'At least 10 characters. A few words you can remember are best.';

const KINDS = {
  login: {
    intent: 'login',
    button: 'Log in',
    // Browsers offer passkeys in it as well.
    username: 'username webauthn',
    autoComplete: 'current-password',
    hint: undefined,
  },
  register: {
    intent: 'register',
    button: 'Create account',
    username: 'username',
    autoComplete: 'new-password',
    hint: NEW_PASSWORD_HINT,
  },
} as const;

interface PasswordFormProps {
  kind: keyof typeof KINDS;
  forms: Forms;
}

/** The email and password form of the page's `forms`, for login or registration. */
export function PasswordForm({ kind, forms: { Form, latest, pendingIntent } }: PasswordFormProps) {
  const { form, field } = useFields(kind, latest);
  const { intent, button, username, autoComplete, hint } = KINDS[kind];
  return (
    <Form method="post" {...form} className="grid gap-4">
      {kind === 'login' ? <KeepTokenField /> : null}
      <TextField {...field('email')} label="Email" type="email" autoComplete={username} />
      <TextField
        {...field('password')}
        label="Password"
        type="password"
        autoComplete={autoComplete}
        hint={hint}
      />
      <Button variant="primary" name="intent" value={intent} wide pending={pendingIntent === intent}>
        {button}
      </Button>
      {/* Last, in a place that is kept for a line, so that it moves nothing when it comes. */}
      <div className="min-h-12">
        <FormNotice result={latest} fields={FIELDS} />
      </div>
    </Form>
  );
}
