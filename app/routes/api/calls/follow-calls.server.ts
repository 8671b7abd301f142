import { z } from 'zod';
import { FOLLOW_WANTS, followFields } from '#shared/follows/follow-fields';
import { followOperations } from '#shared/follows/follow-operations';
import { listFollows } from '#shared/follows/follows';
import { listSuggestions } from '#shared/follows/suggestions';
import { toPounds } from '#shared/money';
import { messageSchema } from './schemas.server';
import { call, operationCall } from '~/http/api/call.server';
import type { ApiCalls } from '~/http/api/endpoint.server';
import { countParameter } from '~/http/api/input.server';
import { serverContext } from '~/http/server/context.server';

const followSchema = z
  .object({
    product: z.object({
      slug: z.string(),
      title: z.string(),
      state: z
        .enum(['in_stock', 'limited', 'preorder', 'out_of_stock'])
        .nullable()
        .describe('The best of all retailers. Null before the first check, and when it is not known now.'),
      price: z.object({ amount: z.number(), currency: z.string() }).nullable(),
      retailer: z.string().nullable(),
      retired: z.boolean().describe('We no longer watch it. It counts against no limit.'),
    }),
    wants: z.array(z.enum(FOLLOW_WANTS)),
    maxPrice: z.number().nullable().describe('In pounds.'),
    retailers: z.array(z.string()).nullable().describe('Null: all.'),
    variants: z.array(z.string()).nullable().describe('Null: all.'),
    quietHours: z
      .object({ from: z.int(), to: z.int() })
      .nullable()
      .describe(
        'Hours in the time zone of your preferences. Emails wait until they end, notifications make no sound.',
      ),
    counts: z.boolean().describe('False beyond the number of products that the plan allows: no alerts.'),
    followedAt: z.string(),
  })
  .meta({ id: 'Follow' });

const FIELDS = {
  wants: ['restock', 'price_drop'],
  maxPrice: 49.99,
  retailers: null,
  variants: null,
  quietHours: { from: 22, to: 7 },
} satisfies z.input<typeof followFields>;

const FOLLOW: z.input<typeof followSchema> = {
  product: {
    slug: 'ember-hollow-collector-chest',
    title: 'Ember Hollow collector chest',
    state: 'out_of_stock',
    price: { amount: 49.99, currency: 'GBP' },
    retailer: 'Tanglewood Cards',
    retired: false,
  },
  ...FIELDS,
  wants: ['restock', 'price_drop'],
  counts: true,
  followedAt: '2026-11-27T16:00:00.000Z',
};

const suggestionSchema = z
  .object({ id: z.string(), url: z.string(), members: z.int(), suggestedAt: z.string() })
  .meta({ id: 'ProductSuggestion' });

/** Suggestions of a page. */
const PER_PAGE = 200;

const params = followOperations.unfollow.input;

/** The calls about the products that members follow and suggest. */
export const followCalls: ApiCalls = {
  'GET /api/products/following': call({
    id: 'listFollows',
    summary: 'Lists the products that you follow',
    description:
      'The oldest follow comes first. Without Pro the first five count, and their alerts are those of the free Discord channel; with Pro a hundred, by email and push as your preferences say.',
    access: 'member',
    response: z.object({ follows: z.array(followSchema) }),
    example: { response: { follows: [FOLLOW] } },
    async run({ caller: { account, membership } }) {
      const { db, clock } = serverContext();
      const follows = await listFollows(db, {
        userId: account.id,
        tier: membership.tier,
        now: clock.now(),
      });
      return {
        follows: follows.map(
          ({
            product: { isWatched: _isWatched, isTrickling: _isTrickling, isGone: _isGone, ...product },
            ...follow
          }) => ({
            ...follow,
            product: {
              ...product,
              state: product.state === 'unknown' ? null : product.state,
              price: product.price && { ...product.price, amount: toPounds(product.price.amount) },
            },
          }),
        ),
      };
    },
  }),

  'PUT /api/products/{slug}/follow': operationCall(followOperations.follow, {
    id: 'followProduct',
    summary: 'Follows a product, or changes what you are told of it',
    description:
      'Replaces the whole follow. `price_drop` needs `maxPrice`: it tells you when the price has fallen to it. `retailers` are names of retailers that sell the product, `variants` keys of its variants. Refused with 409 beyond the number of products that your plan allows.',
    params,
    body: followFields,
    response: messageSchema,
    failures: [409],
    example: { body: FIELDS, response: { message: 'You follow Ember Hollow collector chest.' } },
  }),

  'DELETE /api/products/{slug}/follow': operationCall(followOperations.unfollow, {
    id: 'unfollowProduct',
    summary: 'Ends following a product',
    description: 'A product that you do not follow is no error.',
    params,
    response: messageSchema,
    example: { response: { message: 'You no longer follow Ember Hollow collector chest.' } },
  }),

  'POST /api/products/suggestions': operationCall(followOperations.suggest, {
    id: 'suggestProduct',
    summary: 'Suggests a product to watch, by the address of its page',
    description:
      'An admin looks at it. The same address again changes nothing. Refused with 409 when the page is watched already, or when twenty of your suggestions wait.',
    body: followOperations.suggest.input,
    response: messageSchema,
    failures: [409],
    example: {
      body: { url: 'https://tanglewood.example/products/ember-hollow-collector-chest' },
      response: { message: 'Thank you. We will look at the page and watch it if we can.' },
    },
  }),

  'GET /api/products/suggestions': call({
    id: 'listSuggestions',
    summary: 'Lists the products that members suggest',
    description: 'Those of most members come first, 200 to a page.',
    access: 'admin',
    query: z.object({ page: countParameter('page', { max: 1_000, fallback: 1 }) }),
    envelope: 'data',
    response: z.object({ suggestions: z.array(suggestionSchema), total: z.int() }),
    example: {
      response: {
        suggestions: [
          {
            id: '4f0f6a3e-52f8-4a0c-9b1d-7d3a1c2e9f60',
            url: 'https://tanglewood.example/products/ember-hollow-collector-chest',
            members: 3,
            suggestedAt: '2026-11-27T16:00:00.000Z',
          },
        ],
        total: 1,
      },
    },
    run: ({ query: { page } }) =>
      listSuggestions(serverContext().db, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
  }),

  'DELETE /api/products/suggestions/{id}': operationCall(followOperations.dropSuggestion, {
    id: 'dropSuggestion',
    summary: 'Removes a suggestion that is dealt with',
    description:
      'With those of other members for the same address. With a `reason` the members see it in their account for 30 days.',
    params: followOperations.dropSuggestion.input.pick({ id: true }),
    query: followOperations.dropSuggestion.input.pick({ reason: true }),
    response: messageSchema,
    example: { response: { message: 'Suggestion removed.' } },
  }),
};
