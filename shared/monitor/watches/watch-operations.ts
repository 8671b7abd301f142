import { z } from 'zod';
import { operation, type Admin } from '../../operation';
import { addWatch, type SavedWatch, type WatchContext } from './add-watch.server';
import { changeWatch } from './change-watch.server';
import { removeWatch } from './remove-watch.server';
import { memberRole, newWatchFields, paidFetch, robotsPermission, watchFields } from './watch-fields';
import { WEBHOOK_FIELDS } from './webhook-fields';
import { requireWatch } from './watches';

const webhook = z.string().optional();
/** The fields that an admin changes of a watch. */
export const watchChanges = watchFields.partial().extend({ robotsPermission, paidFetch, memberRole });

const slug = z.string().max(100).describe('The name of the watch in addresses.');

const withFault = (sentence: string, { pageFault }: SavedWatch): string =>
  pageFault === null ? sentence : `${sentence} Its page cannot be read at the moment: ${pageFault}`;

export const watchOperations = {
  add: operation({
    access: 'admin',
    limit: 'watchSave',
    input: newWatchFields.extend({
      [WEBHOOK_FIELDS.instant]: webhook,
      [WEBHOOK_FIELDS.free]: webhook,
      [WEBHOOK_FIELDS.admin]: webhook,
    }),
    run: (
      context: WatchContext,
      { actor }: Admin,
      { webhookInstant: instant, webhookFree: free, webhookAdmin: admin, ...fields },
    ) => addWatch(context, { fields, webhooks: { instant, free, admin }, actor }),
    sentence: (added) => withFault('Watch added. It is stopped; start it to begin its checks.', added),
  }),
  change: operation({
    access: 'admin',
    limit: 'watchSave',
    input: watchChanges.extend({ slug }),
    async run(context: WatchContext, { actor }: Admin, { slug, ...changes }) {
      const watch = await requireWatch(context.db, slug);
      return changeWatch(context, { watch, changes, actor });
    },
    sentence: (changed) => withFault('Watch saved.', changed),
  }),
  remove: operation({
    access: 'admin',
    input: z.object({ slug }),
    async run(context: Pick<WatchContext, 'db' | 'clock' | 'queues'>, { actor }: Admin, { slug }) {
      const watch = await requireWatch(context.db, slug);
      await removeWatch(context, { watch, actor });
      return watch;
    },
    sentence: ({ title }) => `${title} is deleted.`,
  }),
};
