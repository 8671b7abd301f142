import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { Panel } from '~/components/ui/card';
import { CodeField } from './code-field';
import { NEW_PASSWORD_HINT } from './password-form';

const FIELDS = ['currentPassword', 'code', 'newPassword'] as const;

/** Changes the password; an account without one sets its first with a code from its mail. */
export function PasswordPanel({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { Form, result, latest, pendingIntent } = useForms<unknown>(['password', 'passwordCode']);
  const change = latest?.intent === 'password' ? latest : null;
  const { form, fields } = useFields('password', FIELDS, { result: change });
  return (
    <Panel title="Password">
      <div className="grid gap-4">
        <FormNotice result={result} fields={FIELDS} />
        {hasPassword ? null : (
          <>
            <p className="text-soft">
              Your account has no password. With one, you can sign in without Discord. To set it, we send a
              code to your email address first.
            </p>
            <Form method="post" preventScrollReset>
              <Button name="intent" value="passwordCode" pending={pendingIntent === 'passwordCode'}>
                Send me a code
              </Button>
            </Form>
          </>
        )}
        {/* The key empties the fields after a success. */}
        <Form
          key={change?.ok === true ? 'saved' : 'open'}
          method="post"
          preventScrollReset
          {...form}
          className="grid gap-4"
        >
          {/* Password managers read the account from it. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          {hasPassword ? (
            <TextField
              id={fields.currentPassword.id}
              name={fields.currentPassword.name}
              label="Current password"
              type="password"
              autoComplete="current-password"
              errors={fields.currentPassword.errors}
            />
          ) : (
            <CodeField
              id={fields.code.id}
              name={fields.code.name}
              label="Code from the mail"
              errors={fields.code.errors}
            />
          )}
          <TextField
            id={fields.newPassword.id}
            name={fields.newPassword.name}
            label={hasPassword ? 'New password' : 'Password'}
            type="password"
            autoComplete="new-password"
            hint={`${NEW_PASSWORD_HINT} You are signed out everywhere else.`}
            errors={fields.newPassword.errors}
          />
          <p>
            <Button name="intent" value="password" pending={pendingIntent === 'password'}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </p>
        </Form>
      </div>
    </Panel>
  );
}
