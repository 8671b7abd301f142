import { redirect, redirectDocument } from '@remix-run/node';
import { z } from 'zod';
import type { Account } from '#shared/accounts/account';
import { DAY, toIso } from '#shared/clock';
import { findOpenQuote } from '#shared/subscriptions/plan-quotes.server';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import {
  listSubscriptionPackages,
  type SubscriptionPackage,
} from '#shared/subscriptions/packages/subscription-packages';
import { subscriptionOperations } from '#shared/subscriptions/subscription-operations';
import { listPurchases } from '#shared/tokens/purchases';
import {
  CONFIRM_STEP,
  NOTHING_CHOSEN,
  SUBSCRIPTION,
  TOKENS_TAB,
  withParameters,
} from '~/components/payment/addresses';
import type { Downloads } from '~/components/downloads/downloads-view';
import type { QuoteView } from '~/components/subscription/change-dialog';
import { SUBSCRIPTION_FAILED } from '~/components/payment/payment-texts';
import type { Tab } from '~/components/subscription/tabs';
import { operationForm, noFields, pageForms, textField } from '../../http/forms/page-forms.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';
import { requireMember } from '../../http/auth/session.server';
import { betaForms } from './beta-forms.server';
import { hasApp, readLatestDownload } from './downloads.server';
import { readMemberFacts, readPaymentHold, readTokenPackages } from './member-facts.server';
import { subscriptionForms, tokenForms } from './payment-forms.server';
import { confirmStep, outcomeOf, readOutcome, subscriptionStep, tokenStep } from './payment-step.server';

const RECENT_PURCHASES = 5;

/** The plans; none if they cannot be read. */
async function readPlans(): Promise<SubscriptionPackage[]> {
  return (await loadOptional(() => listSubscriptionPackages(serverContext().db))) ?? [];
}

/** The open quote for a change to `plan`, with the day on which that plan renews; null when it must be requested again. */
async function findQuote({
  account,
  subscription,
  plan,
}: {
  account: Account;
  subscription: SubscriptionView;
  plan: SubscriptionPackage;
}): Promise<QuoteView | null> {
  const { db, clock } = serverContext();
  const now = clock.now();
  const quote = await findOpenQuote(db, { accountId: account.id, newPackageId: plan.id, now });
  if (quote === null) return null;
  const { currentPlan, newPlan } = quote;
  // A plan with another interval starts a new period (docs.stripe.com/billing/subscriptions/prorations).
  const keepsPeriod = currentPlan.durationDays === newPlan.durationDays && subscription.expiresAt !== null;
  return {
    id: quote.id,
    currentPlan: { name: currentPlan.name },
    newPlan: { id: plan.id, ...newPlan },
    remainingPence: quote.remainingPence,
    proratedPence: quote.proratedPence,
    renewsAt: keepsPeriod ? (subscription.expiresAt ?? '') : toIso(now + newPlan.durationDays * DAY),
  };
}

/** The dialog that the address opens; null for none, or for one that does not fit the subscription. */
async function readDialog(
  search: URLSearchParams,
  {
    account,
    subscription,
    plans,
  }: { account: Account; subscription: SubscriptionView; plans: readonly SubscriptionPackage[] },
) {
  const { state, currentPackageId } = subscription;
  if (search.has('cancel'))
    return state === 'active' || state === 'past_due' ? { kind: 'cancel' as const } : null;
  const change = search.get('change');
  if (change === null || state !== 'active' || account.beta_approved_at === null) return null;
  if (change === NOTHING_CHOSEN) return { kind: 'choose' as const };
  const plan = plans.find(({ id }) => id === change);
  if (plan === undefined || plan.id === currentPackageId) return null;
  const quote = await findQuote({ account, subscription, plan });
  return quote === null ? { kind: 'expired' as const, plan } : { kind: 'change' as const, quote };
}

/** The payment step that the address opens; null for none. Throws a redirect when there is nothing to pay. */
async function readStep(
  search: URLSearchParams,
  {
    account,
    subscription,
    plans,
    packages,
    downloads,
  }: Pick<Awaited<ReturnType<typeof readMemberFacts>>, 'subscription'> & {
    account: Account;
    plans: readonly SubscriptionPackage[];
    packages: Awaited<ReturnType<typeof readTokenPackages>>;
    downloads: Downloads | null;
  },
) {
  const plan = search.get('pay');
  const tokens = search.get('buy');
  if (plan === null && tokens === null) return null;
  if (account.beta_approved_at === null) throw redirect(SUBSCRIPTION);
  if (plan !== null) return subscriptionStep({ packageId: plan, plans, subscription });
  return tokenStep({
    packageId: tokens ?? '',
    packages,
    subscription,
    hasApp: hasApp(downloads),
    leaveTo: TOKENS_TAB,
  });
}

/** Everything that the subscription page shows. Admins are redirected to the dashboard, visitors to the landing page. */
export async function readSubscriptionPage(request: Request) {
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return { kind: 'failed' as const };
  const { account } = viewer;
  if (account.role === 'admin') throw redirect('/dashboard');
  const { db } = serverContext();
  const { searchParams: search } = new URL(request.url);
  const outcome = await loadOptional(() => readOutcome(search, { account }));
  const [facts, plans, packages, purchases, downloads] = await Promise.all([
    readMemberFacts(account),
    readPlans(),
    readTokenPackages(),
    loadOptional(() =>
      listPurchases(db, {
        accountId: account.id,
        limit: RECENT_PURCHASES,
        submitted: { returned: search.get('purchase') },
      }),
    ),
    account.beta_approved_at === null ? null : readLatestDownload(request),
  ]);
  const { subscription } = facts;
  const { step, failure } = search.has('confirm')
    ? await confirmStep({ account })
    : { step: await readStep(search, { account, subscription, plans, packages, downloads }), failure: null };
  if (step !== null) return { kind: 'step' as const, step };
  const tab: Tab = search.get('tab') === 'tokens' ? 'tokens' : 'subscription';
  return {
    kind: 'page' as const,
    tab,
    ...facts,
    plans,
    packages,
    purchases,
    /** Null: without beta access, or they could not be read. */
    downloads,
    hasApp: hasApp(downloads),
    paymentHold: await readPaymentHold(),
    dialog: subscription === null ? null : await readDialog(search, { account, subscription, plans }),
    /** Why the payment step could not be shown; null if it was not requested. */
    stepFailure: failure,
    outcome: outcome ?? outcomeOf(search, subscription),
  };
}

const packageFields = z.object({ packageId: textField });
/** The forms of the subscription page. A refused payment stays on its step, because it was sent to the step's address. */
export const forms = pageForms(
  { path: SUBSCRIPTION, access: requireMember, failed: SUBSCRIPTION_FAILED },
  {
    ...betaForms,
    ...subscriptionForms,
    ...tokenForms(TOKENS_TAB),
    cancel: operationForm(subscriptionOperations.cancel, {}),
    reactivate: operationForm(subscriptionOperations.reactivate, {}),
    preview: operationForm(subscriptionOperations.previewChange, {
      schema: packageFields,
      input: ({ packageId }) => ({ newPackageId: packageId }),
      outcome: (_, { packageId }) => ({ to: withParameters(SUBSCRIPTION, { change: packageId }) }),
    }),
    change: operationForm(subscriptionOperations.change, {
      schema: packageFields.extend({ quoteId: textField }),
      input: ({ packageId, quoteId }) => ({ newPackageId: packageId, quoteId }),
      outcome: ({ clientSecret }) =>
        clientSecret === undefined
          ? {}
          : // The payment step has its own Content-Security-Policy, so scripts load it as a document.
            { message: '', to: CONFIRM_STEP, headers: redirectDocument(CONFIRM_STEP).headers },
    }),
    portal: operationForm(subscriptionOperations.openPortal, {
      schema: noFields,
      input: () => ({ returnTo: SUBSCRIPTION }),
      outcome: ({ url }) => ({ to: url }),
    }),
  },
);
