import { CODES_KEPT_MS, MAILS_KEPT_MS, REQUESTS_KEPT_MS } from '#shared/accounts/purge-expired';
import { SESSION_LASTS_MS } from '#shared/accounts/sessions';
import { CODE_LASTS_MS } from '#shared/accounts/codes/verification-codes';
import { DAY, HOUR, MINUTE } from '#shared/clock';
import { CHECKS_KEPT_MS, PAGES_KEPT_MS } from '#shared/monitor/retention';
import { privacy, type LegalText } from '~/components/legal/legal-content';
import { CONSENT_KEPT_MS } from '../../http/cookies/consent-cookie.server';
import { PENDING_LASTS_MS } from '../../http/auth/pending-login.server';
import { THEME_KEPT_MS } from '../../http/cookies/theme-cookie.server';

/** A period (ms) in its largest whole unit: "1 hour", "30 days". Throws for one that is not whole in minutes. */
export function periodWords(ms: number): string {
  for (const [unit, length] of [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
  ] as const) {
    const count = ms / length;
    if (Number.isInteger(count) && count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  throw new Error(`no words for a period of ${ms} ms`);
}

/** The privacy page with the periods of the code that deletes what it names. */
export function readPrivacy(): LegalText {
  return privacy({
    session: periodWords(SESSION_LASTS_MS),
    code: periodWords(CODE_LASTS_MS),
    codeRow: periodWords(CODES_KEPT_MS),
    codeRequest: periodWords(REQUESTS_KEPT_MS),
    pendingSignIn: periodWords(PENDING_LASTS_MS),
    mail: periodWords(MAILS_KEPT_MS),
    page: periodWords(PAGES_KEPT_MS),
    check: periodWords(CHECKS_KEPT_MS),
    consent: periodWords(CONSENT_KEPT_MS),
    theme: periodWords(THEME_KEPT_MS),
  });
}
