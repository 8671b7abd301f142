import type { z } from 'zod';
import { systemClock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { retirePackage } from '#shared/payments/packages';
import { formatPounds, parsePounds } from '#shared/money';
import {
  addSubscriptionPackage,
  newSubscriptionPackage,
} from '#shared/subscriptions/packages/add-subscription-package';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { addTokenPackage, newTokenPackage } from '#shared/tokens/add-token-package';
import { readArguments } from './arguments';
import { paymentsOf } from './payment/payments-of';
import {
  formatTable,
  OPERATOR,
  createTool,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';

const USAGE = `Use: npm run packages -- COMMAND [--json]

  list             list all plans and packages of tokens, retired ones included
  add ID --name NAME --description TEXT --price POUNDS --days N
                   add a plan that renews every N days
  add ID --name NAME --description TEXT --price POUNDS --tokens N
                   add a package of N tokens
  retire ID        stop selling a plan or a package; subscriptions to the plan continue
  sync             make the price of each plan at Stripe, and compare those that exist; the daemon does so when it starts

POUNDS is an amount such as 9.99. An id cannot be used twice: to change a price, add a package and retire the old one.
--json prints one JSON object as the last line, also when the command fails.`;

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

function parseFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${parsed.error.issues[0]?.message ?? 'A value is wrong.'}\n\n${USAGE}`);
}

async function add(db: Database, id: string, values: Values): Promise<CommandOutput> {
  const { name, description, price = '', days, tokens } = values;
  if ((days === undefined) === (tokens === undefined))
    throw new UsageError(`Give either --days (a plan) or --tokens (a package of tokens).\n\n${USAGE}`);
  const common = { id, name, description, pricePence: parsePounds(price) };
  const context = { actor: OPERATOR, clock: systemClock };
  if (days !== undefined) {
    const fields = parseFields(newSubscriptionPackage, { ...common, durationDays: Number(days) });
    await addSubscriptionPackage(db, { fields, ...context });
    const message = `Added the plan ${id}. It can be bought after "npm run packages -- sync".`;
    return { lines: [message], json: { success: true, id, message } };
  }
  const fields = parseFields(newTokenPackage, { ...common, tokenCount: Number(tokens) });
  await addTokenPackage(db, { fields, ...context });
  const message = `Added the package ${id}. It can be bought now.`;
  return { lines: [message], json: { success: true, id, message } };
}

async function retire(db: Database, id: string): Promise<CommandOutput> {
  const changed = await retirePackage(db, { id, actor: OPERATOR, clock: systemClock });
  const message = changed ? `${id} is retired.` : `${id} is retired already.`;
  return { lines: [message], json: { success: true, id, changed, message } };
}

async function sync(db: Database, config: Config): Promise<CommandOutput> {
  const packages = await syncPackages(paymentsOf(db, config), { recreate: true });
  return {
    lines: [
      packages.length === 0
        ? 'There is no plan to sync.'
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
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, id, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  const takesId = command === 'add' || command === 'retire';
  if (!takesId && command !== 'list' && command !== 'sync')
    throw new UsageError(`There is no command ${command}.\n\n${USAGE}`);
  if (rest.length > 0 || takesId !== (id !== undefined)) throw new UsageError(USAGE);
  return withDatabase(environment, (db, config) => {
    if (command === 'sync') return sync(db, config);
    if (id === undefined) return list(db);
    return command === 'add' ? add(db, id, values) : retire(db, id);
  });
}

export const tool = createTool(main);
