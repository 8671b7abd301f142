import { z } from 'zod';
import type { Database } from '../database/schema';
import { operation, type Client } from '../operation';
import {
  addPushSubscription,
  pushSubscriptionFields,
  removePushSubscription,
  type PushContext,
} from './push-subscriptions';

interface Member {
  account: { id: string };
}

export const pushOperations = {
  // Does not change the preferences: a browser also calls this when it has renewed its subscription on its own.
  add: operation({
    access: 'member',
    limit: 'accountWrite',
    input: pushSubscriptionFields,
    run: (context: PushContext, { account, userAgent }: Member & Client, subscription) =>
      addPushSubscription(context, { userId: account.id, subscription, userAgent }),
  }),
  remove: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ id: z.string().max(64) }),
    run: ({ db }: { db: Database }, { account }: Member, { id }) =>
      removePushSubscription(db, { userId: account.id, id }),
    sentence: 'That device will get no more notifications.',
  }),
};
