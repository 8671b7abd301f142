import { parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { type DataRecord, type PageRecords, dataOf, readRecords } from './structured/page-data';
import { type Context, UNNAMED_WEIGHT, WEIGHTS, add } from './product-context';
import { isSameProduct, likeness } from './words/product-names';

/** Whether data of a page without any heading has the name that the page's title element has. */
export function isNameOf({ title, nameInTitle }: Context, name: string | null): boolean {
  return title === null && name !== null && nameInTitle !== '' && foldText(name) === foldText(nameInTitle);
}

/** Reads the JSON of the page, and adds a sign for each record about the product. Returns those of the product and of its variants. */
export function readData(context: Context): PageRecords {
  const { reader, box, currency, title, answer } = context;
  const records: DataRecord[] = [];
  for (const { value, node } of dataOf(reader.islands, context.budget)) {
    if (box.isOutside(node)) continue;
    records.push(...readRecords(value, node, currency));
    if (records.length > 2000) break;
  }
  const path = parseAddress(answer.finalUrl)?.pathname.toLowerCase() ?? '';
  const chosen = idsOfChoices(context);
  const isNamed = (record: DataRecord): boolean | null => {
    if (record.name === null) return null;
    if (isNameOf(context, record.name)) return true;
    if (title !== null && (isSameProduct(record.name, title) || likeness(record.name, title) === 1))
      return true;
    return false;
  };
  const belongs = (record: DataRecord, depth = 0): boolean => {
    if (record.isOther || depth > 12) return false;
    if (record.isVariant && record.parent !== null) return belongs(record.parent, depth + 1);
    const named = isNamed(record);
    if (named === true) return true;
    const inPath = record.keys.some(
      (key) =>
        key.length > 3 &&
        path.split('/').some(
          (part) =>
            part === key.toLowerCase() ||
            part.startsWith(`${key.toLowerCase()}-`) ||
            // "WRS-2210-BLU" is a variant of the product at `/WRS-2210.html`.
            (/\d{3}/.test(part) && key.toLowerCase().startsWith(`${part.replace(/\.html?$/, '')}-`)) ||
            part.endsWith(`-${key.toLowerCase()}`),
        ),
    );
    if (inPath || record.keys.some((key) => chosen.has(key))) return true;
    if (record.parent !== null && (named === null || record.isVariant))
      return belongs(record.parent, depth + 1);
    // Data inside the product's own box, such as a form's variants, need not name it.
    const isInside = box.node > 0 && box.heading !== null && box.holds(record.node) && record.node > box.node;
    if (isInside) return true;
    return named === null && record.parent === null && record.node >= 0 && isSoleRecord(records, record);
  };
  const certain = new Set(records.filter((record) => belongs(record)));
  // A sold-out variant may have no id in the page's form, but be in the list of those that have one.
  const chosenFrom = [...certain].filter(
    ({ options, keys }) => options !== null && keys.some((key) => chosen.has(key)),
  );
  const own = records.filter(
    (record) =>
      certain.has(record) ||
      (record.options !== null &&
        !record.isOther &&
        chosenFrom.some(({ node, parent }) => node === record.node && parent === record.parent)),
  );
  readAsMinorUnits(context, own);
  const listed = own.filter((record) => isVariantRecord(record, own));
  // A product with a single variant has none to choose.
  const variants = listed.length === 1 ? [] : listed;
  for (const record of own) {
    if (record.wording === null || variants.includes(record) || isPartOf(record)) continue;
    const isNamedRecord =
      isNamed(record) === true || (record.parent !== null && isNamed(record.parent) === true);
    const weight = isNamedRecord ? WEIGHTS.page_data : UNNAMED_WEIGHT;
    add(context, 'page_data', { ...record.wording, weight, evidence: record.evidence });
  }
  for (const record of records)
    if (record.wording !== null && !own.includes(record))
      add(context, 'page_data', {
        ...record.wording,
        subject: 'other_product',
        weight: 0,
        evidence: `${record.name ?? ''} ${record.evidence}`,
      });
  return { records, own, variants };
}

/** Whether a record without name and key is nested in one with its own stock state, such as a delivery method. */
function isPartOf({ name, keys, parent, isVariant }: DataRecord): boolean {
  return !isVariant && name === null && keys.length === 0 && parent !== null && parent.wording !== null;
}

/** Divides the prices of records by a hundred, when the page shows them so: `"price": 350` beside "£3.50". */
function readAsMinorUnits({ box }: Context, own: readonly DataRecord[]): void {
  const shown = new Set(box.lines.flatMap(({ prices }) => prices.map(({ amount }) => amount)));
  const nodes = new Set(own.map(({ node }) => node));
  for (const node of nodes) {
    const priced = own.flatMap((record) =>
      record.node === node && record.price !== null ? [record.price] : [],
    );
    const isWhole = priced.every(({ amount }) => amount % 100 === 0 && !shown.has(amount));
    if (isWhole && priced.some(({ amount }) => shown.has(amount / 100)))
      for (const price of new Set(priced)) price.amount /= 100;
  }
}

/** The ids that the choices of the product's form name: `<option value="45002">`. */
function idsOfChoices({ reader, box }: Context): ReadonlySet<string> {
  const values = [
    ...reader.choices.filter(({ node }) => box.holds(node)).flatMap(({ options }) => options),
    ...reader.radios.filter(({ node }) => box.holds(node)),
  ].map(({ value }) => value);
  return new Set(values.filter((value) => value.length > 3 && /\d/.test(value)));
}

/** Whether a record is the only one on its page that says something about stock. */
function isSoleRecord(records: readonly DataRecord[], record: DataRecord): boolean {
  // A chat or a map is "available" as well.
  const isAboutGoods =
    record.price !== null ||
    record.gtin !== null ||
    /^\w*(?:stock|inventory|sellable|availability|sold)/i.test(record.evidence);
  return (
    isAboutGoods && records.every((other) => other === record || other.wording === null || other.isOther)
  );
}

function isVariantRecord(record: DataRecord, own: readonly DataRecord[]): boolean {
  if (record.wording === null) return false;
  if (record.isVariant) return true;
  const siblings = own.filter(
    (other) =>
      other.node === record.node &&
      other.parent === record.parent &&
      other.keys.length > 0 &&
      other.wording !== null,
  );
  return siblings.length > 1 && record.keys.length > 0 && (record.options !== null || record.name !== null);
}
