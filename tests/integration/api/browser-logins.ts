import { signInOperations } from '#shared/accounts/sign-in-operations';
import * as login from '~/http/auth/login.server';
import { performerOf } from '~/http/auth/run-operation.server';

// The forms of the sign-in as a page runs them.

const visitor = (request: Request) => ({ viewer: null, request });

export const registerBrowser = (request: Request, credentials: login.Credentials) =>
  login.registerBrowser(performerOf(signInOperations.register, visitor(request)), request, credentials);

export const loginBrowser = (request: Request, credentials: login.Credentials) =>
  login.loginBrowser(performerOf(signInOperations.login, visitor(request)), request, credentials);

export const verifyBrowser = (request: Request, code: { code: string }) =>
  login.verifyBrowser(performerOf(signInOperations.verify, visitor(request)), request, code);

export const resendBrowser = (request: Request) =>
  login.resendBrowser(performerOf(signInOperations.resend, visitor(request)), request);
