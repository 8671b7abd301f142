import type { useFields } from '~/components/forms/use-forms';
import { TextField } from '~/components/ui/fields';
import { CodeField } from './code-field';

type ProofFieldProps = Pick<ReturnType<typeof useFields>, 'field'> & { hasPassword: boolean };

/** Proves that the owner changes the sign-in methods: the password, or without one a mailed code. */
export function ProofField({ field, hasPassword }: ProofFieldProps) {
  return hasPassword ? (
    <TextField
      {...field('currentPassword')}
      label="Current password"
      type="password"
      autoComplete="current-password"
    />
  ) : (
    <CodeField {...field('code')} label="Code from the email" />
  );
}
