import { writeAudit } from '#shared/audit/write-audit';
import { listAdoptable, type Adoptable } from '#shared/billing/adopt.server';
import { SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { inTransaction } from '#shared/database/transaction';
import { formatPounds } from '#shared/money';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { describeFailure } from '#shared/process/describe-failure.server';
import { terminalLine } from '#shared/terminal-text';
import { formatTime } from '../local-time';
import { formatTable, OPERATOR, type CommandOutput } from '../terminal';

/** An object and its outcome. */
interface Outcome extends Omit<Adoptable, 'adopt'> {
  email: string | null;
  outcome: 'found' | 'adopted' | 'left' | 'failed';
  reason: string | null;
}

async function findEmail(db: Database, accountId: string | null): Promise<string | null> {
  if (accountId === null) return null;
  const row = await db.selectFrom('users').select('email').where('id', '=', accountId).executeTakeFirst();
  return row?.email ?? null;
}

async function handle(
  context: PaymentsContext,
  { adopt, ...object }: Adoptable,
  apply: boolean,
): Promise<Outcome> {
  const email = await findEmail(context.db, object.accountId);
  if (object.obstacle !== null) return { ...object, email, outcome: 'left', reason: object.obstacle };
  if (!apply) return { ...object, email, outcome: 'found', reason: null };
  try {
    await adopt();
    await inTransaction(context.db, (trx) =>
      writeAudit(
        trx,
        { actor: OPERATOR, action: 'payments.adopt', subject: object.stripeId },
        context.clock.now(),
      ),
    );
    return { ...object, email, outcome: 'adopted', reason: null };
  } catch (error) {
    const reason = terminalLine(describeFailure(error).message);
    return { ...object, email, outcome: 'failed', reason };
  }
}

function summarise(outcomes: readonly Outcome[], apply: boolean): string {
  const count = (wanted: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  if (outcomes.length === 0) return 'Every subscription and payment at Stripe has its row.';
  const left = `${count('left')} are left as they are`;
  if (!apply)
    return `${count('found')} can be adopted, ${left}. Nothing has been written: add --apply to create their rows.`;
  return `${count('adopted')} were adopted, ${left}, ${count('failed')} failed.`;
}

/** Lists our subscriptions and payments at Stripe without rows; `apply` makes these and writes Stripe's state to them. */
export async function adoptPayments(context: PaymentsContext, apply: boolean): Promise<CommandOutput> {
  const outcomes: Outcome[] = [];
  for (const object of await listAdoptable(context)) outcomes.push(await handle(context, object, apply));
  const rows = outcomes.map(({ stripeId, kind, created, amountPence, status, email, outcome, reason }) => [
    stripeId,
    kind,
    formatTime(toIso(created * SECOND)),
    formatPounds(amountPence),
    status,
    email ?? '-',
    reason === null ? outcome : `${outcome}: ${reason}`,
  ]);
  const heading = ['object', 'kind', 'created', 'amount', 'at Stripe', 'account', 'outcome'];
  const failed = outcomes.some(({ outcome }) => outcome === 'failed');
  return {
    lines: [...(rows.length === 0 ? [] : [formatTable([heading, ...rows])]), summarise(outcomes, apply)],
    json: {
      success: !failed,
      applied: apply,
      objects: outcomes.map(({ stripeId, kind, status, amountPence, accountId, email, outcome, reason }) => ({
        ...{ id: stripeId, kind, status, amountPence, accountId, email, outcome, reason },
      })),
    },
    failed,
  };
}
