import { html, type Html } from '../html';
import type { ProductShop } from '../shop/products/product-shop';
import { STOCK_STATE_NAMES, STOCK_STATES, type SoldProduct } from '../shop/products/product-setting';
import { count, drawTable } from './draw-parts';

/** The products that the shop sells, with a form that changes each, and how often its hosts were asked. */
export function drawProducts(products: ProductShop): Html {
  const list = products.list();
  return html`<section class="card" aria-labelledby="products-title">
    <div id="products-now" data-live>
      <h2 id="products-title">Products <span class="count">${list.length}</span></h2>
    </div>
    <div id="products" data-live>
      ${drawTable(
        'Products',
        ['Product', 'State', 'Price', 'Change'],
        list.slice(0, 40).map((product) => drawProduct(product, products.url(product.slug))),
      )}
      ${
        list.length > 40 && html`<p class="note">And ${list.length - 40} more, at /control/shop/products.</p>`
      }
    </div>
    <details id="product-hosts">
      <summary>${count(products.hosts().length, 'host')}</summary>
      ${drawTable(
        'Hosts',
        ['Host', 'Origin', 'Requests', 'Most a second', 'Most a minute', 'At once'],
        products.hosts().map(
          (host) =>
            html`<tr>
              <td>${host.name}</td>
              <td>${host.origin}</td>
              <td class="number">${host.requests}</td>
              <td class="number">${host.busiestSecond}</td>
              <td class="number">${host.busiestMinute}</td>
              <td class="number">${host.mostAtOnce}</td>
            </tr>`,
        ),
      )}
    </details>
  </section>`;
}

function drawProduct(product: SoldProduct, url: string): Html {
  const { slug, name, state, variants, mode, flaps, pence } = product;
  const extras = [
    variants.length > 0 ? count(variants.length, 'variant') : '',
    mode === null ? '' : `behind ${mode}`,
    flaps === null ? '' : 'flaps',
  ].filter((text) => text !== '');
  return html`<tr>
    <td><a href="${url}">${name}</a></td>
    <td>${[STOCK_STATES[state], ...extras].join(', ')}</td>
    <td class="number">${(pence / 100).toFixed(2)} ${product.currency}</td>
    <td>
      <form method="post" action="/control/shop/products/${slug}" class="buttons">
        <input type="hidden" name="_method" value="PUT" />
        <select name="state" aria-label="State of ${name}">
          ${STOCK_STATE_NAMES.map(
            (one) =>
              html`<option value="${one}" ${one === state && html`selected`}>${STOCK_STATES[one]}</option>`,
          )}
        </select>
        <input name="pence" type="number" min="0" value="${pence}" aria-label="Pence for ${name}" />
        <button>Set</button>
      </form>
    </td>
  </tr>`;
}
