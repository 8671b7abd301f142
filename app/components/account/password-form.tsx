import { getFormProps, useForm } from '@conform-to/react';
import { useLastResult, type Forms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { FailureNotice } from '~/components/ui/notice';
import { KeepTokenField } from './login-forms';

interface Credentials {
  email: string;
  password: string;
}

export const NEW_PASSWORD_HINT = 'At least 10 characters. A few words you can remember are best.';

const KINDS = {
  login: { intent: 'login', button: 'Log in', autoComplete: 'current-password', hint: undefined },
  register: {
    intent: 'register',
    button: 'Create account',
    autoComplete: 'new-password',
    hint: NEW_PASSWORD_HINT,
  },
} as const;

interface PasswordFormProps {
  kind: keyof typeof KINDS;
  forms: Forms;
}

/**
 * The email and password form of the page's `forms`, for login or registration. In a separate file because the landing
 * page loads the other login forms, and this one brings conform with it.
 */
export function PasswordForm({ kind, forms: { Form, latest, pendingIntent } }: PasswordFormProps) {
  const [form, fields] = useForm<Credentials>({ id: kind, lastResult: useLastResult(latest) });
  const { intent, button, autoComplete, hint } = KINDS[kind];
  return (
    <Form method="post" {...getFormProps(form)} className="grid gap-4">
      {kind === 'login' ? <KeepTokenField /> : null}
      {form.errors === undefined ? null : (
        <div id={form.errorId}>
          <FailureNotice result={latest}>{form.errors.join(' ')}</FailureNotice>
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
