import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { Panel } from '~/components/ui/card';
import { NEW_PASSWORD_HINT } from './password-form';
import { ProofField } from './proof-field';

const FIELDS = ['currentPassword', 'code', 'newPassword'] as const;

/** Changes the password; an account without one sets its first with a code from its mail. */
export function PasswordPanel({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { Form, result, latest, pendingIntent } = useForms<unknown>(['password', 'passwordCode']);
  const change = latest?.intent === 'password' ? latest : null;
  const { form, field } = useFields('password', change);
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
          <ProofField field={field} hasPassword={hasPassword} />
          <TextField
            {...field('newPassword')}
            label={hasPassword ? 'New password' : 'Password'}
            type="password"
            autoComplete="new-password"
            hint={`${NEW_PASSWORD_HINT} Saving it signs you out everywhere else.`}
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
