import type { z } from 'zod';
import type { Actor } from '#shared/audit/write-audit';
import type { WriteContext } from '#shared/database/transaction';
import { productChanges } from '#shared/monitor/products/change-product';
import { listShops } from '#shared/monitor/products/list-shops';
import { productOperations } from '#shared/monitor/products/product-operations';
import { retailerChanges } from '#shared/monitor/products/retailers';
import type { Access, Operation } from '#shared/operation';
import { terminalLine } from '#shared/terminal-text';
import { asSwitch, quoteValue, wrongValue } from '../arguments';
import { defineCommand } from '../command-line';
import { runOperation } from '../run-operation';
import { formatTable, UsageError, withDatabase, type CommandOutput, type Environment } from '../terminal';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** The option of each field. */
const PRODUCT_OPTIONS = {
  title: 'title',
  brand: 'brand',
  gtin: 'gtin',
  releasedOn: 'released',
  listPrice: 'list-price',
  imageUrl: 'image',
} as const;
const RETAILER_OPTIONS = {
  name: 'name',
  canary: 'canary',
  supported: 'supported',
  roleInstant: 'role-instant',
  roleFree: 'role-free',
} as const;

const asText = (text: string): unknown => (text === '' ? null : text);
const asPrice = (text: string): unknown =>
  /^\d{1,7}(?:\.\d{1,2})?$/.test(text) ? Number(text) : asText(text);

/** The changes among the options. Throws a `UsageError` that names the option of the first one that is wrong. */
function readChanges<Schema extends z.ZodObject>(
  schema: Schema,
  options: Readonly<Record<string, string>>,
  values: Values,
  subject: string,
): z.output<Schema> {
  const given = Object.entries(options).flatMap(([field, option]) => {
    const text = values[option];
    if (typeof text !== 'string') return [];
    const read = field === 'listPrice' ? asPrice : field === 'supported' ? asSwitch : asText;
    return [[field, read(text)]];
  });
  if (given.length === 0)
    throw new UsageError(`Name what to change of ${quoteValue(subject)}, by an option.`);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = options[String(issue?.path[0])] ?? '';
  throw wrongValue(`--${option}`, String(values[option] ?? ''), issue?.message ?? 'it is wrong.');
}

/** Runs an operation and prints its sentence. `subject`: what the JSON names. */
function change<Input extends z.ZodObject, Result>(
  environment: Environment,
  operation: Operation<Access, WriteContext, { actor: Actor }, Input, Result>,
  input: z.output<Input>,
  subject: { slug: string } | { host: string },
): Promise<CommandOutput> {
  return withDatabase(environment, async (db, _config, clock) => {
    const { message } = await runOperation(operation, { db, clock }, input);
    return { lines: [terminalLine(message)], json: { success: true, ...subject, message } };
  });
}

function retireCommand(retired: boolean) {
  return defineCommand({
    use: retired ? 'product retire SLUG' : 'product restore SLUG',
    help: [
      retired
        ? 'stop watching a product; its page and its price history stay'
        : 'let the watches of a retired product be started again',
    ],
    needs: ['slug'],
    run: ({ needed: [slug], environment }) =>
      change(environment, productOperations.retire, { slug, retired }, { slug }),
  });
}

/** `product set | retire | restore | remove SLUG`, `retailer [list] | set HOST`: what the watches of products name. */
export const PRODUCT_COMMANDS = {
  'product set': defineCommand({
    use: 'product set SLUG [--title TITLE] [--brand NAME] [--gtin DIGITS] [--released DATE] [--list-price POUNDS] [--image ADDRESS]',
    help: ['change a product; an empty value removes what was there'],
    needs: ['slug'],
    options: {
      title: { type: 'string' },
      brand: { type: 'string' },
      gtin: { type: 'string' },
      released: { type: 'string' },
      'list-price': { type: 'string' },
      image: { type: 'string' },
    },
    run: ({ needed: [slug], values, environment }) => {
      const changes = readChanges(productChanges, PRODUCT_OPTIONS, values, slug);
      return change(environment, productOperations.change, { slug, ...changes }, { slug });
    },
  }),
  'product retire': retireCommand(true),
  'product restore': retireCommand(false),
  'product remove': defineCommand({
    use: 'product remove SLUG',
    help: ['delete a product that no watch names'],
    needs: ['slug'],
    run: ({ needed: [slug], environment }) =>
      change(environment, productOperations.remove, { slug }, { slug }),
  }),
  'retailer list': defineCommand({
    use: 'retailer [list]',
    help: ['list the shops whose products are watched'],
    run: ({ environment }) =>
      withDatabase(environment, async (db, _config, clock) => {
        const retailers = await listShops(db, clock.now());
        const rows = retailers.map(({ host, name, watches, load, canary, isHeld }) => [
          host,
          name,
          String(watches),
          load === null ? 'stopped' : `${load.products} every ${load.everySeconds} s`,
          canary ?? '',
          isHeld ? 'verdicts held back' : '',
        ]);
        return {
          lines: [formatTable([['host', 'name', 'watches', 'checks', 'canary', ''], ...rows])],
          json: { success: true, retailers },
        };
      }),
  }),
  'retailer set': defineCommand({
    use: 'retailer set HOST [--name NAME] [--canary WATCH] [--supported yes|no] [--role-instant ID] [--role-free ID]',
    help: [
      'change a shop; its canary is a watch whose offer is always in stock, its roles are what alerts of its',
      'products ping on Discord; an empty value removes one',
    ],
    needs: ['host'],
    options: {
      name: { type: 'string' },
      canary: { type: 'string' },
      supported: { type: 'string' },
      'role-instant': { type: 'string' },
      'role-free': { type: 'string' },
    },
    run: ({ needed: [host], values, environment }) => {
      const changes = readChanges(retailerChanges, RETAILER_OPTIONS, values, host);
      return change(environment, productOperations.changeRetailer, { host, ...changes }, { host });
    },
  }),
};
