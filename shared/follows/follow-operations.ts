import { z } from 'zod';
import type { Viewer } from '../accounts/account';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';
import { followFields, productSlugField } from './follow-fields';
import { followProduct, unfollowProduct } from './follows';
import { dismissalField, dropSuggestion, suggestedUrlField, suggestProduct } from './suggestions';

const named = z.object({ slug: productSlugField });

/** The members' operations on followed products. */
export const followOperations = {
  follow: operation({
    access: 'member',
    limit: 'accountWrite',
    input: named.extend(followFields.shape),
    run: ({ db, clock }: WriteContext, { account, membership }: Viewer, { slug, ...fields }) =>
      followProduct(db, { userId: account.id, tier: membership.tier, slug, fields, clock }),
    sentence: ({ title }) => `You follow ${title}.`,
  }),
  unfollow: operation({
    access: 'member',
    limit: 'accountWrite',
    input: named,
    run: ({ db, clock }: WriteContext, { account }: Viewer, { slug }) =>
      unfollowProduct(db, { userId: account.id, slug, clock }),
    sentence: ({ title }) => `You no longer follow ${title}.`,
  }),
  suggest: operation({
    access: 'member',
    limit: 'accountWrite',
    input: z.object({ url: suggestedUrlField }),
    run: ({ db, clock }: WriteContext, { account }: Viewer, { url }) =>
      suggestProduct(db, { userId: account.id, url, clock }),
    sentence: 'Thank you. We will look at the page and watch it if we can.',
  }),
  /** An admin has added the product, or will not. */
  dropSuggestion: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: z.object({ id: z.string().max(64), reason: dismissalField }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, reason }) =>
      dropSuggestion(db, { id, reason, actor, clock }),
    sentence: (_, { reason = '' }) =>
      reason === ''
        ? 'Suggestion removed.'
        : 'Suggestion dismissed. The members who made it see the reason in their account.',
  }),
};
