/**
 * Writes parameters.json: of each request that the sandbox serves the parameters with their types, read from the type
 * declarations of the stripe SDK, which Stripe generates from its public OpenAPI description. Run it after the SDK or the
 * routes changed: `npx tsx sandbox/stripe/build-parameters.mjs`; parameters.test.ts fails until then.
 *
 * A type is `string`, `integer`, `number`, `boolean`, `any`, or one of
 * `{object: {name: type}}` (a name that ends in `!` is required), `{array: type}`, `{map: type}`, `{enum: [text]}`,
 * `{union: [type]}`. In `{empty: type}` an empty text is admitted and unsets the value.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { createStripe } from './stripe';

const TARGET = new URL('parameters.json', import.meta.url);
const RESOURCES = new URL(
  '../esm/resources/',
  pathToFileURL(createRequire(import.meta.url).resolve('stripe')),
);

/** The SDK's files that declare the served requests. */
const FILES = [
  'Accounts',
  'BillingPortal/Sessions',
  'Charges',
  'Checkout/Sessions',
  'Customers',
  'Disputes',
  'Events',
  'InvoicePayments',
  'Invoices',
  'PaymentIntents',
  'PaymentMethods',
  'Prices',
  'Products',
  'Refunds',
  'Subscriptions',
  'SubscriptionSchedules',
];

/** The declarations say `number` for both; these names hold fractions (OpenAPI type `number`). */
const FRACTION = /percent|percentage|_decimal$/;
/** Options per payment method are long: kept for cards, and left out for other methods. */
const PER_METHOD = new Set(['payment_method_options', 'payment_method_data']);
const KEPT_METHOD_FIELDS = new Set([
  'allow_redisplay',
  'billing_details',
  'card',
  'customer_balance',
  'link',
  'metadata',
  'paypal',
  'type',
]);

/**
 * The table as text, formatted: one line per route.
 * @throws when a served request is not in the SDK's files
 */
export function buildParameterTable() {
  const { served } = createStripe({ mark() {} }, () => '');
  const keys = served.map((request) => request.replace(/:\w+/g, '{}')).sort();
  const declarations = FILES.map((name) => fileURLToPath(new URL(`${name}.d.ts`, RESOURCES)));
  const program = ts.createProgram(declarations, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const routes = {};
  for (const [index, name] of FILES.entries()) {
    const script = readFileSync(new URL(`${name}.js`, RESOURCES), 'utf8');
    const source = program.getSourceFile(declarations[index]);
    const resource = source.statements.find(
      (node) =>
        ts.isClassDeclaration(node) && /Resource$/.test(node.name.text) && hasRoutes(script, node.name.text),
    );
    const calls = script.matchAll(
      /^ {4}(\w+)\([^)]*\) \{\n\s+return this\._makeRequest\('(\w+)', ['`]([^'`]+)['`]/gm,
    );
    for (const [, method, verb, path] of calls) {
      const pattern = `${verb} ${path.replace(/\$\{[^}]*\}/g, '{}')}`;
      if (!keys.includes(pattern)) continue;
      const member = resource.members.find((node) => node.name?.text === method);
      const parameter = member?.parameters.find((node) => node.name.text === 'params');
      const type = parameter ? checker.getTypeAtLocation(parameter) : null;
      routes[pattern] = type ? describeFields(checker, type, parameter, '') : {};
    }
  }
  const lines = keys.map((key) => {
    if (routes[key] === undefined) throw new Error(`the SDK's files have no request ${key}`);
    return `${JSON.stringify(key)}: ${JSON.stringify(routes[key])}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

const hasRoutes = (script, className) => script.includes(`class ${className} `);

function describeFields(checker, type, node, parentName) {
  const fields = {};
  for (const property of checker.getNonNullableType(type).getProperties()) {
    if (PER_METHOD.has(parentName) && !KEPT_METHOD_FIELDS.has(property.name)) continue;
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const inner = checker.getTypeOfSymbolAtLocation(property, node);
    const described =
      property.name === 'metadata' ? { map: 'string' } : describe(checker, inner, node, property.name);
    // The checker loses the '' of Emptyable<string>, so the declaration's text decides.
    const isEmptyable = property.valueDeclaration?.type?.getText().startsWith('Emptyable<') ?? false;
    fields[isOptional ? property.name : `${property.name}!`] = isEmptyable ? { empty: described } : described;
  }
  return fields;
}

function describe(checker, type, node, name) {
  const members = (type.isUnion() ? type.types : [type]).filter(
    (member) => !(member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)),
  );
  const isEmptyText = (member) => member.isStringLiteral() && member.value === '';
  return describeMembers(
    checker,
    members.filter((member) => !isEmptyText(member)),
    node,
    name,
  );
}

function describeMembers(checker, members, node, name) {
  const texts = members.filter((member) => member.isStringLiteral()).map((member) => member.value);
  // `OtherString` (string & {}) stands for values that a later API version may add.
  const others = members.filter(
    (member) =>
      !member.isStringLiteral() && !(texts.length > 0 && member.isIntersection()) && !isBooleanPart(member),
  );
  const kinds = others.map((member) => describeOne(checker, member, node, name));
  if (members.some(isBooleanPart)) kinds.push('boolean');
  if (texts.length > 0) kinds.push({ enum: texts.sort() });
  const unique = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
  return unique.length === 1 ? unique[0] : { union: unique };
}

const isBooleanPart = (type) => (type.flags & (ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Boolean)) !== 0;

function describeOne(checker, type, node, name) {
  if (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return 'string';
  if (type.flags & (ts.TypeFlags.Number | ts.TypeFlags.NumberLiteral))
    return FRACTION.test(name) ? 'number' : 'integer';
  if (type.symbol?.name === 'Decimal') return 'number';
  if (checker.isArrayType(type))
    return { array: describe(checker, checker.getTypeArguments(type)[0], node, name) };
  if (type.isIntersection()) return 'string';
  if (type.flags & ts.TypeFlags.Object) {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) return { map: describe(checker, index.type, node, name) };
    return { object: describeFields(checker, type, node, name) };
  }
  return 'any';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, buildParameterTable());
