import { z } from 'zod';
import type { PasskeyConfig } from '../../config.server';
import { DomainError } from '../../errors';
import { operation, type Client } from '../../operation';
import { codeField, passwordField } from '../account-fields';
import type { AccountsContext } from '../accounts-context';
import { describeBrowser } from '../describe-device';
import type { SignedIn } from '../open-session';
import { proveOwner, SIGN_IN_CHANGE, type Owner } from '../prove-owner';
import { listedIdOf } from '../sessions';
import { issueChallenge, spendChallenge } from './challenges';
import {
  newPasskeyOptions,
  readNewPasskey,
  responseField,
  signInOptions,
  verifyNewPasskey,
} from './passkey-responses.server';
import {
  addPasskey,
  listPasskeys,
  passkeyNameField,
  removePasskey,
  renamePasskey,
  requireRoom,
} from './passkeys';
import { expiredChallenge, signInWithPasskey } from './sign-in-with-passkey';

/** Throws `Unavailable` `passkeys_unavailable` if the site's address does not support passkeys. */
function requirePasskeys({ config }: AccountsContext): PasskeyConfig {
  if (config.passkeys !== null) return config.passkeys;
  throw new DomainError('Unavailable', {
    code: 'passkeys_unavailable',
    message: 'Passkeys need HTTPS and a host name, which this site’s address does not have.',
  });
}

const browserKey = z.string();
const browserHolder = (key: string): string => `sign in, browser ${key}`;
const sessionHolder = ({ session }: Owner): string => `add, session ${listedIdOf(session)}`;

/** How the owner of an account without passkeys signs in. */
function otherWays({ discord_id: discordId, password_hash: password }: Owner['account']): string {
  const ways = [discordId === null ? [] : 'Discord', password === null ? [] : 'your password'].flat();
  return ways.length === 0
    ? 'It was your only way to sign in. Please set a password now.'
    : `You sign in with ${ways.join(' or ')} from now on.`;
}

const passkeyId = z.object({ id: z.string().max(64) });

/** Signing in with a passkey. */
export const passkeySignInOperations = {
  /** The browser's options for signing in. */
  start: operation({
    access: 'public',
    limit: { name: 'passkeyStart', by: 'network' },
    input: z.object({ browserKey }),
    async run(context: AccountsContext, _client: Client, { browserKey: key }) {
      return signInOptions(requirePasskeys(context), issueChallenge(context, browserHolder(key)));
    },
  }),
  signIn: operation({
    access: 'public',
    limit: { name: 'passkeyAddress', by: 'network' },
    refundsSuccess: true,
    signIn: { way: 'passkey', accountOf: ({ account }: SignedIn) => account },
    input: z.object({ browserKey, response: responseField }),
    async run(
      context: AccountsContext,
      { userAgent, earlierSignIns }: Client,
      { browserKey: key, response },
    ) {
      return signInWithPasskey(context, {
        passkeys: requirePasskeys(context),
        response,
        holder: browserHolder(key),
        userAgent,
        earlierSignIns,
      });
    },
  }),
};

/** How members manage the passkeys of their account. */
export const passkeyOperations = {
  /** The browser's options for creating a passkey. Requires the password, or a code if the account has none. */
  startAdding: operation({
    access: 'member',
    limit: 'passwordChange',
    refundsSuccess: true,
    input: z.object({ currentPassword: passwordField.optional(), code: codeField.optional() }),
    async run(
      context: AccountsContext,
      { network, ...owner }: Owner & Client,
      { currentPassword: password, code },
    ) {
      const passkeys = requirePasskeys(context);
      const { account } = owner;
      const existing = await listPasskeys(context.db, account.id);
      requireRoom(existing);
      await proveOwner(context, owner, { rule: SIGN_IN_CHANGE, password, code, network });
      const challenge = issueChallenge(context, sessionHolder(owner));
      return newPasskeyOptions(passkeys, { challenge, account, existing });
    },
  }),
  add: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ response: responseField }),
    async run(context: AccountsContext, owner: Owner & Client, { response }) {
      const passkeys = requirePasskeys(context);
      const answer = await readNewPasskey(response);
      const challenge = { challenge: answer.challenge, holder: sessionHolder(owner) };
      if (!(await spendChallenge(context.db, context, challenge))) throw expiredChallenge();
      const made = await verifyNewPasskey(passkeys, answer);
      const name = made.authenticator ?? `Made in ${describeBrowser(owner.userAgent)}`;
      return addPasskey(context, { account: owner.account, made, name });
    },
    sentence: 'Passkey added. You can now sign in with it.',
  }),
  rename: operation({
    access: 'member',
    limit: 'accountWrite',
    input: passkeyId.extend({ name: passkeyNameField }),
    run: ({ db }: AccountsContext, { account }: Owner, { id, name }) =>
      renamePasskey(db, { accountId: account.id, id, name }),
    sentence: 'Name saved.',
  }),
  remove: operation({
    access: 'member',
    limit: 'accountWrite',
    input: passkeyId,
    async run(context: AccountsContext, { account }: Owner, { id }) {
      await removePasskey(context, { account, id });
      return { account, left: await listPasskeys(context.db, account.id) };
    },
    sentence({ account, left }) {
      const removed = 'Passkey removed. It can no longer be used to sign in.';
      return left.length > 0 ? removed : `${removed} ${otherWays(account)}`;
    },
  }),
};
