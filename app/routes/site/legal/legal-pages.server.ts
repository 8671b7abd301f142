import {
  CODE_RETENTION_MS,
  MAIL_RETENTION_MS,
  REQUEST_RETENTION_MS,
  UNCONFIRMED_RETENTION_MS,
} from '#shared/accounts/purge-expired';
import { SESSION_LIFETIME_MS, SESSION_MAX_LIFETIME_MS } from '#shared/accounts/sessions';
import { CODE_LIFETIME_MS } from '#shared/accounts/codes/verification-codes';
import { AUDIT_RETENTION_MS } from '#shared/audit/write-audit';
import { EVENT_RETENTION_MS, UNAPPLIED_RETENTION_MS } from '#shared/billing/purge-events';
import { DAY, HOUR, MINUTE } from '#shared/clock';
import { MEMBER_TEST_RETENTION_MS } from '#shared/member-alerts/purge-member-alerts';
import { MEMBER_ALERT_RETENTION_MS } from '#shared/member-alerts/sum-deliveries';
import { CHECK_RETENTION_MS, PAGE_RETENTION_MS } from '#shared/monitor/retention';
import { EXPORT_RETENTION_MS, LINK_LIFETIME_MS } from '#shared/personal-data/data-exports';
import { DELETION_WAIT_MS } from '#shared/personal-data/request-deletion.server';
import { ENDED_RETENTION_MS } from '#shared/push/ended-subscriptions';
import { DOWNLOAD_START_RETENTION_MS } from '#shared/releases/downloads';
import { ROLE_LIFETIME_MS } from '#shared/roles/request-roles';
import { QUOTE_RETENTION_MS } from '#shared/subscriptions/plan-quotes.server';
import { CLOSED_PROXY_RETENTION_MS } from '#shared/tokens/open-proxies';
import { privacy, type LegalText } from '~/components/legal/legal-content';
import { counted } from '#shared/format';
import { CONSENT_LIFETIME_MS } from '../../../http/cookies/consent-cookie.server';
import { BROWSER_LIFETIME_MS } from '~/http/auth/earlier-sign-ins.server';
import { PENDING_LIFETIME_MS } from '../../../http/auth/pending-login.server';
import { THEME_LIFETIME_MS } from '../../../http/cookies/theme-cookie.server';

/** A period (ms) in its largest whole unit: "1 hour", "30 days". Throws for one that is not whole in minutes. */
export function formatPeriod(ms: number): string {
  for (const [unit, length] of [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
  ] as const) {
    const count = ms / length;
    if (Number.isInteger(count) && count > 0) return counted(count, unit);
  }
  throw new Error(`no words for a period of ${ms} ms`);
}

/** The privacy page, with the retention periods that the code applies. */
export function readPrivacy(): LegalText {
  return privacy({
    unconfirmed: formatPeriod(UNCONFIRMED_RETENTION_MS),
    endedDevice: formatPeriod(ENDED_RETENTION_MS),
    unlinkedRole: formatPeriod(ROLE_LIFETIME_MS),
    proxy: formatPeriod(CLOSED_PROXY_RETENTION_MS),
    session: formatPeriod(SESSION_LIFETIME_MS),
    sessionMax: formatPeriod(SESSION_MAX_LIFETIME_MS),
    code: formatPeriod(CODE_LIFETIME_MS),
    codeRow: formatPeriod(CODE_RETENTION_MS),
    codeRequest: formatPeriod(REQUEST_RETENTION_MS),
    pendingSignIn: formatPeriod(PENDING_LIFETIME_MS),
    knownBrowser: formatPeriod(BROWSER_LIFETIME_MS),
    mail: formatPeriod(MAIL_RETENTION_MS),
    memberAlert: formatPeriod(MEMBER_ALERT_RETENTION_MS),
    memberTest: formatPeriod(MEMBER_TEST_RETENTION_MS),
    quote: formatPeriod(QUOTE_RETENTION_MS),
    audit: formatPeriod(AUDIT_RETENTION_MS),
    page: formatPeriod(PAGE_RETENTION_MS),
    check: formatPeriod(CHECK_RETENTION_MS),
    paymentEvent: formatPeriod(EVENT_RETENTION_MS),
    unappliedEvent: formatPeriod(UNAPPLIED_RETENTION_MS),
    downloadStart: formatPeriod(DOWNLOAD_START_RETENTION_MS),
    archive: formatPeriod(LINK_LIFETIME_MS),
    takeBack: formatPeriod(DELETION_WAIT_MS),
    archiveRequest: formatPeriod(EXPORT_RETENTION_MS),
    consent: formatPeriod(CONSENT_LIFETIME_MS),
    theme: formatPeriod(THEME_LIFETIME_MS),
  });
}
