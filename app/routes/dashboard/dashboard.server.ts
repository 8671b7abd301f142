import { redirect } from '@remix-run/node';
import type { Account } from '#shared/accounts/account';
import { NOTHING_CHOSEN, DASHBOARD } from '~/components/payment/addresses';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { pageForms } from '../../http/forms/page-forms.server';
import { loadOptional } from '../../http/server/failures.server';
import { requireMember } from '../../http/auth/session.server';
import { siteSettings } from '../site/site-state.server';
import { readAdminFacts } from './admin-facts.server';
import { betaForms } from './beta-forms.server';
import { hasApp, readDownloads } from './downloads.server';
import { readMemberFacts, readPaymentHold, readTokenPackages } from './member-facts.server';
import { tokenForms } from './payment-forms.server';
import { readPurchaseOutcome, tokenStep } from './payment-step.server';

/** What the dashboard shows: admins and members get different data. Visitors are redirected to the landing page. */
export async function readDashboard(request: Request) {
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return { kind: 'failed' as const };
  const { account } = viewer;
  if (account.role === 'admin')
    return { kind: 'admin' as const, name: account.username, facts: await readAdminFacts() };
  return readMemberDashboard(request, account);
}

async function readMemberDashboard(request: Request, account: Account) {
  const search = new URL(request.url).searchParams;
  const buy = search.get('buy');
  if (buy !== null && account.beta_approved_at === null) throw redirect(DASHBOARD);
  // Before the balance; see `readOutcome`.
  const outcome = await loadOptional(() => readPurchaseOutcome(search, { account, retry: DASHBOARD }));
  const [facts, settings, packages, downloads] = await Promise.all([
    readMemberFacts(account),
    loadOptional(siteSettings),
    buy === null ? null : readTokenPackages(),
    account.beta_approved_at === null ? null : readDownloads(request),
  ]);
  const { subscription } = facts;
  if (packages !== null && buy !== null && buy !== NOTHING_CHOSEN)
    return {
      kind: 'step' as const,
      step: tokenStep({
        packageId: buy,
        packages,
        subscription,
        hasApp: hasApp(downloads),
        leaveTo: DASHBOARD,
      }),
    };
  return {
    kind: 'member' as const,
    name: account.username,
    ...facts,
    /** Null: without beta access, or they could not be read. */
    downloads,
    hasApp: hasApp(downloads),
    community: settings && { inviteUrl: settings.discordInviteUrl },
    /** The packages of the dialog that the address opens; null for none. */
    packages,
    paymentHold: await readPaymentHold(),
    outcome,
  };
}

export const forms = pageForms(
  { path: DASHBOARD, access: requireMember, failed: DASHBOARD_FAILED },
  { ...betaForms, ...tokenForms(DASHBOARD) },
);
