import { z } from 'zod';

/** RFC 5321, section 4.5.3.1.3: a path of 256 octets holds an address of 254. */
const LONGEST_EMAIL = 254;
export const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 200;
const LONGEST_USERNAME = 40;

/** Length as people count it: an emoji or an accented letter is one. */
function lengthOf(text: string): number {
  return [...text].length;
}

/**
 * A mail address, trimmed and in lower case: the form in which accounts are found. It is checked as it was written:
 * lower case makes an ASCII `k` of the Kelvin sign, and so another address.
 */
export const emailField = z
  .string('Please enter your email address.')
  .trim()
  .max(LONGEST_EMAIL, { error: 'This email address is too long.', abort: true })
  .pipe(z.email('Please enter a valid email address.'))
  .transform((address) => address.toLowerCase());

/** A password that somebody chooses. */
export const newPasswordField = z
  .string('Please choose a password.')
  .refine(
    (text) => lengthOf(text) >= SHORTEST_PASSWORD,
    `Please use at least ${SHORTEST_PASSWORD} characters.`,
  )
  .refine((text) => lengthOf(text) <= LONGEST_PASSWORD, `Please use at most ${LONGEST_PASSWORD} characters.`);

/** A password that somebody claims to have: what could never have been chosen is simply wrong, but not endless. */
export const passwordField = z
  .string('Please enter your password.')
  .min(1, 'Please enter your password.')
  .max(4 * LONGEST_PASSWORD, 'This password is too long.');

/** A verification code; spaces around it, as copying brings them, do not count. */
export const codeField = z
  .string('Verification code must be 6 digits')
  .trim()
  .regex(/^[0-9]{6}$/, 'Verification code must be 6 digits');

/** A name to be called by, shown beside articles and to admins. */
export const usernameField = z
  .string('Please enter a name.')
  .trim()
  .min(1, 'Please enter a name.')
  .refine((text) => lengthOf(text) <= LONGEST_USERNAME, `Please use at most ${LONGEST_USERNAME} characters.`)
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), 'Please use visible characters only.');

/** What a member may choose; what is left out stays as it is. */
export const preferencesField = z.object({
  alerts: z.object({ email: z.boolean().optional(), push: z.boolean().optional() }).optional(),
  marketing: z.boolean().optional(),
});

export type PreferenceChanges = z.infer<typeof preferencesField>;

/** A text from elsewhere as a username: cut to size, or the fallback when nothing of it can be shown. */
export function toUsername(text: string, fallback = 'Member'): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  return [...visible].slice(0, LONGEST_USERNAME).join('').trim() || fallback;
}
