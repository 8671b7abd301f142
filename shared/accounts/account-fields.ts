import { z } from 'zod';
import { hasHidden, removeHidden } from '../hidden-characters';
import { firstCharacters, isInvisible, lengthOf } from '../text';
import { findCode } from './codes/code-text';

/** RFC 5321, section 4.5.3.1.3: a path of 256 octets holds an address of 254. */
const MAX_EMAIL_LENGTH = 254;
export const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 200;
const MAX_USERNAME_LENGTH = 40;

/** A mail address as accounts store it. Validated before it is lower-cased: the Kelvin sign becomes an ASCII `k`. */
export const emailField = z
  .string('Please enter your email address.')
  .trim()
  .max(MAX_EMAIL_LENGTH, { error: 'This email address is too long.', abort: true })
  .pipe(z.email('Please enter a valid email address.'))
  .transform((address) => address.toLowerCase());

export const newPasswordField = z
  .string('Please choose a password.')
  .refine(
    (text) => lengthOf(text) >= MIN_PASSWORD_LENGTH,
    `Please use at least ${MIN_PASSWORD_LENGTH} characters.`,
  )
  .refine(
    (text) => lengthOf(text) <= MAX_PASSWORD_LENGTH,
    `Please use at most ${MAX_PASSWORD_LENGTH} characters.`,
  );

/** An existing password. Only its length is bounded: a password that breaks today's rules is simply wrong. */
export const passwordField = z
  .string('Please enter your password.')
  .min(1, 'Please enter your password.')
  .max(4 * MAX_PASSWORD_LENGTH, 'This password is too long.');

const CODE_RULE = 'Verification code must be 6 digits';

/** A verification code, taken from the text around it (`findCode`). */
export const codeField = z.string(CODE_RULE).transform((text, context) => {
  const code = findCode(text);
  if (code !== null) return code;
  context.addIssue({ code: 'custom', message: CODE_RULE });
  return z.NEVER;
});

/** A display name, shown beside articles and to admins. */
export const usernameField = z
  .string('Please enter a name.')
  .trim()
  .min(1, 'Please enter a name.')
  .refine(
    (text) => lengthOf(text) <= MAX_USERNAME_LENGTH,
    `Please use at most ${MAX_USERNAME_LENGTH} characters.`,
  )
  .refine((text) => !hasHidden(text), 'Please use visible characters only.');

/** Makes a username of outside text: visible characters only, truncated, or the fallback if none are left. */
export function toUsername(text: string, fallback = 'Member'): string {
  const start = firstCharacters(removeHidden(text).trim(), MAX_USERNAME_LENGTH);
  // The cut may leave a part of an emoji.
  const name = removeHidden(start).trim();
  return isInvisible(name) ? fallback : name;
}
