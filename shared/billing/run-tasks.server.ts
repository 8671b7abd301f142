import pLimit from 'p-limit';
import { DomainError } from '../errors';
import { recordFault } from '../payments/payment-faults';
import type { PaymentsContext } from '../payments/payments-context';
import { JOB_LIFETIME_MS, withDeadline } from '../payments/step-deadline.server';
import { findKeyRefusal, type KeyRefusal } from '../payments/stripe-errors';
import type { SyncResult } from '../payments/sync-with-stripe.server';

const CONCURRENCY = 4;
/** One object can have been removed by hand; several at once mean that something is wrong at Stripe or with the key. */
const MAX_NEWLY_MISSING = 2;

export interface ReconcileReport {
  read: number;
  changed: number;
  failed: number;
  /** The number of objects that are missing at Stripe. Their rows stay unchanged. */
  missing?: number;
  /** The rest was left for the next run: Stripe did not answer, refused the key, or did not know several objects. */
  stopped?: true;
}

export interface ReconcileOptions {
  /** Limits it to one account, and reads all of its pending rows at once. */
  accountId?: string;
  /** Called for each row or list that could not be read or written, and for each object that Stripe does not know. */
  onFault?: (error: unknown, subject: string) => void;
}

export interface Task {
  /** Names the row in a log line. */
  subject: string;
  /** Stripe did not know its object before. */
  wasMissing?: boolean;
  run(): Promise<SyncResult>;
}

/** The report of a comparison that could not begin. */
export const NOTHING_READ: ReconcileReport = { read: 0, changed: 0, failed: 0 };

/**
 * Runs the tasks, a few at once. When Stripe does not answer or refuses the key, the remaining ones wait for the next run.
 * The same when several objects are newly missing, which is recorded as a fault for the admins.
 */
export async function runTasks(
  { db, clock }: PaymentsContext,
  tasks: readonly Task[],
  { accountId, onFault }: ReconcileOptions,
): Promise<ReconcileReport> {
  const report: ReconcileReport = { ...NOTHING_READ };
  const limit = pLimit(CONCURRENCY);
  const newlyMissing: string[] = [];
  let refusal: KeyRefusal | null = null;
  await Promise.all(
    tasks.map(({ subject, wasMissing = false, run }) =>
      limit(async () => {
        if (report.stopped) return;
        try {
          const result = await withDeadline(JOB_LIFETIME_MS, run);
          report.read += 1;
          if (result === 'changed') report.changed += 1;
          if (result !== 'missing') return;
          report.missing = (report.missing ?? 0) + 1;
          if (wasMissing) return;
          onFault?.(new Error('Stripe does not know it; its row stays as it is.'), subject);
          // The objects of one account can have been removed together.
          if (accountId !== undefined) return;
          newlyMissing.push(subject);
          if (newlyMissing.length >= MAX_NEWLY_MISSING) report.stopped = true;
        } catch (error) {
          report.failed += 1;
          const isUnanswered = error instanceof DomainError && error.code === 'payment_service_failed';
          refusal = findKeyRefusal(error) ?? refusal;
          if (isUnanswered || refusal?.fault === 'key') report.stopped = true;
          onFault?.(error, subject);
        }
      }),
    ),
  );
  const now = clock.now();
  if (refusal !== null) await recordFault(db, { ...(refusal as KeyRefusal), now });
  if (newlyMissing.length >= MAX_NEWLY_MISSING)
    await recordFault(db, {
      fault: 'missing',
      reason: `Stripe does not know ${newlyMissing.join(', ')}, so the comparison with Stripe has stopped. Memberships and tokens stay as they are. Is STRIPE_SECRET_KEY the key of our account, and are its test data still there? When Stripe knows them again, run: npm run payments -- reconcile`,
      now,
    });
  return report;
}
