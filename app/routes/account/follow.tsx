import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { FOLLOW_LIMITS } from '#shared/follows/follow-limits';
import { followOperations } from '#shared/follows/follow-operations';
import { listFollows, requireFollowable } from '#shared/follows/follows';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { FollowForm } from '~/components/products/follow-form';
import { followPath } from '~/components/products/product-words';
import { Panel } from '~/components/ui/card';
import { Button } from '~/components/ui/button';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { unindexed } from '~/components/site/page-title';
import { requireMember } from '~/http/auth/session.server';
import { errorPage, noFields, operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { followForm, followOf } from './follow-fields.server';

const FAILED = {
  follow: 'Failed to follow the product',
  unfollow: 'Failed to stop following',
} as const;

const slugOf = (params: LoaderFunctionArgs['params']): string => params.productId ?? '';

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { account, membership } = await requireMember(request);
  const { db, clock } = serverContext();
  const product = await requireFollowable(db, slugOf(params)).catch((error: unknown) => {
    throw errorPage(error);
  });
  const follows = await listFollows(db, { userId: account.id, tier: membership.tier, now: clock.now() });
  return {
    product,
    follow: follows.find((follow) => follow.product.slug === product.slug) ?? null,
    count: follows.filter((follow) => !follow.product.retired).length,
    tier: membership.tier,
  };
}

const forms = pageForms(
  {
    path: ({ params }) => followPath(slugOf(params)),
    access: requireMember,
    failed: FAILED,
  },
  {
    follow: operationForm(followOperations.follow, {
      schema: followForm,
      input: (fields, { params }) => ({ slug: slugOf(params), ...followOf(fields) }),
    }),
    unfollow: operationForm(followOperations.unfollow, {
      schema: noFields,
      input: (_, { params }) => ({ slug: slugOf(params) }),
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const links = signedInStyles;

export const shouldRevalidate = revalidateUnlessOffline;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  unindexed(`Follow ${data?.product.title ?? 'a product'}`);

export default function FollowPage() {
  const { product, follow, count, tier } = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap grid gap-6 py-10 outline-none">
        <div>
          <h1 className="text-heading wrap-anywhere">{product.title}</h1>
          <p className="mt-2 flex flex-wrap gap-x-4">
            <Link to={`/restock/${encodeURIComponent(product.slug)}`}>Stock and price</Link>
            <Link to="/account#follows">All products that you follow</Link>
          </p>
        </div>
        <div className="max-w-2xl">
          {product.retired_at !== null ? (
            <Panel title="We no longer watch this product">
              <p className="text-soft">
                We send no more alerts about it. Its page keeps its history, and it does not count towards the{' '}
                {FOLLOW_LIMITS[tier]} products that you can follow.
              </p>
              {follow === null ? null : <StopFollowing title={product.title} />}
            </Panel>
          ) : (
            <Panel title={follow === null ? 'Follow this product' : 'Your alerts'}>
              {product.retailers.length === 0 ? (
                <p>We are not checking it at any shop at the moment.</p>
              ) : product.end_announced_at === null ? null : (
                <p>None of the shops we check sells it any more.</p>
              )}
              <p className="text-soft">
                {tier === 'pro'
                  ? 'By email and as notifications, as your account’s preferences say, the moment we see it.'
                  : 'Alerts by email and as notifications come with Pro. Without it the product stays in your list, and its alerts come in the free channel on Discord.'}{' '}
                You follow {count} of {FOLLOW_LIMITS[tier]} products.
              </p>
              <FollowForm product={product} follow={follow} />
              {follow === null ? null : <StopFollowing title={product.title} />}
            </Panel>
          )}
        </div>
      </main>
    </>
  );
}

function StopFollowing({ title }: { title: string }) {
  const { Form, result, pendingIntent } = useForms(['unfollow']);
  return (
    <>
      <FormNotice result={result} />
      <Form method="post" preventScrollReset>
        <Button name="intent" value="unfollow" pending={pendingIntent === 'unfollow'}>
          Stop following<span className="sr-only"> {title}</span>
        </Button>
      </Form>
    </>
  );
}
