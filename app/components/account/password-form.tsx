import { getFormProps, useForm } from '@conform-to/react';
import { useLastResult, type Forms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';
import { KeepTokenField } from './keep-token-field';

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

/** Email and password, for signing in or for signing up: the form of that name out of `forms`. */
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
      <Button look="primary" name="intent" value={intent} wide pending={pendingIntent === intent}>
        {button}
      </Button>
    </Form>
  );
}
