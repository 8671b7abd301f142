import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';

import type { Viewer } from './account';
import { usernameField } from './account-fields';
import {
  disableAccount,
  enableAccount,
  endManagedSession,
  signOutAccount,
  type PaymentsContext,
  describeDisabled,
  describeEnabled,
  describeSignedOut,
} from './account-status.server';
import { updatePreferences, updateProfile } from './change-account';
import { preferencesField, type PreferenceChanges } from './preferences';
import { endOtherSessions, revokeSession } from './sessions';

/** The sentence after a change of preferences. */
function describeSaved({ alerts }: PreferenceChanges): string {
  if (alerts?.pausedUntil === undefined) return 'Preferences saved.';
  return alerts.pausedUntil === null ? 'Your alerts are on again.' : 'Your alerts are paused.';
}

/** The members' operations on their own account. */
export const accountOperations = {
  updateProfile: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ username: usernameField.optional() }),
    run: ({ db, clock }: WriteContext, { account }: Viewer, { username }) =>
      updateProfile(db, { accountId: account.id, username, clock }),
    sentence: 'Name saved.',
  }),
  updatePreferences: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ preferences: preferencesField }),
    run: ({ db, clock }: WriteContext, { account }: Viewer, { preferences }) =>
      updatePreferences(db, { accountId: account.id, preferences, clock }),
    sentence: (_, { preferences }) => describeSaved(preferences),
  }),
  endSession: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ id: z.string().max(64) }),
    run: ({ db }: WriteContext, { account }: Viewer, { id }) =>
      revokeSession(db, { accountId: account.id, sessionId: id }),
    sentence: 'Session signed out.',
  }),
  endOtherSessions: operation({
    access: 'member',
    limit: 'accountWrite',
    run: ({ db, clock }: WriteContext, { session }: Viewer) => endOtherSessions(db, { session, clock }),
    sentence: 'You have been signed out everywhere else.',
  }),
};

const managed = z.object({ id: z.string().max(64) });

/** The operations of admins and the operator on others' accounts. */
export const managedAccountOperations = {
  disable: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed,
    run: (
      { db, clock, payments }: WriteContext & { payments: PaymentsContext },
      { actor }: Admin,
      { id: accountId },
    ) => disableAccount(db, { accountId, payments, actor, clock }),
    sentence: describeDisabled,
  }),
  enable: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed,
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id: accountId }) =>
      enableAccount(db, { accountId, actor, clock }),
    sentence: describeEnabled,
  }),
  signOut: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed,
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id: accountId }) =>
      signOutAccount(db, { accountId, actor, clock }),
    sentence: describeSignedOut,
  }),
  endSession: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: managed.extend({ sessionId: z.string().max(64) }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id: accountId, sessionId }) =>
      endManagedSession(db, { accountId, sessionId, actor, clock }),
    sentence: 'Session signed out.',
  }),
};
