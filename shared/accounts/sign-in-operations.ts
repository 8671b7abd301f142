import { z } from 'zod';
import { MINUTE, SECOND } from '../clock';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import { operation, type Client } from '../operation';
import { counted } from '../format';
import { codeField, emailField, newPasswordField, passwordField } from './account-fields';
import type { AccountsContext } from './accounts-context';
import { resendCode } from './codes/resend-code';
import { verifyCode } from './codes/verify-code';
import { signInWithDiscord, type DiscordProfile, type VerifyFirst } from './discord/sign-in-with-discord';
import type { SignedIn } from './open-session';
import { loginWithPassword } from './passwords/login-with-password';
import { registerWithPassword } from './passwords/register-with-password';
import { revokeByTokens } from './sessions';

/** The response to each request for a code, even if none was sent, so that it does not reveal which accounts exist. */
export const CODE_SENT = 'Verification code sent! Please check your email.';

/** The browser's secret key, from its pending sign-in; null for an API call without cookies. */
const browserKey = z.string().nullable();
const emailOf = ({ email }: { email: string }) => email;
const accountOf = ({ account }: SignedIn) => account;

/** The error after too many wrong passwords; the same for addresses without an account. */
function tooManyGuesses({ retryAfterSeconds = 0 }: DomainError): DomainError {
  const minutes = Math.ceil((retryAfterSeconds * SECOND) / MINUTE);
  const message = `There were too many wrong passwords for this account, so it accepts none for now. Sign in with Discord, or try again in ${counted(minutes, 'minute')}.`;
  return new DomainError('RateLimited', { code: 'account_guessed', message, retryAfterSeconds });
}

/** The error for a Discord callback that belongs to no pending sign-in of this browser. */
export function invalidDiscordState(): DomainError {
  const message = 'This sign-in was already used or took too long. Please start again.';
  return new DomainError('Invalid', { code: 'invalid_state', message });
}

/** How people sign in and out, except with a passkey. */
export const signInOperations = {
  register: operation({
    access: 'public',
    limit: { name: 'register', by: 'network' },
    input: z.object({ email: emailField, password: newPasswordField, browserKey }),
    run: (context: AccountsContext, { network }: Client, registration) =>
      registerWithPassword(context, { ...registration, network }),
    sentence: CODE_SENT,
  }),
  login: operation({
    access: 'public',
    limit: [
      { name: 'loginAccount', by: 'network', of: emailOf },
      { name: 'loginAddress', by: 'network' },
      // Discord sign-in is not affected, so a stranger's guesses cannot lock out the owner.
      { name: 'loginEverywhere', by: 'everybody', of: emailOf, refused: tooManyGuesses },
    ],
    refundsSuccess: true,
    signIn: { way: 'password', emailOf, accountOf },
    input: z.object({ email: emailField, password: passwordField, browserKey }),
    run: (context: AccountsContext, client: Client, login) =>
      loginWithPassword(context, { ...login, ...client }),
  }),
  verify: operation({
    access: 'public',
    limit: [
      // Counted per pending sign-in: other clients' attempts must not lock out the browser that requested the code.
      {
        name: 'verifyAccount',
        by: 'everybody',
        of: ({ email, browserKey: key }) => `${email} ${key === null ? 'api' : `browser ${key}`}`,
      },
      { name: 'verifyAddress', by: 'network' },
      // A stranger's guesses must not block a sign-in that Discord has authenticated.
      { name: 'verifyEverywhere', by: 'everybody', of: ({ email, byDiscord }) => (byDiscord ? null : email) },
    ],
    refundsSuccess: true,
    signIn: { way: 'code', emailOf, accountOf },
    input: z.object({
      email: emailField,
      code: codeField,
      browserKey,
      /** Whether Discord has authenticated the sign-in. */
      byDiscord: z.boolean(),
    }),
    run: (
      context: AccountsContext,
      { userAgent, earlierSignIns }: Client,
      { email, code, browserKey: key },
    ) => verifyCode(context, { email, code, browserKey: key, userAgent, earlierSignIns }),
  }),
  /** Sends another code if the address needs one. */
  resend: operation({
    access: 'public',
    limit: { name: 'resend', by: 'network' },
    input: z.object({ email: emailField, browserKey }),
    run: (context: AccountsContext, { network }: Client, request) =>
      resendCode(context, { ...request, network }),
    sentence: CODE_SENT,
  }),
  /** Starts a sign-in with Discord. Returns whether Discord also asks for permission to add the user to the server. */
  startDiscord: operation({
    access: 'public',
    limit: { name: 'discord', by: 'network' },
    signIn: { way: 'discord', accountOf: () => null },
    run: ({ serverJoins }: { serverJoins: { asksToJoin(): Promise<boolean> } }) => serverJoins.asksToJoin(),
  }),
  discord: operation({
    access: 'public',
    limit: [
      { name: 'discord', by: 'network' },
      // A copied cookie cannot replay a sign-in.
      { name: 'discordState', by: 'everybody', of: ({ state }) => state, refused: invalidDiscordState },
    ],
    signIn: {
      way: 'discord',
      accountOf: (outcome: SignedIn | VerifyFirst) => (outcome.kind === 'verify' ? null : outcome.account),
    },
    // The profile is read from Discord once the limits allow it.
    input: z.object({
      state: z.string(),
      browserKey: z.string(),
      readProfile: z.custom<() => Promise<DiscordProfile>>(),
    }),
    run: async (
      context: AccountsContext,
      { userAgent, earlierSignIns }: Client,
      { browserKey, readProfile },
    ) => signInWithDiscord(context, { profile: await readProfile(), browserKey, userAgent, earlierSignIns }),
  }),
  /** Ends the sessions of these tokens. */
  logout: operation({
    access: 'public',
    input: z.object({ tokens: z.array(z.string()) }),
    run: ({ db }: { db: Database }, _client: Client, input) => revokeByTokens(db, input),
  }),
};
