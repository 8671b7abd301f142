import { z } from 'zod';
import { SECOND } from '../../clock';
import type { Database } from '../../database/schema';
import type { WriteContext } from '../../database/transaction';
import { DomainError } from '../../errors';
import { operation, type Admin } from '../../operation';
import type { PublicWeb } from '../../network/public-web.server';
import { requestPreview, type DaemonRequestContext } from '../checks/requests/daemon-request.server';
import { watchFields } from '../watches/watch-fields';
import { changeProduct, productChanges, removeProduct, retireProduct } from './change-product';
import { addCase, caseAnswer, caseNote, removeCase } from './judge-cases.server';
import { describePreview, type DescribedPreview } from './describe-preview';
import { addPreview } from './previews';
import { changeRetailer, retailerChanges } from './retailers';

const slug = z.string().max(100).describe('The name of the product in addresses.');
const host = z.string().max(300).describe('The host of its pages, with a port other than the usual.');

/** An admin waits this long; the daemon continues to look, and the preview can be read again. */
const PREVIEW_WAIT_MS = 12 * SECOND;

/** The admins' operations on products. */
export const productOperations = {
  /** Looks at the page of a product before a watch of it is added. Nothing else is stored. */
  preview: operation({
    access: 'admin',
    limit: 'pagePreview',
    input: z.object({ url: watchFields.shape.url }),
    async run(
      { web, waitMs = PREVIEW_WAIT_MS, ...context }: DaemonRequestContext & { web: PublicWeb },
      _admin: Admin,
      { url: entered },
    ): Promise<DescribedPreview> {
      const url = await web.requirePublicUrl(entered);
      url.hash = '';
      const { db, clock, queues, redisUrl } = context;
      const id = await addPreview(db, { url: url.href, now: clock.now() });
      await requestPreview({ db, clock, queues, redisUrl, waitMs }, id);
      return requirePreview(context, id);
    },
  }),
  change: operation({
    access: 'admin',
    limit: 'watchSave',
    input: productChanges.extend({ slug }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { slug, ...changes }) =>
      changeProduct(db, { slug, changes, actor, clock }),
    sentence: ({ title }) => `${title} is saved.`,
  }),
  /** Ends watching a product, or lets its watches be started again. */
  retire: operation({
    access: 'admin',
    input: z.object({ slug, retired: z.boolean() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { slug, retired }) =>
      retireProduct(db, { slug, isRetired: retired, actor, clock }),
    sentence: ({ title, retired_at }) =>
      retired_at === null
        ? `${title} is no longer retired. Its watches are stopped: start those that may check again.`
        : `${title} is retired. Its watches are stopped.`,
  }),
  remove: operation({
    access: 'admin',
    input: z.object({ slug }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { slug }) =>
      removeProduct(db, { slug, actor, clock }),
    sentence: ({ title }) => `${title} is deleted.`,
  }),
  /** Keeps the page of a check with the right answer. */
  addCase: operation({
    access: 'admin',
    limit: 'watchSave',
    input: caseAnswer.extend({ checkId: z.string(), note: caseNote }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { checkId, note, ...answer }) =>
      addCase(db, { checkId, answer, note, actor, clock }),
    sentence: 'Page kept with the right answer.',
  }),
  removeCase: operation({
    access: 'admin',
    input: z.object({ id: z.string().max(100) }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id }) => removeCase(db, { id, actor, clock }),
    sentence: 'Case deleted.',
  }),
  changeRetailer: operation({
    access: 'admin',
    limit: 'watchSave',
    input: retailerChanges.extend({ host }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { host, ...changes }) =>
      changeRetailer(db, { host, changes, actor, clock }),
    sentence: ({ name }) => `${name} is saved.`,
  }),
};

/** The preview with this id. Throws `NotFound` (`unknown_preview`) when there is none, or it has expired. */
export async function requirePreview(
  { db, clock }: Pick<DaemonRequestContext, 'clock'> & { db: Database },
  id: string,
): Promise<DescribedPreview> {
  const preview = await describePreview(db, id, clock.now());
  if (preview !== null) return preview;
  throw new DomainError('NotFound', {
    code: 'unknown_preview',
    message: 'There is no such preview: they are kept for an hour.',
  });
}
