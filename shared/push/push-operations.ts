import { z } from 'zod';
import type { Database } from '../database/schema';
import { operation } from '../operation';
import { removePushSubscription } from './push-subscriptions';

export const pushOperations = {
  remove: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ id: z.string().max(64) }),
    run: ({ db }: { db: Database }, { account }: { account: { id: string } }, { id }) =>
      removePushSubscription(db, { userId: account.id, id }),
    sentence: 'That device gets no more notifications.',
  }),
};
