import { z } from 'zod';
import type { Account, Viewer } from '#shared/accounts/account';
import { accountOperations } from '#shared/accounts/account-operations';
import type { SignedIn } from '#shared/accounts/open-session';
import { passwordOperations } from '#shared/accounts/passwords/password-operations';
import { toProfile } from '#shared/accounts/profile';
import { listedIdOf, listSessions } from '#shared/accounts/sessions';
import { CODE_SENT, signInOperations } from '#shared/accounts/sign-in-operations';
import { betaOperations } from '#shared/beta/beta-operations';
import { call, operationCall, performingCall, redirectResponse } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { Reply } from '~/http/api/response.server';
import {
  messageSchema,
  profileExample,
  profileSchema,
  signedInExample,
  signedInSchema,
} from './calls/schemas.server';
import { finishDiscordLogin, startDiscordLogin } from '~/http/auth/discord-login.server';
import { commitSignIn, signInOfCaller } from '~/http/auth/login.server';
import { tokensOfCaller, withoutSession } from '~/http/auth/logout.server';
import { HttpRefusal } from '~/http/server/failures.server';
import { serverContext } from '~/http/server/context.server';

const sessionSchema = z
  .object({
    id: z.string(),
    current: z
      .boolean()
      .describe('Whether the request belongs to this session. All tokens of a browser share one session.'),
    createdAt: z.string(),
    lastSeenAt: z.string(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'Session' });

const profileResponse = z.object({ user: profileSchema });

/** The response to a change of the caller's own account. */
function changedProfile({ result: account }: { result: Account }, { caller }: { caller: Viewer }) {
  return { user: toProfile({ ...caller, account }) };
}

/** What the pending sign-in of the browser adds to the body of a request. */
async function withPending<Body extends { email: string }>({
  request,
  body,
}: {
  request: Request;
  body: Body;
}) {
  return { ...body, ...(await signInOfCaller(request, body.email)) };
}

/** The response to a sign-in: its body has the token for API clients, its headers set the cookie for browsers. */
async function signedInReply(
  { result: signedIn }: { result: SignedIn },
  { request }: { request: Request },
): Promise<Reply> {
  const { token, account } = signedIn;
  const headers = await commitSignIn(request, signedIn);
  return new Reply({ token, user: { id: account.id, email: account.email } }, { headers });
}

const auth = endpoint(
  { name: 'auth', description: 'Accounts, sign-in and sessions' },
  {
    'POST /api/auth/register': operationCall(signInOperations.register, {
      id: 'register',
      summary: 'Creates an account',
      description:
        'Sends a code to the address. The response is the same when the address already has an account. From the browser whose sign-in waits for a code, it is for that sign-in.',
      body: signInOperations.register.input.omit({ browserKey: true }),
      input: withPending,
      status: 201,
      response: messageSchema,
      failures: [403, 503],
      example: {
        body: { email: 'ash@packwatch.example', password: 'correct horse battery' },
        response: { message: CODE_SENT },
      },
    }),

    'POST /api/auth/verify': operationCall(signInOperations.verify, {
      id: 'verifyEmail',
      summary: 'Confirms an address with its code, and signs in',
      description:
        'The code may stand in a text, such as `932 945`. From the browser whose sign-in waits for the code, its cookie selects the codes of that sign-in. A wrong, used or expired code is refused with 422 `invalid_code`, a disabled account with 403 `account_disabled`.',
      body: signInOperations.verify.input.omit({ browserKey: true, byDiscord: true }),
      input: withPending,
      response: signedInSchema,
      failures: [403],
      example: { body: { email: 'ash@packwatch.example', code: '204613' }, response: signedInExample },
      reply: signedInReply,
    }),

    'POST /api/auth/resend-verification': operationCall(signInOperations.resend, {
      id: 'resendVerification',
      summary: 'Sends another code',
      description:
        'The response is the same when the address needs no code. From the browser whose sign-in waits for the code, it is for that sign-in.',
      body: signInOperations.resend.input.omit({ browserKey: true }),
      input: withPending,
      response: messageSchema,
      failures: [403, 503],
      example: { body: { email: 'ash@packwatch.example' }, response: { message: CODE_SENT } },
    }),

    'POST /api/auth/login': operationCall(signInOperations.login, {
      id: 'login',
      summary: 'Signs in with a password',
      description:
        'If the address is not confirmed, sends a code to it and fails with 403 `verification_required`; a disabled account with 403 `account_disabled`.',
      body: signInOperations.login.input.omit({ browserKey: true }),
      input: withPending,
      response: signedInSchema,
      failures: [401, 403, 503],
      example: {
        body: { email: 'ash@packwatch.example', password: 'correct horse battery' },
        response: signedInExample,
      },
      reply: signedInReply,
    }),

    'GET /api/auth/discord/login': performingCall(signInOperations.startDiscord, {
      id: 'startDiscordLogin',
      summary: 'Redirects the browser to Discord to sign in',
      description: 'A cookie binds the `state` to the browser.',
      status: 302,
      response: redirectResponse,
      example: {
        location:
          'https://discord.com/oauth2/authorize?response_type=code&client_id=80351110224678912&scope=identify%20email&state=zT3qVh0b',
      },
      run: (perform, { request }) => startDiscordLogin(perform, request),
    }),

    'GET /api/auth/discord/callback': performingCall(signInOperations.discord, {
      id: 'finishDiscordLogin',
      summary: 'Completes a Discord sign-in with `code` and `state`',
      description: 'Redirects to the page that shows the outcome of the sign-in.',
      status: 302,
      response: redirectResponse,
      example: { location: '/auth/discord/success?token=pX1mS0b7cQeZ4nV9uTj2' },
      run: (perform, { request }) => finishDiscordLogin(perform, request),
    }),

    'POST /api/auth/logout': operationCall(signInOperations.logout, {
      id: 'logout',
      summary: 'Ends the session of the request',
      description: 'The response is the same without a session.',
      response: z.object({}),
      failures: [403],
      input: ({ request }) => tokensOfCaller(request),
      reply: (_, { request }) => new Reply({}, { headers: withoutSession(request) }),
    }),

    'GET /api/auth/user': call({
      id: 'readProfile',
      summary: 'Reads the caller’s own profile',
      description: 'Includes beta access, desktop access and the subscription.',
      access: 'member',
      response: profileResponse,
      example: { response: { user: profileExample } },
      run: ({ caller }) => ({ user: toProfile(caller) }),
    }),

    'PUT /api/auth/user': operationCall(accountOperations.updateProfile, {
      id: 'updateProfile',
      summary: 'Changes the caller’s own profile',
      description: 'Fields that are left out stay as they are.',
      body: z.object({ profile: accountOperations.updateProfile.input }),
      input: ({ body }) => body.profile,
      response: profileResponse,
      reply: changedProfile,
      example: { body: { profile: { username: 'Ash' } }, response: { user: profileExample } },
    }),

    'PUT /api/auth/preferences': operationCall(accountOperations.updatePreferences, {
      id: 'updatePreferences',
      summary: 'Changes the caller’s preferences',
      description:
        'Preferences that are left out stay as they are. `alerts.watches` has the slugs of the watches to alert about; null: all, also those that are added later. `alerts.quietHours` are whole hours of the day in `timeZone` (`{"from": 22, "to": 7}`; null: none): mails wait until they end and go then if the alert is still open, notifications make no sound. `alerts.pausedUntil` is a time in UTC within 90 days: until then neither is sent; null ends a pause. Discord is not affected. Alerts reach members with Pro.',
      body: accountOperations.updatePreferences.input,
      response: profileResponse,
      reply: changedProfile,
      example: {
        body: { preferences: { alerts: { email: true, watches: null, quietHours: { from: 22, to: 7 } } } },
        response: { user: profileExample },
      },
    }),

    'POST /api/auth/beta/request': operationCall(betaOperations.request, {
      id: 'requestBeta',
      summary: 'Requests beta access',
      description: 'Refused with 409 when the caller has already requested it.',
      response: profileResponse,
      reply: changedProfile,
      failures: [409],
      example: { response: { user: { ...profileExample, beta_approved: false } } },
    }),

    'PUT /api/auth/password': operationCall(passwordOperations.change, {
      id: 'changePassword',
      summary: 'Changes the caller’s password, or sets the first one',
      description:
        'Needs `currentPassword`; an account without a password needs a `code` of `POST /auth/password/code` instead, sent with the same session. Ends the caller’s other sessions.',
      body: passwordOperations.change.input,
      response: messageSchema,
      failures: [503],
      example: {
        body: { currentPassword: 'correct horse battery', newPassword: 'several unusual words' },
        response: { message: 'Your password is changed. You have been signed out everywhere else.' },
      },
    }),

    'POST /api/auth/password/code': operationCall(passwordOperations.sendCode, {
      id: 'sendPasswordCode',
      summary: 'Sends the code that sets the first password',
      description:
        'The code is valid in the caller’s session only. Refused with 409 for an account with a password.',
      response: messageSchema,
      failures: [409, 503],
      example: {
        response: { message: 'We have sent a code to ash@packwatch.example. It is valid for ten minutes.' },
      },
    }),

    'POST /api/auth/reset-password': call({
      id: 'resetPassword',
      summary: 'Resets a password (not implemented yet)',
      description: 'Always fails with 501.',
      access: 'public',
      response: z.object({}),
      failures: [501],
      run: () => {
        throw new HttpRefusal({
          status: 501,
          code: 'not_implemented',
          message: 'Password reset not implemented yet',
        });
      },
    }),

    'GET /api/auth/sessions': call({
      id: 'listSessions',
      summary: 'Lists the caller’s sessions',
      description: 'The most recently used session comes first. A browser counts as one session.',
      access: 'member',
      response: z.object({ sessions: z.array(sessionSchema) }),
      example: {
        response: {
          sessions: [
            {
              id: '3b8f1d6c-0e4a-4b7d-95c2-8a1e6f0d7c49',
              current: true,
              createdAt: '2026-11-02T09:15:00.000Z',
              lastSeenAt: '2026-11-20T10:30:00.000Z',
              userAgent: 'Mozilla/5.0',
            },
          ],
        },
      },
      async run({ caller }) {
        const { db, clock } = serverContext();
        const sessions = await listSessions(db, { accountId: caller.account.id, clock });
        return {
          sessions: sessions.map((listed) => ({
            ...listed,
            current: listed.id === listedIdOf(caller.session),
          })),
        };
      },
    }),

    'DELETE /api/auth/sessions': operationCall(accountOperations.endOtherSessions, {
      id: 'endOtherSessions',
      summary: 'Ends all other sessions of the caller',
      description: 'The session of the request stays. `ended` counts a browser once.',
      response: z.object({ ended: z.number() }),
      reply: ({ result }) => ({ ended: result }),
      example: { response: { ended: 2 } },
    }),

    'DELETE /api/auth/sessions/{id}': operationCall(accountOperations.endSession, {
      id: 'endSession',
      summary: 'Ends one of the caller’s sessions',
      description: 'For a browser, revokes its cookie and its token in local storage together.',
      params: accountOperations.endSession.input,
      response: z.object({}),
    }),
  },
);

export const loader = auth;
export const action = auth;
