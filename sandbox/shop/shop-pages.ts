import { escapeHtml } from '../html';
import { CATEGORIES, formatPrice, NEWS, PRODUCTS, type Product } from './catalogue';

/** Path of the shop on the sandbox's origin. */
export const SHOP_HOME = '/shop/en-gb';

const LARGE_PAGE_BYTES = 600_000;

const STYLE = `
:root{--ink:#20302a;--leaf:#2f6b4f;--cream:#fbf8f0;--line:#e2dccb;--soft:#5d6b64}
*{box-sizing:border-box}body{margin:0;font:400 16px/1.5 Georgia,serif;color:var(--ink);background:var(--cream)}
a{color:inherit}.wrap{width:min(1080px,100% - 32px);margin-inline:auto}
.strip{background:var(--leaf);color:#fff;text-align:center;padding:8px;font-size:14px}
header .wrap{display:flex;flex-wrap:wrap;gap:12px 24px;align-items:center;padding-block:18px}
.brand{font-size:26px;font-weight:700;text-decoration:none;letter-spacing:-.02em}
header form{flex:1 1 220px}header input{width:100%;padding:10px 14px;border:1px solid var(--line);border-radius:999px;font:inherit;background:#fff}
nav{border-block:1px solid var(--line);background:#fff}nav ul{display:flex;flex-wrap:wrap;gap:4px 22px;list-style:none;margin:0 auto;padding:12px 0}
nav a{text-decoration:none}.hero{padding:48px 0 24px}.hero h1{font-size:clamp(28px,5vw,46px);margin:0 0 8px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:18px;list-style:none;padding:0}
.tile{background:#fff;border:1px solid var(--line);border-radius:14px;padding:16px;display:flex;flex-direction:column;gap:8px}
.tile svg{width:100%;height:150px;border-radius:8px;background:#eef3ea}.price{font-weight:700;margin-top:auto}
button{font:inherit;font-weight:700;padding:10px 14px;border:0;border-radius:10px;background:var(--leaf);color:#fff;cursor:pointer}
.soft{color:var(--soft)}footer{margin-top:56px;border-top:1px solid var(--line);background:#fff;padding:28px 0}
footer ul{display:flex;flex-wrap:wrap;gap:6px 22px;list-style:none;padding:0}`;

/** Imperva's sensor is also on ordinary pages: it is no evidence of a waiting room. */
const SENSOR =
  '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=2&cb=1804289383" async></script>';

export interface ShopPage {
  status: 200 | 404;
  html: string;
}

/**
 * The shop's page for a path below {@link SHOP_HOME}.
 * @param path '' for the home page, else `category/…`, `product/…`, `news/…` or `basket`
 * @param large pads the page to some 600 KB, like shops that embed their whole state
 */
export function shopPage(path: string, large: boolean): ShopPage {
  const [section = '', slug = ''] = path.split('/');
  const main = mainOf(section, slug);
  const title = main?.title ?? 'Page not found';
  const body =
    main?.html ??
    `<section class="hero"><h1>Page not found</h1><p><a href="${SHOP_HOME}">Back to the shop</a></p></section>`;
  return { status: main ? 200 : 404, html: layout(title, body, large) };
}

function mainOf(section: string, slug: string): { title: string; html: string } | null {
  if (section === '')
    return { title: 'Tanglewood Cards | Trading cards and everything around them', html: home() };
  if (section === 'basket' && slug === '') {
    return {
      title: 'Your basket',
      html: '<section class="hero"><h1>Your basket</h1><p>Your basket is empty.</p></section>',
    };
  }
  if (section === 'category') {
    const category = CATEGORIES.find((one) => one.slug === slug);
    if (!category) return null;
    const goods = PRODUCTS.filter((product) => product.category === slug || slug === 'new-releases');
    return {
      title: category.name,
      html: `<section class="hero"><h1>${escapeHtml(category.name)}</h1></section>${grid(goods)}`,
    };
  }
  if (section === 'product') {
    const product = PRODUCTS.find((one) => one.slug === slug);
    return product ? { title: product.name, html: productView(product) } : null;
  }
  if (section === 'news') {
    const item = NEWS.find((one) => one.slug === slug);
    if (!item) return null;
    const paragraphs = item.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
    return {
      title: item.title,
      html: `<article class="hero"><h1>${escapeHtml(item.title)}</h1>${paragraphs}</article>`,
    };
  }
  return null;
}

function home(): string {
  const news = NEWS.map(
    (item) => `<li><a href="${SHOP_HOME}/news/${item.slug}">${escapeHtml(item.title)}</a></li>`,
  ).join('');
  return `<section class="hero"><h1>New from the hollow</h1>
<p class="soft">Second printings, winter tins and the binder everybody asked for.</p></section>
${grid(PRODUCTS)}
<section><h2>From our notebook</h2><ul>${news}</ul></section>
<section><h2>Visit us</h2><p>Our shop in Ludlow is open from Tuesday to Saturday, ten to five. Bring your swaps: the big table
at the back is free for anybody who wants to trade, and on the first Saturday of the month we run a beginners' evening.</p></section>`;
}

function grid(products: readonly Product[]): string {
  return `<ul class="grid">${products.map(tile).join('\n')}</ul>`;
}

function tile(product: Product, index: number): string {
  return `<li class="tile"><a href="${SHOP_HOME}/product/${product.slug}">${picture(product, index)}<span>${escapeHtml(product.name)}</span></a>
<span class="soft">${escapeHtml(product.blurb)}</span><span class="price">${formatPrice(product.pence)}</span>
<button type="button" data-sku="TW-${1_000 + index}">Add to basket</button></li>`;
}

function picture(product: Product, index: number): string {
  const hue = (index * 47 + product.name.length * 13) % 360;
  return `<svg viewBox="0 0 210 150" role="img" aria-label="${escapeHtml(product.name)}"><rect x="62" y="22" width="78" height="108" rx="8" fill="hsl(${hue} 38% 62%)" transform="rotate(-8 100 76)"/><rect x="74" y="20" width="78" height="108" rx="8" fill="hsl(${hue} 42% 48%)" transform="rotate(5 112 74)"/><circle cx="113" cy="74" r="20" fill="hsl(${(hue + 60) % 360} 60% 86%)"/></svg>`;
}

function productView(product: Product): string {
  const offer = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: product.blurb,
    offers: { '@type': 'Offer', priceCurrency: 'GBP', price: (product.pence / 100).toFixed(2) },
  };
  return `<section class="hero"><h1>${escapeHtml(product.name)}</h1><p>${escapeHtml(product.blurb)}</p>
<p class="price">${formatPrice(product.pence)}</p><button type="button">Add to basket</button></section>
<script type="application/ld+json">${inlineJson(offer)}</script>
<h2>You may also like</h2>${grid(PRODUCTS.filter((other) => other !== product).slice(0, 4))}`;
}

function layout(title: string, main: string, large: boolean): string {
  const links = CATEGORIES.map(
    (category) =>
      `<li><a href="${SHOP_HOME}/category/${category.slug}">${escapeHtml(category.name)}</a></li>`,
  ).join('');
  const page = (state: string) => `<!DOCTYPE html>
<html lang="en-GB"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Trading cards, binders and gifts from a small shop in Ludlow.">
<style>${STYLE}</style>${SENSOR}</head>
<body><p class="strip">Free delivery on orders over £40</p>
<header><div class="wrap"><a class="brand" href="${SHOP_HOME}">Tanglewood Cards</a>
<form role="search" action="${SHOP_HOME}"><input name="q" aria-label="Search cards and accessories" placeholder="Search cards and accessories"></form>
<a href="${SHOP_HOME}/basket">Basket (0)</a></div></header>
<nav aria-label="Main"><ul class="wrap">${links}</ul></nav>
<main id="main" class="wrap">${main}</main>
<footer><div class="wrap"><ul><li><a href="${SHOP_HOME}/news/how-our-virtual-queue-works">How our virtual queue works</a></li>
<li><a href="${SHOP_HOME}/basket">Basket</a></li><li><a href="${SHOP_HOME}">Home</a></li></ul>
<p class="soft">Tanglewood Cards is a stand-in for tests and sells nothing.</p></div></footer>
<script type="application/json" id="state">${state}</script></body></html>`;
  const small = page(inlineJson(stateOf(0)));
  if (!large) return small;
  const sample = 100;
  const bytesOf = (entries: number) => Buffer.byteLength(JSON.stringify(stateOf(entries)));
  const bytesPerEntry = (bytesOf(sample) - bytesOf(0)) / sample;
  return page(inlineJson(stateOf(Math.ceil((LARGE_PAGE_BYTES - Buffer.byteLength(small)) / bytesPerEntry))));
}

/** The data that a shop's front end embeds, with invisible texts for waiting rooms and errors. */
function stateOf(entries: number) {
  return {
    locale: 'en-GB',
    texts: {
      'queue.title': 'You are now in line',
      'queue.wait': 'Estimated wait time: {minutes} minutes',
      'queue.keepOpen': 'Keep this window open, you will be let in automatically.',
      'error.denied': 'Access Denied',
    },
    catalogue: Array.from({ length: entries }, (_, index) => {
      const product = PRODUCTS[index % PRODUCTS.length];
      return {
        sku: `TW-${String(100_000 + index)}`,
        name: product?.name,
        pence: product?.pence,
        stock: index % 9,
      };
    }),
  };
}

function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
