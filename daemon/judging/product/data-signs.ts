import { parseAddress } from '../../waiting-room/fetch/web-address';
import type { StructuredProduct } from './offers';
import { type DataRecord, type PageRecords, dataOf, readRecords } from './page-data';
import { isOwn } from './page-identity';
import { type Context, add } from './product-context';
import { isSameProduct, likeness } from './product-names';
import { readAvailabilityTerm, readStockLine } from './stock-words';
import { type Watched, bestOffer } from './variants';

export function readData(context: Context): PageRecords {
  const { reader, box, currency, title, answer } = context;
  const records: DataRecord[] = [];
  for (const { value, node } of dataOf(reader.islands, context.budget)) {
    if (box.isOutside(node)) continue;
    records.push(...readRecords(value, node, currency));
    if (records.length > 2000) break;
  }
  const path = parseAddress(answer.finalUrl)?.pathname.toLowerCase() ?? '';
  const isNamed = (record: DataRecord): boolean | null => {
    if (record.name === null) return null;
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
        path
          .split('/')
          .some(
            (part) =>
              part === key.toLowerCase() ||
              part.startsWith(`${key.toLowerCase()}-`) ||
              part.endsWith(`-${key.toLowerCase()}`),
          ),
    );
    if (inPath) return true;
    if (record.parent !== null && (named === null || record.isVariant))
      return belongs(record.parent, depth + 1);
    // Data inside the product's own box, such as a form's variants, need not name it.
    const isInside = box.node > 0 && box.heading !== null && box.holds(record.node) && record.node > box.node;
    if (isInside) return true;
    return named === null && record.parent === null && record.node >= 0 && isSoleRecord(records, record);
  };
  const own = records.filter((record) => belongs(record));
  const listed = own.filter((record) => isVariantRecord(record, own));
  // A product with a single variant has none to choose.
  const variants = listed.length === 1 ? [] : listed;
  for (const record of own) {
    if (record.wording === null || variants.includes(record)) continue;
    add(context, 'page_data', { ...record.wording, evidence: record.evidence });
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

/** Whether a record is the only one on its page that says something about stock. */
function isSoleRecord(records: readonly DataRecord[], record: DataRecord): boolean {
  return records.every((other) => other === record || other.wording === null || other.isOther);
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

export function readStructured(context: Context, subject: StructuredProduct | null, watched: Watched): void {
  const { structured } = context;
  if (subject !== null && watched.offer === null && watched.variant?.source !== 'structured_data') {
    const all = [...subject.offers, ...subject.variants.flatMap(({ offers }) => offers)];
    const best = bestOffer(all);
    if (best?.wording !== undefined && best.wording !== null && !best.used)
      add(context, 'structured_data', {
        ...best.wording,
        evidence: `${subject.name ?? ''}: ${best.term ?? ''}`,
      });
  }
  if (watched.offer?.wording !== undefined && watched.offer.wording !== null)
    add(context, 'structured_data', {
      ...watched.offer.wording,
      subject: 'variant',
      evidence: `${watched.key ?? ''}: ${watched.offer.term ?? ''}`,
    });
  for (const product of structured.products) {
    const offer = bestOffer(product.offers);
    if (product === subject || offer?.wording === undefined || offer.wording === null) continue;
    if (subject !== null && isOwn(context, product)) continue;
    add(context, 'structured_data', {
      ...offer.wording,
      subject: 'other_product',
      weight: 0,
      evidence: `${product.name ?? ''}: ${offer.term ?? ''}`,
    });
  }
}

export function readMeta(context: Context): void {
  const { meta } = context.reader;
  for (const name of ['product:availability', 'og:availability', 'og:product:availability']) {
    const wording =
      readAvailabilityTerm(meta.get(name) ?? null) ?? readStockLine((meta.get(name) ?? '').toLowerCase());
    if (wording !== null) {
      add(context, 'meta', { ...wording, evidence: `${name}: ${meta.get(name) ?? ''}` });
      return;
    }
  }
  for (const index of ['1', '2']) {
    if (!/availab|stock/i.test(meta.get(`twitter:label${index}`) ?? '')) continue;
    const wording = readStockLine((meta.get(`twitter:data${index}`) ?? '').toLowerCase());
    if (wording !== null)
      add(context, 'meta', {
        ...wording,
        evidence: `twitter:data${index}: ${meta.get(`twitter:data${index}`) ?? ''}`,
      });
  }
}
