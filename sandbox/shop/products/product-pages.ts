import { escapeHtml, html, trusted, type Html } from '../../html';
import type { SoldProduct, StockState } from './product-setting';

interface Stock {
  schema: string;
  /** The text of the button; null for none. */
  button: string | null;
  isButtonOn: boolean;
  line: string;
  lineClass: string;
  isAvailable: boolean;
}

/** The shop's words for each state. */
const STOCK: Record<StockState, Stock> = {
  in_stock: stock('InStock', 'Add to basket', 'In stock', 'in-stock'),
  limited: stock('LimitedAvailability', 'Add to basket', 'Only 2 left in stock', 'in-stock'),
  preorder: stock('PreOrder', 'Pre-order now', 'Released on 26 February 2040', 'pre-order'),
  backorder: stock('BackOrder', 'Add to basket', 'Available on backorder', 'available-on-backorder'),
  other_seller: stock('InStock', 'Add to basket', 'In stock', 'in-stock'),
  out: { ...stock('OutOfStock', 'Sold out', 'Out of stock', 'out-of-stock'), ...off() },
  in_store_only: {
    ...stock('InStoreOnly', 'Add to basket', 'Home delivery: out of stock', 'out-of-stock'),
    ...off(),
  },
  coming_soon: {
    ...stock('OutOfStock', null, 'Coming soon', 'coming-soon'),
    ...off(),
  },
};

function stock(schema: string, button: string | null, line: string, lineClass: string): Stock {
  return { schema, button, isButtonOn: true, line, lineClass, isAvailable: true };
}

function off() {
  return { isButtonOn: false, isAvailable: false };
}

/** A product at the time of one request, with its current state if it flaps. */
export interface ShownProduct extends SoldProduct {
  shownState: StockState;
}

/** The id of a variant in the platform's JSON and in `?variant=`. */
const variantId = (index: number) => 4_400_001 + index;
const decimal = (pence: number) => (pence / 100).toFixed(2);
const SYMBOLS = { GBP: '£', EUR: '€', USD: '$' } as const;

const inlineJson = (value: unknown) => trusted(JSON.stringify(value).replaceAll('<', '\\u003c'));

/** The variants, each with id, state and price; the product itself where it has none. */
function choicesOf(product: ShownProduct) {
  return product.variants.map((variant, index) => ({
    id: variantId(index),
    name: variant.name,
    // Flapping affects every variant.
    state: product.shownState === 'out' ? ('out' as const) : variant.state,
    pence: variant.pence ?? product.pence,
  }));
}

function structuredData(product: ShownProduct, url: string) {
  const offerOf = (state: StockState, pence: number) => ({
    '@type': 'Offer',
    url,
    price: decimal(pence),
    priceCurrency: product.currency,
    availability: `https://schema.org/${STOCK[product.lies.jsonLd ?? state].schema}`,
    itemCondition: 'https://schema.org/NewCondition',
    ...(state === 'other_seller' && { seller: { '@type': 'Organization', name: 'Briar Traders' } }),
  });
  const choices = choicesOf(product);
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    brand: { '@type': 'Brand', name: product.brand },
    ...(product.gtin !== null && { gtin: product.gtin }),
    url,
    ...(product.image !== null && { image: new URL(`/images/${product.slug}.png`, url).href }),
    offers:
      choices.length === 0
        ? offerOf(product.shownState, product.pence)
        : choices.map((one) => ({ ...offerOf(one.state, one.pence), name: one.name })),
  };
}

/** Shopify's JSON of a product, as at `/products/SLUG.js`: prices in pence. */
export function shopifyJson(product: ShownProduct) {
  const isAvailable = (state: StockState) => STOCK[product.lies.json ?? state].isAvailable;
  const variants =
    product.variants.length === 0
      ? [{ id: variantId(0), name: 'Default Title', state: product.shownState, pence: product.pence }]
      : choicesOf(product);
  return {
    id: 812_345_678,
    title: product.name,
    handle: product.slug,
    vendor: product.brand,
    price: product.pence,
    available: variants.some(({ state }) => isAvailable(state)),
    compare_at_price: product.wasPence,
    variants: variants.map(({ id, name, state, pence }) => ({
      id,
      title: name,
      option1: name,
      sku: `TW-${id}`,
      available: isAvailable(state),
      name: name === 'Default Title' ? product.name : `${product.name} - ${name}`,
      price: pence,
      barcode: product.gtin ?? '',
      inventory_management: 'shopify',
    })),
    url: `/products/${product.slug}`,
  };
}

/** WooCommerce's Store API, as at `/wp-json/wc/store/v1/products?slug=SLUG`. */
export function storeApiJson(product: ShownProduct, url: string) {
  const state = product.lies.json ?? product.shownState;
  const { isAvailable, line } = STOCK[state];
  return [
    {
      id: 7_310,
      name: product.name,
      slug: product.slug,
      permalink: url,
      sku: `TW-${product.slug}`,
      prices: {
        price: String(product.pence),
        regular_price: String(product.wasPence ?? product.pence),
        currency_code: product.currency,
        currency_minor_unit: 2,
      },
      is_purchasable: isAvailable,
      is_in_stock: isAvailable,
      is_on_backorder: state === 'backorder',
      low_stock_remaining: state === 'limited' ? 2 : null,
      stock_availability: { text: line, class: STOCK[state].lineClass },
    },
  ];
}

/**
 * The product's page.
 * @param url its address without a query
 * @param variantParameter the value of `?variant=`
 */
export function productPage(
  product: ShownProduct,
  { url, variantParameter }: { url: string; variantParameter: string | null },
): string {
  const choices = choicesOf(product);
  const chosen =
    choices.find(({ id }) => String(id) === variantParameter) ??
    choices.find(({ state }) => STOCK[state].isAvailable) ??
    choices[0];
  const state = chosen?.state ?? product.shownState;
  const said = STOCK[state];
  const price = (pence: number) => `${SYMBOLS[product.currency]}${decimal(pence)}`;
  const seller = state === 'other_seller' ? 'Briar Traders' : 'Tanglewood Cards';
  const body = html`<div class="product">
    <h1 class="product-title">${product.name}</h1>
    <div class="price">
      ${product.wasPence !== null && html`<del>${price(product.wasPence)}</del> `}<span class="price-item"
        >${price(chosen?.pence ?? product.pence)}</span
      >
    </div>
    ${choices.length > 0 && drawChoices(choices, chosen?.id)}
    ${
      state === 'in_store_only' &&
      html`<p class="instoreMessage inStock">Store collection: in stock at selected stores</p>`
    }
    <p id="availability" class="stock ${said.lineClass}">${said.line}</p>
    <p id="merchant-info">Dispatched from and sold by ${seller}</p>
    <form method="post" action="/basket">
      ${
        said.button !== null &&
        html`<button type="submit" name="add" ${!said.isButtonOn && trusted('disabled')}>
          ${said.button}
        </button>`
      }
      ${!said.isAvailable && state !== 'coming_soon' && html`<button type="button">Email me when available</button>`}
    </form>
    <p class="description">Sealed, from our shop in Ludlow.</p>
  </div>`;
  const page = html`<!DOCTYPE html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <title>${product.name} | Tanglewood Cards</title>
        <link rel="canonical" href="${url}" />
        ${PLATFORM_HEADS[product.platform]}
        <script type="application/ld+json">
          ${inlineJson(structuredData(product, url))}
        </script>
      </head>
      <body>
        <header>
          <a href="/shop/en-gb">Tanglewood Cards</a>
          <nav aria-label="Main"><a href="/shop/en-gb/category/posters">Posters</a></nav>
          <a href="/shop/en-gb/basket">Basket (0)</a>
        </header>
        <main>${body}</main>
        <footer><p>Tanglewood Cards is a stand-in for tests and sells nothing.</p></footer>
      </body>
    </html>`.markup;
  return padded(page, product.kilobytes * 1_024);
}

const PLATFORM_HEADS: Record<SoldProduct['platform'], Html> = {
  plain: trusted(''),
  shopify: trusted('<script>window.Shopify={"shop":"tanglewood.myshopify.com"};</script>'),
  woo: trusted('<meta name="generator" content="WooCommerce 10.3.1" />'),
};

function drawChoices(choices: ReturnType<typeof choicesOf>, chosen: number | undefined): Html {
  const shown = choices.map(({ id, name, state, pence }) => ({
    id,
    title: name,
    option1: name,
    available: STOCK[state].isAvailable,
    price: pence,
  }));
  return html`<label for="choice">Design</label>
    <select id="choice" name="id">
      ${choices.map(
        ({ id, name, state }) =>
          html`<option value="${id}" ${id === chosen && trusted('selected')}>
            ${name}${!STOCK[state].isAvailable && ' - Sold out'}
          </option>`,
      )}
    </select>
    <script type="application/json" data-product-variants>
      ${inlineJson(shown)}
    </script>`;
}

/** Adds the data that a shop's front end embeds until the page has some `bytes`. */
function padded(page: string, bytes: number): string {
  const missing = bytes - Buffer.byteLength(page);
  if (missing <= 0) return page;
  const entry = '{"sku":"TW-100000","texts":{"title":"Nine-pocket binder","note":"acid free"}},';
  const entries = entry.repeat(Math.ceil(missing / entry.length)).slice(0, -1);
  return page.replace(
    '</body>',
    () => `<script type="application/json" id="state">[${entries}]</script></body>`,
  );
}

/** The page of a product that is no longer sold, or never was. */
export function noProductPage(title: string): string {
  return `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1><p><a href="/shop/en-gb">Back to the shop</a></p></body></html>`;
}
