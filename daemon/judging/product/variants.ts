import type { Price, ProductSign, ProductVariant } from '#shared/monitor/checks/verdict';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { type DataRecord, type PageRecords, availabilityOf } from './structured/page-data';
import { findPrices } from './words/price-text';
import { type Context, MAX_VARIANTS, add } from './product-context';
import type { Choice, Label, ProductReader } from './page/product-reader';
import { OFF_FOR_OTHERS, isChoiceOff } from './page/product-buttons';
import { isNoChoice, namesUsed, readButton, readStockLine } from './words/stock-words';
import type { StructuredOffer, StructuredProduct } from './structured/structured-data';

/** A variant with the keys by which an address may name it. */
export interface KnownVariant extends ProductVariant {
  keys: string[];
  source: ProductSign['source'];
  evidence: string;
  wording: DataRecord['wording'];
  gtin: string | null;
}

export function listVariants(
  context: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
): KnownVariant[] {
  const { title } = context;
  const labels = new Map(
    choicesOf(context).flatMap(({ options }) =>
      options.map(({ value, text }) => [foldText(value), nameOfOption(text)] as const),
    ),
  );
  const fromData = data.variants.map((record) => {
    const variant = variantOf(record, title);
    // Data may hold the value of an option ("pa-otter"), whose text the page shows.
    const label = labels.get(foldText(variant.name));
    return label === undefined || label === '' ? variant : { ...variant, name: label };
  });
  const named = fromData.filter(({ name }) => name !== '');
  const unique = new Map<string, KnownVariant>();
  for (const variant of named) if (!unique.has(variant.name)) unique.set(variant.name, variant);
  if (unique.size > 1) return [...unique.values()].slice(0, MAX_VARIANTS);
  if (subject !== null && subject.variants.length > 1)
    return subject.variants.slice(0, MAX_VARIANTS).map((variant) => {
      const offer = bestOffer(variant.offers);
      return {
        key: variant.sku ?? variantInAddress(offer?.url ?? variant.url) ?? variant.name ?? '',
        keys: [
          variant.sku,
          variantInAddress(offer?.url ?? null),
          variantInAddress(variant.url),
          variant.id,
          variant.name,
          variant.gtin,
        ].flatMap((key) => key ?? []),
        name: shortName(variant.name ?? variant.sku ?? '', subject.name ?? title),
        availability: availabilityOf(offer?.wording ?? null),
        price: offer?.price ?? null,
        source: 'structured_data' as const,
        evidence: `${variant.name ?? ''}: ${offer?.term ?? ''}`,
        wording: offer?.wording ?? null,
        gtin: variant.gtin,
      };
    });
  if (subject !== null && subject.offers.length > 1 && subject.offers.every(({ name }) => name !== null))
    return subject.offers.slice(0, MAX_VARIANTS).map((offer) => ({
      key: variantInAddress(offer.url) ?? offer.sku ?? offer.name ?? '',
      keys: [variantInAddress(offer.url), offer.sku, offer.name].flatMap((key) => key ?? []),
      name: shortName(offer.name ?? '', subject.name ?? title),
      availability: availabilityOf(offer.wording),
      price: offer.price,
      source: 'structured_data' as const,
      evidence: `${offer.name ?? ''}: ${offer.term ?? ''}`,
      wording: offer.wording,
      gtin: null,
    }));
  const chosen = variantsOfChoice(context);
  return chosen.length > 0 ? chosen : variantsOfRows(context);
}

export function variantOf(record: DataRecord, title: string | null): KnownVariant {
  const name = record.options ?? shortName(record.name ?? '', title ?? record.parent?.name ?? null);
  return {
    key: record.keys[0] ?? name,
    keys: [...record.keys, name],
    name: name === 'Default Title' ? '' : name,
    availability: availabilityOf(record.wording),
    price: record.price,
    source: 'page_data',
    evidence: `${name}: ${record.evidence}`,
    wording: record.wording,
    gtin: record.gtin,
  };
}

/** A variant's name without the product's: "Mini Tin - Fox" is "Fox". */
function shortName(name: string, product: string | null): string {
  if (product === null || product === '' || !name.startsWith(product)) return name;
  return name
    .slice(product.length)
    .replace(/^[\s\-–—:/|,(]+/, '')
    .replace(/\)$/, '')
    .trim();
}

/** A delivery method, which is not a variant. */
const WAY =
  /^(?:(?:standard|home|free|express|next[ -]day|uk|local|store|in[ -]store|click|post|royal mail|have it|get it|and|&) ){0,3}(?:deliver(?:y|ed)|collect(?:ion)?|pick[ -]?up|shipping|shipped|postage)(?:$|[^a-z])|^(?:lieferung|versand|abhol|livraison|retrait|envio|recog|consegna|spedizione|ritiro|levering|bezorg|verzend|afhal|ophal|dostawa|odbior|wysylka|entrega|levanta|leverans|hamta|hjemmelevering|afhentning)/;

/** The radio buttons of the product, with their labels, as choices. */
export function radioChoices({ reader, box }: Context): Array<Choice & { labels: Label[] }> {
  const byId = new Map(reader.labels.filter(({ of }) => of !== '').map((label) => [label.of, label]));
  const groups = new Map<string, Choice & { labels: Label[] }>();
  let next = 0;
  for (const { node, group, id, value, disabled, selected } of reader.radios.slice(0, MAX_VARIANTS)) {
    if (!box.holds(node)) continue;
    // The labels are in the order of the page, as the radio buttons are.
    while (next < reader.labels.length && (reader.ends[reader.labels[next]?.node ?? 0] ?? 0) < node)
      next += 1;
    const around = reader.labels[next];
    // A label holds its button, or stands right behind it.
    const isNear = around !== undefined && around.node <= node + 1;
    const label = byId.get(id) ?? (isNear ? around : undefined);
    if (label === undefined) continue;
    const choice = groups.get(group) ?? { node, options: [], labels: [] };
    groups.set(group, choice);
    const isOff = disabled || isChoiceOff(reader, label.node);
    // A swatch has no text.
    const text = label.text === '' ? (reader.elements[node]?.attribs['aria-label'] ?? '') : label.text;
    const key = value === '' ? text : value;
    choice.options.push({ value: key, text, disabled: isOff, selected });
    choice.labels.push(label);
  }
  return [...groups.values()].filter(({ options }) => !options.every(({ text }) => WAY.test(foldText(text))));
}

/** Of buttons and links that may be choices. */
const MAX_CHOICES = 400;

/** Rows of buttons, links or swatches with the names of choices, such as sizes, of which some are off. */
export function shownChoices({ reader, box }: Context): Array<Choice & { nodes: number[] }> {
  const { actions, elements, parents, ends } = reader;
  const rows = new Map<number, Choice & { nodes: number[] }>();
  const refused = box.lines.filter(({ wording }) => wording?.says === 'out_of_stock');
  const addChoice = (node: number, label: string): void => {
    const name = nameOfOption(label.replace(/ ?[£€$]\d.{0,40}$/u, ''));
    const folded = foldText(name);
    if (folded.length > 30 || !/[\p{L}\p{N}]/u.test(folded) || !box.holds(node)) return;
    if (OFF_FOR_OTHERS.test(folded) || NO_VARIANT.test(folded) || readButton(folded) !== null) return;
    const parent = parents[node] ?? -1;
    const at = elements[parent]?.name === 'li' ? parent : node;
    const spoken = foldText(elements[node]?.attribs['aria-label'] ?? '');
    const disabled =
      isChoiceOff(reader, node) ||
      isChoiceOff(reader, at) ||
      readStockLine(spoken)?.says === 'out_of_stock' ||
      (name !== label && readStockLine(foldText(label.slice(name.length)).trim())?.says === 'out_of_stock') ||
      refused.some((line) => line.node >= at && line.node <= (ends[at] ?? at));
    const row = parents[at] ?? -1;
    const choice = rows.get(row) ?? { node, options: [], nodes: [] };
    rows.set(row, choice);
    choice.options.push({ value: name, text: name, disabled, selected: false });
    choice.nodes.push(at);
  };
  for (const { node, label, isLink } of actions.slice(0, MAX_CHOICES))
    if (!isLink || /^[?#]/.test(elements[node]?.attribs['href'] ?? '')) addChoice(node, label);
  for (const { node, value } of reader.swatches) addChoice(node, value);
  return [...rows.values()].filter(
    ({ options }) => options.length > 1 && options.some(({ disabled }) => disabled),
  );
}

/** The name in an option such as "Fox - £9.99 (sold out)". */
function nameOfOption(text: string): string {
  return text
    .replace(/ ?[-–—(:|+] ?[£€$][\d.,]{1,10}(?: [A-Z]{3})?\)?$/, '')
    .replace(
      / ?[-–—(:|]? ?(?:sold out|out of stock|(?:currently )?unavailable|in stock|pre-?order|niedostępn[aey]|ausverkauft|nicht verfügbar|épuisé|rupture[^)]{0,30}|agotado|esaurito|uitverkocht|only \d{1,3} left)\)?$/i,
      '',
    )
    .trim();
}

/** The choices and radio buttons of the product. */
function choicesOf(context: Context): Choice[] {
  return [...context.reader.choices.filter(({ node }) => context.box.holds(node)), ...radioChoices(context)];
}

function isRefusedOption({ text, disabled }: Choice['options'][number]): boolean {
  return disabled || readStockLine(foldText(text))?.says === 'out_of_stock';
}

/** The variants of a choice whose options say that they are sold out. */
function variantsOfChoice(context: Context): KnownVariant[] {
  const { reader, box, currency } = context;
  const radios = radioChoices(context).filter(({ options }) => options.some(isRefusedOption));
  const shown = radios.length > 0 ? radios : shownChoices(context);
  const choices = [...reader.choices, ...shown].filter(
    ({ node }) =>
      box.holds(node) &&
      !/qty|quantity|sort|country|rating|deliver|shipping|collect|payment/i.test(
        `${reader.elements[node]?.attribs['name'] ?? ''}${reader.elements[node]?.attribs['id'] ?? ''}`,
      ),
  );
  const [choice] = choices;
  if (choice === undefined) return [];
  if (choices.length > 1) return refusedPairs(choices);
  const options = choice.options.filter(
    (option, index) =>
      !isNoChoice(foldText(option.text)) &&
      // A condition is not a variant: "Refurbished, grade A".
      !namesUsed(foldText(option.text)) &&
      (option.value !== '' ||
        readStockLine(foldText(option.text))?.says === 'out_of_stock' ||
        (index > 0 && isRefusedOption(option))),
  );
  const [only] = options;
  if (options.length === 1 && only !== undefined && isRefusedOption(only))
    add(context, 'stock_line', { says: 'out_of_stock', evidence: only.text });
  if (options.length < 2) return [];
  const stated = options.map(({ text, disabled }) => {
    const wording = readStockLine(foldText(text));
    return disabled ? { says: 'out_of_stock' as const, detail: null } : wording;
  });
  if (stated.every((wording) => wording === null)) return [];
  return options.slice(0, MAX_VARIANTS).map(({ text, value }, index) => {
    const wording = stated[index] ?? { says: 'in_stock' as const, detail: null };
    const [shown] = findPrices(text, currency);
    const name = nameOfOption(text);
    return {
      key: value === '' ? name : value,
      keys: [value, name],
      name,
      availability: availabilityOf(wording),
      // "+ £2.00" is a surcharge.
      price: text.includes('+') ? null : plainPrice(shown),
      source: 'stock_line' as const,
      evidence: text,
      wording,
      gtin: null,
    };
  });
}

/** The pairs of two choices of which every option is refused. Which pairs of others exist is not said. */
function refusedPairs([first, second, ...others]: readonly Choice[]): KnownVariant[] {
  if (first === undefined || second === undefined || others.length > 0) return [];
  if (![...first.options, ...second.options].every(isRefusedOption)) return [];
  const pairs = first.options.flatMap((one) =>
    second.options.map((other) => `${one.value} / ${other.value}`),
  );
  return pairs.slice(0, MAX_VARIANTS).map((name) => ({
    key: name,
    keys: [name],
    name,
    availability: 'out_of_stock',
    price: null,
    source: 'stock_line' as const,
    evidence: name,
    wording: { says: 'out_of_stock', detail: null },
    gtin: null,
  }));
}

/** Names of rows that are not variants: delivery methods, shops, conditions. */
const NO_VARIANT =
  /deliver|collect|store|shop|branch|pick ?up|post(?:age|ed)|ship|(?:^|[^a-z])(?:new|used|pre-?owned|total|subtotal|rrp|price|quantity|availability|stock|seller|filial|lieferung|livraison|was|now|saving|points|preis|uvp|prix|precio|prezzo|prijs|cena|preco|pris)(?:$|[^a-z])|価格|定価|特価|ポイント|送料|数量/;

/** The variants of a table or list of which one row has a button that buys, and each row a name. */
function variantsOfRows({ reader, box, today }: Context): KnownVariant[] {
  const rows = new Map<number, Map<number, RowContent>>();
  // One button may order what the fields of all rows say.
  const isOrdered = box.actions.some(({ off, wording }) => !off && wording.says === 'in_stock');
  const rowOf = (node: number): RowContent | null => {
    if (!box.holds(node)) return null;
    for (let at = node, up = 0; at > box.node && up < 8; at = reader.parents[at] ?? -1, up += 1) {
      const { name = '', attribs = {} } = reader.elements[at] ?? {};
      if (name !== 'tr' && name !== 'li' && attribs['role'] !== 'row') continue;
      if (box.heading !== null && box.heading.node >= at && box.heading.node <= (reader.ends[at] ?? at))
        return null;
      const list = reader.parents[at] ?? -1;
      const known = rows.get(list) ?? new Map<number, RowContent>();
      rows.set(list, known);
      const row = known.get(at) ?? {
        name: '',
        price: null,
        wording: null,
        sells: isOrdered && holdsField(reader, at),
        evidence: '',
      };
      known.set(at, row);
      return row;
    }
    return null;
  };
  for (const line of box.lines) {
    const row = rowOf(line.node);
    if (row === null) continue;
    const wording = line.wording ?? readStockLine(line.folded, today);
    row.evidence = `${row.evidence} ${line.text}`.trim();
    if (wording !== null) row.wording ??= wording;
    else if (line.hasPrice) row.price ??= plainPrice(line.prices[0]);
    else if (row.name === '') row.name = line.text;
  }
  for (const { node, label, wording, off } of box.actions) {
    const row = rowOf(node);
    if (row === null || wording.says === 'nothing') continue;
    row.evidence = `${row.evidence} ${label}`.trim();
    if (off || wording.says === 'out_of_stock')
      row.wording = { says: 'out_of_stock', detail: wording.detail };
    else [row.sells, row.wording] = [true, row.wording ?? wording];
  }
  for (const list of rows.values()) {
    const named = [...list.values()].filter(({ name }) => name !== '' && name.length < 80);
    if (named.length < 2 || !named.some(({ sells }) => sells)) continue;
    if (named.some(({ name }) => NO_VARIANT.test(foldText(name)))) continue;
    const stated = named.filter(({ price, wording }) => price !== null || wording !== null);
    // A field in a row that names neither a price nor a state chooses nothing of the list.
    if (stated.length < 2 || !stated.some(({ sells }) => sells)) continue;
    return stated.slice(0, MAX_VARIANTS).map(({ name, price, wording, evidence }) => ({
      key: name,
      keys: [name],
      name,
      // A row without a button, beside one that has it.
      availability: availabilityOf(wording ?? { says: 'out_of_stock', detail: null }),
      price,
      source: 'stock_line',
      evidence,
      wording: wording ?? { says: 'out_of_stock', detail: null },
      gtin: null,
    }));
  }
  return [];
}

/** Whether an element holds a field for a quantity or a choice, which can be used. */
function holdsField({ elements, ends }: ProductReader, node: number): boolean {
  return elements
    .slice(node, Math.min(ends[node] ?? node, node + 60) + 1)
    .some(
      ({ name, attribs }) =>
        name === 'input' &&
        /^(?:number|tel|text|checkbox|radio)$/.test(attribs['type'] ?? 'text') &&
        attribs['disabled'] === undefined,
    );
}

function plainPrice(price: Price | undefined): Price | null {
  return price === undefined ? null : { amount: price.amount, currency: price.currency };
}

interface RowContent {
  name: string;
  price: Price | null;
  wording: DataRecord['wording'];
  /** Whether a button of the row buys. */
  sells: boolean;
  evidence: string;
}

const VARIANT_PARAMETERS = [
  'variant',
  'variation_id',
  'sku',
  'variantid',
  'variant_id',
  'skuid',
  'v',
  'variation',
  'option',
  'colour',
  'color',
  'size',
  'design',
  'style',
  'dwvar',
];

export function variantInAddress(address: string | null): string | null {
  if (address === null) return null;
  const url = parseAddress(address, 'https://unknown.invalid/');
  if (url === null) return null;
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    if (
      value !== '' &&
      (VARIANT_PARAMETERS.includes(key) || key.startsWith('attribute_') || key.startsWith('dwvar_'))
    )
      return value;
  }
  return null;
}

/** The name of one of several variants that is a whole part of an address: `?edition=raven`, `/scooter/forest-green/p113`. */
function variantNamedIn(address: string, variants: readonly KnownVariant[]): string | null {
  const url = parseAddress(address);
  if (url === null || variants.length < 2) return null;
  const slugOf = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]+/gu, '-');
  const parts = [...url.pathname.split('/').slice(2), ...url.searchParams.values()].map((part) =>
    slugOf(part),
  );
  const named = variants.filter(({ name }) => /\p{L}{3}/u.test(name) && parts.includes(slugOf(name)));
  return named.length === 1 ? (named[0]?.name ?? null) : null;
}

/** The watched variant, when the address or the watch names one. `isMissing`: it is named, and the page does not have it. */
export interface Watched {
  variant: KnownVariant | null;
  offer: StructuredOffer | null;
  key: string | null;
  isShown: boolean;
}

export function findWatched(
  { answer, expected, reader, box }: Context,
  variants: readonly KnownVariant[],
  subject: StructuredProduct | null,
): Watched {
  const inAddress =
    variantInAddress(answer.finalUrl) ??
    variantInAddress(answer.requestUrl) ??
    variantNamedIn(answer.finalUrl, variants);
  const key = expected.variantKey ?? inAddress;
  if (key === null) return { variant: null, offer: null, key: null, isShown: true };
  const folded = foldText(key);
  const isKey = (one: string): boolean => {
    const slug = foldText(one).replace(/[^\p{L}\p{N}]+/gu, '-');
    // The address may have only the end of a number: `color=BLU` of "WRS-2210-BLU".
    return foldText(one) === folded || slug === folded || (folded.length > 1 && slug.endsWith(`-${folded}`));
  };
  const variant = variants.find(({ keys }) => keys.some(isKey)) ?? null;
  const offer =
    subject?.offers.find((one) =>
      [variantInAddress(one.url), one.sku, one.name].some((text) => text !== null && isKey(text)),
    ) ?? null;
  const selected = reader.elements.some(
    (element, node) =>
      element.name === 'input' &&
      /^(?:id|variant|variation_id|sku)$/.test(element.attribs['name'] ?? '') &&
      element.attribs['value'] === key &&
      box.holds(node),
  );
  const isShown = expected.variantKey === null || (inAddress !== null && isKey(inAddress)) || selected;
  return { variant, offer, key: variant === null && offer === null ? null : key, isShown };
}

export function watchedPrice({ variant, offer }: Watched): Price | null {
  return variant?.price ?? offer?.price ?? null;
}

export function bestOffer(offers: readonly StructuredOffer[]): StructuredOffer | null {
  const rank = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'discontinued'];
  const stated = offers.filter(({ wording, used }) => wording !== null && !used);
  return (
    stated.sort(
      (one, other) => rank.indexOf(one.wording?.says ?? '') - rank.indexOf(other.wording?.says ?? ''),
    )[0] ??
    offers[0] ??
    null
  );
}

export function bestVariant(variants: readonly KnownVariant[]): KnownVariant | null {
  const rank = ['in_stock', 'limited', 'preorder', 'out_of_stock'];
  const stated = variants.filter(({ availability }) => availability !== 'unknown');
  return (
    stated.sort((one, other) => rank.indexOf(one.availability) - rank.indexOf(other.availability))[0] ?? null
  );
}

export function plainVariant({ key, name, availability, price }: KnownVariant): ProductVariant {
  return { key, name, availability, price };
}

/**
 * The price of a page with several variants: the shown one, unless only sold-out variants have it. Then it is the lowest
 * price of those that can be bought.
 */
export function buyablePrice(variants: readonly KnownVariant[], shown: Price | null): Price | null {
  const priced = variants.flatMap(({ availability, price }) =>
    price === null ? [] : { availability, price },
  );
  const open = priced.filter(({ availability }) => availability === 'in_stock' || availability === 'limited');
  const isShown = ({ price }: { price: Price }): boolean =>
    price.amount === shown?.amount && price.currency === shown.currency;
  if (open.length === 0 || open.some(isShown) || !priced.some(isShown)) return shown;
  return open.map(({ price }) => price).sort((one, other) => one.amount - other.amount)[0] ?? shown;
}
