import type { z } from 'zod';
import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { retirePackage } from '#shared/payments/packages';
import { formatPounds, parsePounds } from '#shared/money';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import {
  addSubscriptionPackage,
  newSubscriptionPackage,
} from '#shared/subscriptions/packages/subscription-packages';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { addTokenPackage, newTokenPackage } from '#shared/tokens/token-packages';
import { quoteValue, wrongValue } from './arguments';
import { createProgram, defineCommand } from './command-line';
import { formatTable, OPERATOR, UsageError, withDatabase, type CommandOutput } from './terminal';

const OPTIONS = {
  name: { type: 'string' },
  description: { type: 'string' },
  price: { type: 'string' },
  days: { type: 'string' },
  tokens: { type: 'string' },
} as const;

type Values = { [Name in keyof typeof OPTIONS]?: string | undefined };

function describeState(row: { retired_at: string | null }, fault: string | null): string {
  return row.retired_at === null ? (fault ?? 'sold') : 'retired';
}

async function list(db: Database): Promise<CommandOutput> {
  const plans = await db.selectFrom('subscription_packages').selectAll().orderBy('price_pence').execute();
  const packages = await db.selectFrom('token_packages').selectAll().orderBy('price_pence').execute();
  const faultOf = (plan: (typeof plans)[number]): string | null =>
    plan.stripe_fault ?? (plan.stripe_price_id === null ? 'not at Stripe yet: run sync' : null);
  return {
    lines: [
      formatTable([
        ['plan', 'name', 'price', 'renews every', 'state'],
        ...plans.map((plan) => [
          plan.id,
          plan.name,
          formatPounds(plan.price_pence),
          `${plan.duration_days} days`,
          describeState(plan, faultOf(plan)),
        ]),
      ]),
      '',
      formatTable([
        ['tokens', 'name', 'price', 'count', 'state'],
        ...packages.map((row) => [
          row.id,
          row.name,
          formatPounds(row.price_pence),
          String(row.token_count),
          describeState(row, null),
        ]),
      ]),
    ],
    json: {
      success: true,
      subscriptionPackages: plans.map((plan) => ({
        id: plan.id,
        name: plan.name,
        description: plan.description,
        pricePence: plan.price_pence,
        durationDays: plan.duration_days,
        stripePriceId: plan.stripe_price_id,
        fault: faultOf(plan),
        retiredAt: plan.retired_at,
      })),
      tokenPackages: packages.map((row) => ({
        id: row.id,
        name: row.name,
        description: row.description,
        pricePence: row.price_pence,
        tokenCount: row.token_count,
        retiredAt: row.retired_at,
      })),
    },
  };
}

/** The fields' names on the command line. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  id: 'the id',
  name: '--name',
  description: '--description',
  pricePence: '--price',
  durationDays: '--days',
  tokenCount: '--tokens',
};

/** Parses the fields of a package. `typed`: each field as the operator typed it, for the error message. */
function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0]);
  const name = FIELD_NAMES[field] ?? field;
  const text = typed[field];
  if (text === undefined) throw new UsageError(`${name} is missing.`);
  throw wrongValue(name, text, issue?.message ?? 'it is wrong.');
}

async function add(db: Database, clock: Clock, id: string, values: Values): Promise<CommandOutput> {
  const { name, description, price, days, tokens } = values;
  if ((days === undefined) === (tokens === undefined))
    throw new UsageError(`Give either --days (a plan) or --tokens (a token package) for ${quoteValue(id)}.`);
  const common = { id, name, description, pricePence: parsePounds(price ?? '') };
  const typed = { id, name, description, pricePence: price, durationDays: days, tokenCount: tokens };
  const context = { actor: OPERATOR, clock };
  if (days !== undefined) {
    const fields = parseFields(newSubscriptionPackage, { ...common, durationDays: Number(days) }, typed);
    await addSubscriptionPackage(db, { fields, ...context });
    const message = `Added the plan ${id}. It can be bought after "npm run packages -- sync".`;
    return { lines: [message], json: { success: true, id, message } };
  }
  const fields = parseFields(newTokenPackage, { ...common, tokenCount: Number(tokens) }, typed);
  await addTokenPackage(db, { fields, ...context });
  const message = `Added the package ${id}. It can be bought now.`;
  return { lines: [message], json: { success: true, id, message } };
}

async function retire(db: Database, clock: Clock, id: string): Promise<CommandOutput> {
  const changed = await retirePackage(db, { id, actor: OPERATOR, clock });
  const message = changed ? `${id} is retired.` : `${id} is already retired.`;
  return { lines: [message], json: { success: true, id, changed, message } };
}

async function sync(db: Database, config: Config, clock: Clock): Promise<CommandOutput> {
  const packages = await syncPackages(createPaymentsContext(db, config, clock), { recreate: true });
  return {
    lines: [
      packages.length === 0
        ? 'There are no plans to sync.'
        : formatTable([
            ['plan', 'price at Stripe', 'result'],
            ...packages.map(({ id, stripePriceId, outcome, fault }) => [
              id,
              stripePriceId ?? '(none)',
              fault ?? outcome,
            ]),
          ]),
    ],
    json: { success: packages.every(({ fault }) => fault === null), packages },
    failed: packages.some(({ fault }) => fault !== null),
  };
}

/** `npm run packages -- list | add ID | retire ID | sync` */
export const tool = createProgram({
  start: 'npm run packages --',
  commands: {
    list: defineCommand({
      use: 'list',
      help: ['list all plans and token packages, retired ones included'],
      run: ({ environment }) => withDatabase(environment, list),
    }),
    add: defineCommand({
      use: 'add ID --name NAME --description TEXT --price POUNDS (--days N | --tokens N)',
      help: [
        'add a plan that renews every N days, or a token package of N tokens; POUNDS is an amount such as 9.99',
        'An id cannot be used twice: to change a price, add a package and retire the old one.',
      ],
      needs: ['id'],
      options: OPTIONS,
      run: ({ needed: [id], values, environment }) =>
        withDatabase(environment, (db, _config, clock) => add(db, clock, id, values)),
    }),
    retire: defineCommand({
      use: 'retire ID',
      help: ['stop selling a plan or a package; subscriptions to the plan continue'],
      needs: ['id'],
      run: ({ needed: [id], environment }) =>
        withDatabase(environment, (db, _config, clock) => retire(db, clock, id)),
    }),
    sync: defineCommand({
      use: 'sync',
      help: [
        'make the price of each plan at Stripe, and compare those that exist; the daemon does so when',
        'it starts',
      ],
      run: ({ environment }) => withDatabase(environment, sync),
    }),
  },
});
