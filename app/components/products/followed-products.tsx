import { Link } from '@remix-run/react';
import { FOLLOW_LIMITS } from '#shared/follows/follow-limits';
import type { Follow } from '#shared/follows/follows';
import type { OwnSuggestion } from '#shared/follows/suggestions';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { TextField } from '~/components/ui/fields';
import { LoadFailed } from '~/components/ui/notice';
import { formatMoney } from '#shared/money';
import { followPath, GONE_WORDS, productPath, PRODUCTS_PATH, stateWords } from './product-words';

interface FollowedProductsProps {
  /** Null: they could not be read. */
  follows: readonly Follow[] | null;
  tier: keyof typeof FOLLOW_LIMITS;
  /** Null: they could not be read. */
  suggestions: readonly OwnSuggestion[] | null;
}

/** The products that a member follows, with their states, and the form that suggests another. */
export function FollowedProducts({ follows, tier, suggestions }: FollowedProductsProps) {
  return (
    <Panel id="follows" title="Products you follow">
      {follows === null ? (
        <LoadFailed retryPath="/account">Failed to load user data</LoadFailed>
      ) : (
        <FollowList follows={follows} tier={tier} />
      )}
      <SuggestForm suggestions={suggestions ?? []} />
    </Panel>
  );
}

/** "In stock, £49.99 at Total Cards; it comes and goes" */
function offerWords({
  state,
  price,
  retailer,
  isGone,
  isTrickling,
  retired,
  isWatched,
}: Follow['product']): string {
  if (isGone && !retired) return GONE_WORDS;
  if (state === null)
    return retired ? 'We no longer watch it' : isWatched ? 'Not checked yet' : 'Not checked at any retailer';
  if (state === 'unknown') return 'We cannot say right now whether it is in stock';
  const cost = price === null ? '' : `, ${formatMoney(price)}`;
  const seen = retired ? 'We no longer watch it. Last seen: ' : '';
  return `${seen}${stateWords(state)}${cost}${retailer === null ? '' : ` at ${retailer}`}${isTrickling && !retired ? '; it comes and goes' : ''}`;
}

/** So many products are in the short list. */
const SHORT = 5;

/** The oldest follows of a member with their states, for the dashboard. `follows`: null if they could not be read. */
export function FollowedShort({ follows }: { follows: readonly Follow[] | null }) {
  if (follows === null)
    return <LoadFailed retryPath="/dashboard">The products that you follow could not be loaded.</LoadFailed>;
  if (follows.length === 0)
    return (
      <p className="text-soft">
        None yet. Choose one from <Link to={PRODUCTS_PATH}>the products that we watch</Link>, and we alert you
        when it is back.
      </p>
    );
  const more = follows.length - SHORT;
  return (
    <>
      <ul className="divide-y divide-line">
        {follows.slice(0, SHORT).map(({ product }) => (
          <li key={product.slug} className="py-2 wrap-anywhere">
            <Link to={productPath(product.slug)} className="font-semibold">
              {product.title}
            </Link>
            <p className="text-small text-soft">{offerWords(product)}</p>
          </li>
        ))}
      </ul>
      <p className="mt-auto pt-1">
        <ButtonLink href="/account#follows">
          {more > 0 ? `And ${more} more` : 'Change your alerts'}
        </ButtonLink>
      </p>
    </>
  );
}

function FollowList({ follows, tier }: { follows: readonly Follow[]; tier: FollowedProductsProps['tier'] }) {
  const { Form, result, pending } = useForms(['unfollow']);
  const limit = FOLLOW_LIMITS[tier];
  const count = follows.filter(({ product }) => !product.retired).length;
  return (
    <>
      <FormNotice result={result} />
      <p className="text-soft">
        {count} of {limit}.{' '}
        {tier === 'pro'
          ? 'We alert you by email and with notifications.'
          : `With Pro you follow up to ${FOLLOW_LIMITS.pro}, and we alert you by email and with notifications.`}
        {count > limit ? ` Only the first ${limit} count until you have Pro again.` : ''}
      </p>
      {follows.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {follows.map(({ product, counts }) => (
            <li
              key={product.slug}
              className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 py-3"
            >
              <div className="min-w-0">
                <Link to={productPath(product.slug)} className="font-semibold wrap-anywhere">
                  {product.title}
                </Link>
                <p className="text-small text-soft wrap-anywhere">
                  {offerWords(product)}
                  {counts ? null : '. Not counted without Pro.'}
                </p>
              </div>
              <div className="flex flex-wrap items-center gap-x-4">
                {product.retired ? null : (
                  <Link to={followPath(product.slug)}>
                    Change<span className="sr-only"> the alerts for {product.title}</span>
                  </Link>
                )}
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="slug" value={product.slug} />
                  <Button name="intent" value="unfollow" pending={pending?.get('slug') === product.slug}>
                    Stop<span className="sr-only"> following {product.title}</span>
                  </Button>
                </Form>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SuggestForm({ suggestions }: { suggestions: readonly OwnSuggestion[] }) {
  const { Form, result, pendingIntent } = useForms(['suggest']);
  return (
    <section aria-labelledby="suggest-title" className="grid gap-3 border-t border-line pt-4">
      <h3 id="suggest-title" className="font-semibold">
        Suggest a product
      </h3>
      <FormNotice result={result} fields={['url']} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <TextField
          {...fieldsOf(result)('url')}
          id="suggested-url"
          label="Address of its page"
          inputMode="url"
          placeholder="https://"
          hint="The page of one product at a shop in the UK. We review it and watch it if we can."
        />
        <p>
          <Button name="intent" value="suggest" pending={pendingIntent === 'suggest'}>
            Suggest
          </Button>
        </p>
      </Form>
      {suggestions.length === 0 ? null : (
        <ul aria-label="Your suggestions" className="grid gap-2">
          {suggestions.map(({ url, dismissedAt, reason }) => (
            <li key={url} className="text-small wrap-anywhere">
              {url}
              <span className="block text-soft">
                {dismissedAt === null ? 'Waiting for our review.' : `Not added. ${reason ?? ''}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
