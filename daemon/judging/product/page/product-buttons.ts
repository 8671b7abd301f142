import type { Element } from 'domhandler';
import { organisationOf, parseAddress } from '../../../waiting-room/fetch/web-address';
import { foldText } from '../../../waiting-room/parse/normalise-text';
import { namesOf, splitNames } from './page-areas';
import { type Action, type LinePart, type ProductReader, textOf } from './product-reader';
import {
  type Wording,
  readBasketButton,
  readButton,
  readStockLine,
  refusesNamed,
} from '../words/stock-words';

/** A button of the page with what it offers. */
export interface ReadAction extends Action {
  folded: string;
  wording: Wording;
  off: boolean;
  /** Whether only its colours or its pointer say that it cannot be used. */
  isGrey: boolean;
}

/** Addresses of what a shop writes: "/news/pre-orders-open". */
const NEWS_PATH =
  /^(?:https?:\/\/[^/]{1,100})?(?:\/[a-z-]{2,5}){0,2}\/(?:blogs?|news|articles?|magazine|stories|journal|press)\//i;

/** The buttons of a page that offer or refuse something, and links that do. `address`: the page's. */
export function readButtons(reader: ProductReader, address: URL | null): ReadAction[] {
  const { elements } = reader;
  const worded = new Map<string, Wording | null>();
  const wordingOf = (label: string): Wording | null => {
    const known = worded.get(label);
    if (known !== undefined) return known;
    const wording = readButton(label);
    worded.set(label, wording);
    return wording;
  };
  const listed = linksOfLists(reader);
  return reader.actions.flatMap((action) => {
    if (action.isLink && action.label.length > 60) return [];
    // It only opens a part of the page: "Shipping & pre-orders".
    if (elements[action.node]?.name === 'summary') return [];
    const folded = foldText(action.label).replace(/\n/g, ' ');
    const href = elements[action.node]?.attribs['href'] ?? '';
    const wording =
      wordingOf(folded) ??
      ((action.isLink ? INTO_BASKET.test(href) : addsToBasket(reader, action.node))
        ? readBasketButton(folded)
        : null);
    if (wording === null) return [];
    const sells = wording.says === 'in_stock' || wording.says === 'preorder';
    if (action.isLink && sells && leadsElsewhere(href, address)) return [];
    if (action.isLink && wording.says !== 'in_stock' && NEWS_PATH.test(href)) return [];
    // Another size, set or edition of the product has a page, which the link names and refuses, or prices.
    const isPage = action.isLink && !/^(?:#|javascript:|$)/i.test(href);
    if (isPage && (refusesNamed(folded) || NAMED_PRICE.test(folded) || PRICE_FIRST.test(folded))) return [];
    // A button of a list of choices names the one that it refuses: "Mini Tin Currently unavailable".
    if (!action.isLink && refusesNamed(folded) && isInChoice(reader, action.node)) return [];
    if (action.isLink && wording.says !== 'in_stock' && !isButtonLink(reader, action.node)) {
      if (listed.has(action.node) || PAGE_OF_SHOP.test(folded)) return [];
    }
    const isGrey = isDrawnGrey(elements[action.node]);
    return [{ ...action, folded, wording, off: isOff(reader, action.node), isGrey }];
  });
}

/** Whether a button is one of a list of choices. */
export function isInChoice({ elements, parents }: ProductReader, node: number): boolean {
  for (let at = parents[node] ?? -1, up = 0; at >= 0 && up < 3; at = parents[at] ?? -1, up += 1) {
    const element = elements[at];
    if (
      element?.attribs['role'] === 'radiogroup' ||
      /swatch|variant|option|choice|sizes|colou?rs/i.test(namesOf(element))
    )
      return true;
  }
  return false;
}

/** A label that begins with a price: "129,99 € – ausverkauft". */
const PRICE_FIRST = /^(?:[£€$]\d[\d.,]{0,9}|\d[\d.,]{0,9} ?(?:[£€$]|eur|zl|kr)) ?[–—|·:(-]/;
/** A label that begins with a name and its price: "Paperback £10.99 Pre-order, May 2027". */
const NAMED_PRICE =
  /^(?!pre-?order|buy|add|order|get|now|only|from)\p{L}{3,20}(?: [\p{L}\d]{1,20}){0,3} [£€$]\d[\d.,]{0,9} \p{L}/u;
/** The address of a link that puts something into the basket. */
const INTO_BASKET =
  /(?:cart|basket|bag|trolley|warenkorb|panier|carrito|carrello|winkelwagen)s?\/add(?:[/?]|$)|[?&]add(?:-to-(?:cart|basket))?=/i;

/** Names with which shop systems mark the button of the page's product, and of no other. */
const MAIN_BUTTON =
  /single-?_?add-?_?to-?_?cart|product-form-submit|product-addtocart-button|form-action-add-?to-?cart/;
/** Whether a button has one of these names. */
export function isMainButton(element: Element | undefined): boolean {
  return MAIN_BUTTON.test(splitNames(namesOf(element)));
}

/** Buttons that are off for another reason than the stock. */
export const OFF_FOR_OTHERS =
  /prev|next|back|(?<!dis)play(?!mat)|zoom|image|photo|gallery|slide|thumb|less|more|minus|plus|decrease|increase|quantity|apply|submit|send|sign|log ?in|search|load|update|close|review|wish|favou?rite|compare|share|save|swatch|option|size|variant|colou?r|coupon|code|checkout|pay|continue|clear|reset|calculate|check|collect|store/;

/** Whether a button that can be used is none of the usual small ones of a product's page, and not one that opens a part of it. */
export function isUnknownButton(reader: ProductReader, node: number, label: string): boolean {
  const { name, attribs = {} } = reader.elements[node] ?? {};
  const folded = foldText(label);
  return (
    /\p{L}{3}/u.test(folded) &&
    folded.length <= 40 &&
    name !== 'summary' &&
    !['aria-expanded', 'aria-controls', 'aria-haspopup', 'aria-pressed'].some((key) => key in attribs) &&
    attribs['role'] !== 'tab' &&
    !OFF_FOR_OTHERS.test(`${folded} ${splitNames(namesOf(reader.elements[node]))}`) &&
    !PART_OF_PAGE.test(folded) &&
    !addsToBasket(reader, node) &&
    readButton(folded) === null
  );
}

const PART_OF_PAGE =
  /descri|detail|deliver|return|shipping|spec|faq|question|feature|menu|video|cookie|accept|klarna|finance|gift|help|translat|print|report|english|beschreib|versand|livraison/;

/** Whether an email field is for a newsletter, a review, a question or an account. */
export function isOfOtherForm({ elements, parents }: ProductReader, node: number): boolean {
  for (let at = node, up = 0; at >= 0 && up < 8; at = parents[at] ?? -1, up += 1) {
    const element = elements[at];
    const called = `${namesOf(element)} ${element?.attribs['action'] ?? ''} ${element?.attribs['name'] ?? ''}`;
    if (
      /news|subscri|sign-?up|review|question|contact|enquir|log-?in|account|friend|share|mailing|comment/i.test(
        called,
      )
    )
      return true;
  }
  return false;
}

/** Whether a button subscribes to the shop's newsletter, without naming a product. */
export function isOfNews({ elements, parents, ends }: ProductReader, node: number): boolean {
  let form = node;
  for (let up = 0; up < 8 && form >= 0 && elements[form]?.name !== 'form'; up += 1)
    form = parents[form] ?? -1;
  const element = elements[form];
  if (element?.name !== 'form') return false;
  const fields = elements.slice(form, Math.min(ends[form] ?? form, form + 60) + 1);
  const called = fields
    .map((field) => `${namesOf(field)} ${field.attribs['name'] ?? ''}`.slice(0, 200))
    .join(' ');
  const action = (element.attribs['action'] ?? '').slice(0, 200);
  return (
    /news|subscri|mailing|sign-?up/i.test(`${called} ${action}`) &&
    !/stock|avail|notif|wait|alert|product|variant|sku/i.test(`${called} ${action}`)
  );
}

/** Usual names of shop pages. A link to one of them is not a button. */
const PAGE_OF_SHOP =
  /^(?:(?:all |our |new |latest )?pre-?orders?|coming soon|back in stock|re-?stocks?|sold out|out of (?:stock|print)|discontinued|ballots?|raffles?|prize draws?|wait(?:ing)?[\s-]?lists?|vorbestellungen|precommandes)$/;
/** The folded text of a line without links to such pages: "Home / Pre-orders / Mini Tin". */
export function withoutLinks(reader: ProductReader, parts: readonly LinePart[], folded: string): string {
  const isPage = ({ text, node }: LinePart): boolean => {
    const { name, attribs = {} } = reader.elements[node] ?? {};
    if (name !== 'a') return false;
    const label = foldText(text);
    if (PAGE_OF_SHOP.test(label)) return true;
    const says = /^#|^$/.test(attribs['href'] ?? '') ? null : readStockLine(label)?.says;
    return says === 'in_stock' || says === 'limited' || says === 'preorder';
  };
  return parts.some(isPage) ? foldText(textOf({ parts: parts.filter((part) => !isPage(part)) })) : folded;
}

const BUTTON_NAMES =
  /(?:^|[\s_-])(?:btn|buttons?|cta|action|add|buy|notify|alert|bis|trigger|preorder)(?:[\s_-]|$)/;
const LONG_LIST = 4;

/** Whether a link is drawn or used as a button: by its names, those of its wrapper, or its target. */
export function isButtonLink(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  const href = element?.attribs['href'] ?? '';
  const wrapper = reader.elements[reader.parents[node] ?? -1];
  return (
    /^(?:#|javascript:|$)/i.test(href) ||
    element?.attribs['role'] === 'button' ||
    BUTTON_NAMES.test(splitNames(`${namesOf(element)} ${namesOf(wrapper)}`))
  );
}

/** The links in a row of at least four, without text between them: menus and lists of pages. */
function linksOfLists(reader: ProductReader): ReadonlySet<number> {
  const listed = new Set<number>();
  const texts = reader.lines.filter(({ isLink }) => !isLink).map(({ node }) => node);
  let run: number[] = [];
  let text = 0;
  const endRun = (): void => {
    if (run.length >= LONG_LIST) for (const node of run) listed.add(node);
    run = [];
  };
  for (const { node, isLink } of reader.actions) {
    const last = run.at(-1) ?? -1;
    while (text < texts.length && (texts[text] ?? 0) <= last) text += 1;
    if (!isLink || (last >= 0 && ((texts[text] ?? Infinity) < node || node - last > 12))) endRun();
    if (isLink) run.push(node);
  }
  endRun();
  return listed;
}

const LIST_PATH =
  /^\/(?:[a-z]{2}\/)?(?:collections?|category|categories|product-category|product-tag|tags?|search|browse|departments?)(?:\/[^/]{1,80})?\/?$/i;
const PRODUCT_PATH = /\/(?:products?|p|dp|item|produkte?|produits?|artikel)\/[^/]/i;

/** Whether a link that reads like a button leads to another shop, or to the page of another product. */
export function leadsElsewhere(href: string, address: URL | null): boolean {
  if (address === null || /^(?:#|javascript:|$)/i.test(href)) return false;
  const target = parseAddress(href, address.href);
  if (target === null || !/^https?:$/.test(target.protocol)) return false;
  if (organisationOf(target.hostname) !== organisationOf(address.hostname)) return true;
  if (LIST_PATH.test(target.pathname) && target.search === '') return true;
  return leadsToProduct(target, address);
}

/** Whether a link leads to the page of another product of the shop. */
export function leadsToOtherProduct(href: string, address: URL | null): boolean {
  if (address === null || /^(?:#|javascript:|$)/i.test(href)) return false;
  const target = parseAddress(href, address.href);
  return target !== null && leadsToProduct(target, address);
}

/** Parameters that name the product of a page: `item.php?id=61`. */
const PRODUCT_ID = /^(?:id|pid|products?_?id|item|item_?id|sku|code|article|artikel)$/i;

function leadsToProduct(target: URL, from: URL): boolean {
  if (target.pathname === from.pathname)
    return [...target.searchParams].some(
      ([name, value]) =>
        PRODUCT_ID.test(name) && from.searchParams.has(name) && from.searchParams.get(name) !== value,
    );
  // Shops may list one product below several paths.
  const [own, other] = [from, target].map(({ pathname }) => pathname.replace(/\/$/, '').replace(/^.*\//, ''));
  return (
    own !== other &&
    PRODUCT_PATH.test(target.pathname) &&
    !BASKET_FORM.test(`${target.pathname}${target.search}`)
  );
}

const BASKET =
  '(?:cart|basket|bag|trolley|warenkorb|panier|carrito|cesta|carrello|winkelwagen|winkelmand|koszyk)';
const BASKET_BUTTON = new RegExp(
  `add-?(?:item-?)?to-?${BASKET}|(?:^|[\\s-])(?:add|atc|buy|buy-?now)(?:[\\s-]|$)`,
);
const BASKET_FORM = new RegExp(`(?:^|[^a-z])${BASKET}(?:[^a-z]|$)|checkout/line-item`, 'i');

/** Whether a button puts something into the basket, whatever its label: by its names, or the address and class of its form. */
function addsToBasket(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  if (element === undefined || (element.attribs['type'] ?? 'submit').toLowerCase() === 'reset') return false;
  // A custom element says by its own name what it does: `<shop-buy role="button">`.
  const custom = element.name.includes('-') ? element.name : '';
  if (BASKET_BUTTON.test(splitNames(`${namesOf(element)} ${element.attribs['name'] ?? ''} ${custom}`)))
    return true;
  if (!/^(?:submit|image)$/i.test(element.attribs['type'] ?? 'submit')) return false;
  for (
    let at = reader.parents[node] ?? -1, up = 0;
    at >= 0 && up < 10;
    at = reader.parents[at] ?? -1, up += 1
  ) {
    const outer = reader.elements[at];
    if (outer?.name === 'form')
      return BASKET_FORM.test(`${(outer.attribs['action'] ?? '').slice(0, 200)} ${namesOf(outer)}`);
  }
  return false;
}

const OFF_NAMES =
  /(?:^|[\s_-])(?:(?:is-)?disabled|sold-?out|out-?of-?stock|oos|inactive|not-available|unavailable|not-buyable|greyed|grayed|dimmed|line-through|(?:btn|button|cta|is|state)-off)(?:[\s_-]|$)/;
/** Of names that say when a part shows: "hide-if-unavailable", Tailwind's "disabled:opacity-50". */
const CONDITIONAL_NAME = /(?:^|-)(?:if|when|unless|hide|show|toggle|not|on)-|:/;
/** Utility classes and declarations that draw an element as one that cannot be used. */
const OFF_CLASS = /(?:^|\s)(?:opacity-[1-6][05]|cursor-not-allowed|pointer-events-none)(?:\s|$)/;
const OFF_STYLE =
  /pointer-events\s*:\s*none|cursor\s*:\s*not-allowed|(?:^|[;\s])opacity\s*:\s*(?:0?\.[1-6]|[1-6]\d%)|line-through/i;
/** Utility classes and declarations that draw a button grey, or with the pointer of a text. */
const GREY_CLASS =
  /(?:^|\s)(?:cursor-default|bg-(?:gray|grey|slate|zinc|neutral|stone)-[1-4]00|(?:btn|button|cta)(?:--?|_)(?:gr[ae]y|muted|dead|ghosted|faded))(?:\s|$)/;
const GREY_STYLE =
  /cursor\s*:\s*default|background(?:-color)?\s*:\s*(?:(?:light|dark)?gr[ae]y|silver|gainsboro|#(?:9{3}|a{3}|b{3}|c{3}|d{3}|e{3}|9{6}|a{6}|b{6}|c{6}|d{6}|e{6})(?![\da-f]))/i;

/** Whether a button is drawn as one that cannot be used, although nothing else says so. */
function isDrawnGrey(element: Element | undefined): boolean {
  const { class: names = '', style = '' } = element?.attribs ?? {};
  return GREY_CLASS.test(names) || GREY_STYLE.test(style);
}

/** Attributes, and names of hidden fields, by which shops say that a part sells nothing. */
const OFF_DATA =
  /^data-(?:(?:product-|item-|offer-)?(?:(?:is-)?(?:in-?stock|available|availability|purchasable|buyable|enabled|orderable|sellable|sale?able)|can-(?:buy|order|purchase)|(?:stock|inventory)(?:-(?:level|quantity|qty|count|status))?)=(?:false|0|no|none|out|out-?of-?stock|sold-?out|unavailable)|(?:is-)?(?:sold-?out|out-?of-?stock|disabled|unavailable)=(?:true|1|yes)|(?:is-)?sold=(?:true|yes|1)|state=(?:disabled|off|sold-?out|out-?of-?stock|unavailable))$/i;

/** The attributes of an element that say that it sells nothing. */
function offDataOf({ name, attribs }: Element): string[] {
  const refuses = (key: string, value: string): boolean =>
    OFF_DATA.test(`${key}=${value.slice(0, 20)}`.replaceAll('_', '-'));
  const keys = Object.keys(attribs).filter(
    (key) => key.startsWith('data-') && refuses(key, attribs[key] ?? ''),
  );
  const isHiddenField = name === 'input' && attribs['type'] === 'hidden';
  return isHiddenField && refuses(`data-${attribs['name'] ?? attribs['id'] ?? ''}`, attribs['value'] ?? '')
    ? [...keys, 'value']
    : keys;
}

/** Whether the names, the style or the attributes of an element say that it sells nothing. */
function isMarkedOff(element: Element): boolean {
  const { attribs } = element;
  const names = splitNames(attribs['class'] ?? '');
  return (
    OFF_CLASS.test(names) ||
    OFF_STYLE.test(attribs['style'] ?? '') ||
    (OFF_NAMES.test(names) &&
      names.split(/\s+/).some((name) => OFF_NAMES.test(name) && !CONDITIONAL_NAME.test(name))) ||
    offDataOf(element).length > 0
  );
}

/** Whether a button that names a choice, such as a size, is off by its own attributes. */
export function isChoiceOff(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  if (element === undefined) return false;
  const { attribs } = element;
  return attribs['disabled'] !== undefined || attribs['aria-disabled'] === 'true' || isMarkedOff(element);
}

/** Whether a handler does nothing, or only tells that there is nothing to buy: `return false`, `alert('Sold out')`. */
function isRefusingHandler(handler: string | undefined): boolean {
  if (handler === undefined || handler === '' || handler.length > 300) return false;
  if (/^(?:event\.preventdefault\(\))?(?:return(?:false|!1))?$/i.test(handler.replace(/[\s;]/g, '')))
    return true;
  const [, said = ''] = handler.split(/['"`]/, 3);
  return (
    /notify-?me|wait-?list|back-?in-?stock|sold-?out/i.test(handler) ||
    readStockLine(foldText(said))?.says === 'out_of_stock'
  );
}

/** Whether a button cannot be used, by its own attributes or those of what it stands in. */
export function isOff(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  if (element === undefined) return false;
  const { attribs } = element;
  if (
    attribs['disabled'] !== undefined ||
    attribs['aria-disabled'] === 'true' ||
    attribs['inert'] !== undefined ||
    reader.drawnOff.has(node) ||
    isMarkedOff(element) ||
    isRefusingHandler(attribs['onclick']) ||
    /^(?:s|del|strike)$/.test(reader.elements[node + 1]?.name ?? '') ||
    readButton(foldText(attribs['aria-label'] ?? attribs['title'] ?? ''))?.says === 'out_of_stock'
  )
    return true;
  let around = reader.parents[reader.parents[node] ?? -1] ?? -1;
  for (
    let parent = reader.parents[node] ?? -1, up = 0;
    parent >= 0 && up < 8;
    parent = reader.parents[parent] ?? -1, up += 1
  ) {
    const outer = reader.elements[parent];
    if (outer === undefined) break;
    if (outer.name === 'fieldset' && outer.attribs['disabled'] !== undefined) return true;
    if (outer.attribs['inert'] !== undefined || outer.attribs['aria-disabled'] === 'true') return true;
    if (up < 3 ? isMarkedOff(outer) || reader.drawnOff.has(parent) : offDataOf(outer).length > 0) return true;
    if (outer.name === 'form') {
      if (isRefusingHandler(outer.attribs['onsubmit'])) return true;
      around = parent;
    }
  }
  return takesNone(reader, around) || isRefusedBeside(reader, reader.parents[around] ?? -1);
}

/** The elements within one, as many as a form has. */
function insideOf({ elements, ends }: ProductReader, around: number): Element[] {
  return around < 0 ? [] : elements.slice(around + 1, Math.min(ends[around] ?? around, around + 60) + 1);
}

const OF_SHOPS_OR_CHOICES = /store|pick-?up|collect|location|variant|swatch|option/i;

/** Whether an attribute in a part refuses the product: `data-available="false"`. What several elements have is about variants. */
function isRefusedBeside(reader: ProductReader, around: number): boolean {
  const inside = insideOf(reader, around);
  return inside.some(
    (element) =>
      !OF_SHOPS_OR_CHOICES.test(`${element.name} ${namesOf(element)}`) &&
      offDataOf(element).some(
        (key) => inside.filter(({ attribs }) => attribs[key] !== undefined).length === 1,
      ),
  );
}

const QUANTITY = /qty|quantity|menge|quantite|cantidad|aantal|ilosc/i;

/** Whether the fields around a button let nothing be ordered: a maximum of zero, `stock=0`. */
function takesNone(reader: ProductReader, around: number): boolean {
  return insideOf(reader, around).some((field, index, fields) => {
    const { name, attribs } = field;
    const called = `${attribs['name'] ?? ''} ${attribs['id'] ?? ''}`;
    if (name === 'select' && QUANTITY.test(called))
      return fields[index + 1]?.attribs['value'] === '0' && fields[index + 2]?.name !== 'option';
    if (name !== 'input') return false;
    const isFixed = attribs['disabled'] !== undefined || attribs['readonly'] !== undefined;
    return (
      (/^(?:number|text|tel)$/.test(attribs['type'] ?? 'text') &&
        (attribs['max'] === '0' ||
          attribs['data-max'] === '0' ||
          (isFixed && attribs['value'] === '0' && QUANTITY.test(called)))) ||
      offDataOf(field).includes('value')
    );
  });
}
