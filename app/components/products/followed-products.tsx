import { Link } from '@remix-run/react';
import { FOLLOW_LIMITS } from '#shared/follows/follow-limits';
import type { Follow } from '#shared/follows/follows';
import type { OwnSuggestion } from '#shared/follows/suggestions';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { TextField } from '~/components/ui/fields';
import { LoadFailed } from '~/components/ui/notice';
import { formatMoney } from '#shared/money';
import { followPath, stateWords } from './product-words';

const productPath = (slug: string): string => `/restock/${encodeURIComponent(slug)}`;

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
    <div id="follows">
      <Panel title="Products you follow">
        {follows === null ? (
          <LoadFailed retryPath="/account">Failed to load user data</LoadFailed>
        ) : (
          <FollowList follows={follows} tier={tier} />
        )}
        <SuggestForm suggestions={suggestions ?? []} />
      </Panel>
    </div>
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
          ? 'We tell you by email and as notifications.'
          : `With Pro you follow up to ${FOLLOW_LIMITS.pro}, and we tell you by email and as notifications.`}
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
                  {product.retired ? 'We no longer watch it. Last seen: ' : null}
                  {product.state === null ? 'Not checked yet' : stateWords(product.state)}
                  {product.price === null ? null : `, ${formatMoney(product.price)}`}
                  {product.retailer === null ? null : ` at ${product.retailer}`}
                  {counts ? null : '. Not counted without Pro.'}
                </p>
              </div>
              <div className="flex flex-wrap items-center gap-x-4">
                {product.retired ? null : (
                  <Link to={followPath(product.slug)}>
                    Change<span className="sr-only"> what we tell you about {product.title}</span>
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
          id="suggested-url"
          name="url"
          label="Address of its page"
          type="text"
          inputMode="url"
          placeholder="https://"
          hint="The page of one product at a shop in the UK. We look at it and watch it if we can."
          defaultValue={result?.ok === false ? result.values?.url : undefined}
          errors={result?.errors?.url}
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
                {dismissedAt === null ? 'Waiting for us to look at it.' : `Not added. ${reason ?? ''}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
