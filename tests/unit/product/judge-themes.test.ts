import { describe } from 'vitest';
import { linkedData, NAME, type ProductCase, shopPage, testCases } from './product-pages';

const CAROUSEL = `<section class="product-recommendations"><h2>You may also like</h2><ul>${['Cinder Vale Booster Bundle', 'Moss Court Mini Tin', 'Iron Lark Binder'].map((name, index) => `<li class="grid__item"><div class="card"><a href="/products/${index}"><img src="/x.jpg" alt="${name}"><h3>${name}</h3></a><div class="price">£${19 + index}.99</div><button type="submit" name="add">Add to cart</button></div></li>`).join('')}</ul></section>`;

/** Dawn 15: main-product.liquid, price.liquid, buy-buttons.liquid. */
const dawn = ({ price = '', button = '', extra = '' }): string =>
  shopPage(
    `<section class="shopify-section"><product-info><div class="product grid"><div class="product__media-wrapper"><img src="/1.jpg" alt="${NAME}"></div><div class="product__info-wrapper"><section class="product__info-container"><p class="product__text caption">Card Maker</p><div class="product__title"><h1>${NAME}</h1><a href="/products/amber-tide-elite-trainer-box" class="product__title"><h2 class="h1">${NAME}</h2></a></div>${price}${extra}<div class="product-form__input product-form__quantity"><label class="quantity__label form__label">Quantity</label><input class="quantity__input" type="number" name="quantity" value="1"></div><div><product-form class="product-form"><div class="product-form__error-message-wrapper" role="alert" hidden><span class="product-form__error-message"></span></div><form action="/cart/add" method="post"><input type="hidden" name="id" value="41"><div class="product-form__buttons">${button}</div></form></product-form></div><div class="product__description rte"><p>Nine boosters worth £36. Sold out everywhere else, this box was £60 at launch.</p></div></section></div></div></product-info></section>${CAROUSEL}`,
  );
const dawnPrice = (state: string, regular: string, sale = ''): string =>
  `<div id="price-template" role="status"><div class="price price--large price--show-badge ${state}"><div class="price__container"><div class="price__regular"><span class="visually-hidden visually-hidden--inline">Regular price</span><span class="price-item price-item--regular">${regular}</span></div><div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">${regular}</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">${sale || regular}</span></div><small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span><span class="price-item price-item--last"><span></span><span aria-hidden="true">/</span><span>per</span></span></small></div><span class="badge price__badge-sale color-scheme-5">Sale</span><span class="badge price__badge-sold-out color-scheme-3">Sold out</span></div></div>`;
const dawnButton = (label: string, off = ''): string =>
  `<button type="submit" name="add" class="product-form__submit button button--full-width button--primary" ${off}><span>${label}</span></button>`;

const woo = (summary: string, { head = '', classes = 'instock', after = '' } = {}): string =>
  shopPage(
    `<div id="product-77" class="product type-product post-77 status-publish ${classes} product-type-simple"><div class="woocommerce-product-gallery"><img src="/w.jpg" alt=""></div><div class="summary entry-summary"><h1 class="product_title entry-title">${NAME}</h1>${summary}<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">77</span></span></div></div><div class="woocommerce-tabs wc-tabs-wrapper"><div id="tab-description"><p>It was out of stock for months, now in stock.</p></div></div><section class="related products"><h2>Related products</h2><ul class="products columns-4"><li class="product type-product outofstock"><a href="/product/other/"><h2 class="woocommerce-loop-product__title">Moss Court Mini Tin</h2><span class="price"><span class="amount">&pound;9.99</span></span></a><a href="/product/other/" class="button">Read more</a></li><li class="product type-product instock"><a href="/product/third/"><h2 class="woocommerce-loop-product__title">Iron Lark Binder</h2><span class="price">&pound;19.99</span></a><a href="?add-to-cart=3" class="button add_to_cart_button">Add to basket</a></li></ul></section></div>${after}`,
    { head },
  );
const wooPrice = (amount: string): string =>
  `<p class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&pound;</span>${amount}</bdi></span></p>`;
const WOO_CART = `<form class="cart" method="post"><div class="quantity"><input type="number" name="quantity" value="1"></div><button type="submit" name="add-to-cart" value="77" class="single_add_to_cart_button button alt">Add to basket</button></form>`;
const variations = (list: unknown): string =>
  JSON.stringify(list).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const wooVariations = (
  stocks: Array<[string, boolean, number]>,
  button = 'disabled wc-variation-selection-needed',
): string =>
  `<form class="variations_form cart" data-product_id="77" data-product_variations="${variations(stocks.map(([name, inStock, price], index) => ({ attributes: { attribute_pa_design: name }, availability_html: `<p class="stock ${inStock ? 'in-stock">In stock' : 'out-of-stock">Out of stock'}</p>`, backorders_allowed: false, display_price: price, display_regular_price: price, is_in_stock: inStock, is_purchasable: true, variation_id: 100 + index, sku: `S${index}` })))}"><table class="variations"><tr><th class="label"><label for="pa_design">Design</label></th><td class="value"><select id="pa_design" name="attribute_pa_design"><option value="">Choose an option</option>${stocks.map(([name]) => `<option value="${name}">${name}</option>`).join('')}</select></td></tr></table><div class="single_variation_wrap"><button type="submit" class="single_add_to_cart_button button alt ${button}">Add to basket</button></div></form>`;

const magento = (info: string, { head = '', form = '' } = {}): string =>
  shopPage(
    `<div class="columns"><div class="column main"><div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper" itemprop="name">${NAME}</span></h1></div><div class="product-info-price">${info}</div>${form}</div><div class="product info detailed"><div class="product data items"><div class="data item content">Description: a box.</div></div></div><div class="block related"><div class="block-title title"><strong>Related Products</strong></div><ol class="products list items"><li class="item product product-item"><strong class="product name"><a href="/a.html">Moss Court Mini Tin</a></strong><span class="price">£9.99</span><button class="action tocart primary"><span>Add to Cart</span></button></li></ol></div></div></div>`,
    { head },
  );
const magentoPrice = (price: string, old = ''): string =>
  `<div class="price-box price-final_price">${old === '' ? '' : `<span class="old-price"><span class="price-container"><span class="price-label">Was</span><span data-price-amount="${old}" data-price-type="oldPrice" class="price-wrapper"><span class="price">£${old}</span></span></span></span>`}<span class="special-price"><span class="price-container"><span class="price-label">Special Price</span><span data-price-amount="${price}" data-price-type="finalPrice" class="price-wrapper"><span class="price">£${price}</span></span></span></span></div>`;
const MAGENTO_FORM = `<div class="product-add-form"><form method="post" id="product_addtocart_form"><div class="box-tocart"><div class="fieldset"><div class="actions"><button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button></div></div></div></form></div>`;

const cornerstone = ({
  form,
  price = '£44.95',
  data = '',
}: {
  form: string;
  price?: string;
  data?: string;
}): string =>
  shopPage(
    `<ul class="breadcrumbs"><li class="breadcrumb"><a href="/">Home</a></li></ul><div class="productView"><section class="productView-images"><figure class="productView-image"><img src="/c.jpg" alt=""></figure></section><section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">${NAME}</h1><div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;">MSRP: <span data-product-rrp-price-without-tax class="price price--rrp"></span></div><div class="price-section price-section--withoutTax non-sale-price--withoutTax" style="display: none;">Was: <span class="price price--non-sale"></span></div><div class="price-section price-section--withoutTax"><span data-product-price-without-tax class="price price--withoutTax">£37.46</span> <abbr title="Excluding Tax">(Ex. VAT)</abbr></div><div class="price-section price-section--withTax"><span data-product-price-with-tax class="price price--withTax">${price}</span> <abbr title="Including Tax">(Inc. VAT)</abbr></div></div><dl class="productView-info"><dt class="productView-info-name">UPC:</dt><dd class="productView-info-value" data-product-upc>0820650853432</dd></dl></div></section><section class="productView-details product-options"><div class="productView-options"><form class="form" method="post" action="/cart.php" data-cart-item-add>${form}</form></div></section></div><div class="tab-content" id="tab-related"><h2>Related Products</h2><article class="card"><h4 class="card-title"><a href="/tin/">Moss Court Mini Tin</a></h4><span class="price price--withTax">£9.95</span><a href="/cart.php?action=add" class="button card-figcaption-button">Add to Cart</a></article></div>${data}`,
  );

const CASES: ProductCase[] = [
  {
    name: 'Dawn in stock: price printed twice, badges printed always',
    body: dawn({ price: dawnPrice('', '£49.99'), button: dawnButton('Add to cart') }),
    expected: { availability: 'in_stock', price: '49.99 GBP', title: NAME },
  },
  {
    name: 'Dawn sold out: class, button and badge',
    body: dawn({ price: dawnPrice('price--sold-out', '£49.99'), button: dawnButton('Sold out', 'disabled') }),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'Dawn on sale: the sale price counts',
    body: dawn({ price: dawnPrice('price--on-sale', '£49.99', '£39.99'), button: dawnButton('Add to cart') }),
    expected: { availability: 'in_stock', price: '39.99 GBP' },
  },
  {
    name: 'Dawn continue selling: markup says OutOfStock, the button sells',
    body: dawn({
      price: dawnPrice('', '£49.99'),
      button: dawnButton('Add to cart'),
      extra: linkedData({ price: '49.99', availability: 'http://schema.org/OutOfStock' }),
    }),
    expected: { availability: 'in_stock', strength: 'weak', price: '49.99 GBP' },
  },
  {
    name: 'Dawn pre-order button',
    body: dawn({
      price: dawnPrice('', '£49.99'),
      button: dawnButton('Pre-order'),
      extra: linkedData({ price: '49.99', availability: 'http://schema.org/InStock' }),
    }),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'Dawn low inventory',
    body: dawn({
      price: dawnPrice('', '£49.99'),
      extra:
        '<p class="product__inventory" role="status"><svg width="15"><circle/></svg>Low stock: 4 left</p>',
      button: dawnButton('Add to cart'),
    }),
    expected: { availability: 'limited', detail: 'low_stock', strength: 'strong' },
  },
  {
    name: 'Dawn notify me form instead of the button',
    body: dawn({
      price: dawnPrice('price--sold-out', '£49.99'),
      button: `${dawnButton('Sold out', 'disabled')}<button type="button" class="klaviyo-bis-trigger">Notify me when available</button>`,
    }),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'Woo in stock',
    body: woo(`${wooPrice('44.95')}<p class="stock in-stock">7 in stock</p>${WOO_CART}`),
    expected: { availability: 'in_stock', strength: 'strong', price: '44.95 GBP', title: NAME },
  },
  {
    name: 'Woo low stock',
    body: woo(`${wooPrice('44.95')}<p class="stock in-stock">Only 2 left in stock</p>${WOO_CART}`),
    expected: { availability: 'limited', detail: 'low_stock' },
  },
  {
    name: 'Woo can be backordered',
    body: woo(
      `${wooPrice('44.95')}<p class="stock available-on-backorder">Available on backorder</p>${WOO_CART}`,
      {
        classes: 'onbackorder',
        head: linkedData({ price: '44.95', availability: 'https://schema.org/InStock' }),
      },
    ),
    expected: { availability: 'preorder', detail: 'backorder' },
  },
  {
    name: 'Woo in stock, can be backordered: in stock',
    body: woo(`${wooPrice('44.95')}<p class="stock in-stock">3 in stock (can be backordered)</p>${WOO_CART}`),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'Woo out of stock: the related product has the only button',
    body: woo(`${wooPrice('44.95')}<p class="stock out-of-stock">Out of stock</p>`, {
      classes: 'outofstock',
    }),
    expected: { availability: 'out_of_stock', price: '44.95 GBP' },
  },
  {
    name: 'Woo variations: one in stock, none chosen',
    body: woo(
      `<p class="price"><span class="amount">&pound;9.99</span> &ndash; <span class="amount">&pound;12.99</span></p>${wooVariations(
        [
          ['fox', false, 9.99],
          ['stag', true, 12.99],
        ],
      )}`,
    ),
    expected: { availability: 'in_stock', variants: { fox: 'out_of_stock', stag: 'in_stock' } },
  },
  {
    name: 'Woo variations: all gone, the parent says in stock',
    body: woo(
      `${wooPrice('9.99')}${wooVariations(
        [
          ['fox', false, 9.99],
          ['stag', false, 9.99],
        ],
        '',
      )}`,
      { head: linkedData({ price: '9.99', availability: 'https://schema.org/InStock' }) },
    ),
    expected: { availability: 'out_of_stock', price: '9.99 GBP' },
  },
  {
    name: 'Woo variation named by the address',
    body: woo(
      `${wooPrice('9.99')}${wooVariations([
        ['fox', false, 9.99],
        ['stag', true, 9.99],
      ])}`,
    ),
    url: 'https://cardcabin.example/product/amber-tide/?attribute_pa_design=fox',
    expected: { availability: 'out_of_stock', price: '9.99 GBP' },
  },
  {
    name: 'Magento in stock with an old price',
    body: magento(
      `${magentoPrice('34.99', '39.99')}<div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div></div>`,
      { form: MAGENTO_FORM },
    ),
    expected: { availability: 'in_stock', price: '34.99 GBP', strength: 'strong' },
  },
  {
    name: 'Magento out of stock without a form',
    body: magento(
      `${magentoPrice('34.99')}<div class="stock unavailable" title="Availability"><span>Out of stock</span></div>`,
      {
        head: '<meta property="product:price:amount" content="34.99"><meta property="product:price:currency" content="GBP">',
      },
    ),
    expected: { availability: 'out_of_stock', price: '34.99 GBP' },
  },
  {
    name: 'Cornerstone in stock, two taxes, UPC',
    body: cornerstone({
      form: '<div class="form-action"><input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart"></div>',
    }),
    expected: { availability: 'in_stock', price: '44.95 GBP', gtin: '0820650853432', title: NAME },
  },
  {
    name: 'Cornerstone out of stock: JSON-LD stays InStock',
    body: cornerstone({
      form: '<div class="alertBox alertBox--error"><p>This product is currently out of stock.</p></div>',
      data: linkedData({ price: 44.95, availability: 'https://schema.org/InStock' }),
    }),
    expected: { availability: 'out_of_stock', price: '44.95 GBP' },
  },
  {
    name: 'Cornerstone options required: BCData decides',
    body: cornerstone({
      form: '<div data-product-option-change><label class="form-label">Design: Required</label><select class="form-select form-select--small" name="attribute[11]" required><option value="">Choose Options</option><option value="1">Fox</option></select></div><div class="form-action"><input id="form-action-addToCart" class="button" type="submit" value="Add to Cart" disabled></div>',
      data: '<script>var BCData = {"product_attributes":{"sku":"A","purchasable":true,"instock":true,"stock":null,"price":{"with_tax":{"formatted":"£44.95","value":44.95,"currency":"GBP"}}}};</script>',
    }),
    expected: { availability: 'in_stock', strength: 'weak', price: '44.95 GBP' },
  },
  {
    name: 'PrestaShop in stock',
    body: shopPage(
      `<section id="main" itemscope itemtype="https://schema.org/Product"><div class="row"><div class="col-md-6"><h1 class="h1" itemprop="name">${NAME}</h1><div class="product-prices js-product-prices"><div class="product-discount"><span class="regular-price">£59.99</span></div><div class="product-price h5 has-discount" itemprop="offers" itemscope itemtype="https://schema.org/Offer"><link itemprop="availability" href="https://schema.org/InStock"/><meta itemprop="priceCurrency" content="GBP"><div class="current-price"><span class="current-price-value" itemprop="price" content="47.99">£47.99</span><span class="discount discount-percentage">Save 20%</span></div></div><div class="tax-shipping-delivery-label">Tax included</div></div><div class="product-actions"><form><div class="product-add-to-cart"><button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit">Add to cart</button></div><span id="product-availability"><i class="material-icons rtl-no-flip product-last-items">&#xE002;</i> Last items in stock</span></form></div></div></div></section>`,
    ),
    expected: { availability: 'limited', price: '47.99 GBP' },
  },
  {
    name: 'PrestaShop sold out: microdata says PreOrder',
    body: shopPage(
      `<section id="main" itemscope itemtype="https://schema.org/Product"><h1 class="h1" itemprop="name">${NAME}</h1><div class="product-prices"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><link itemprop="availability" href="https://schema.org/PreOrder"/><span itemprop="price" content="47.99">£47.99</span></div></div><button class="btn add-to-cart" type="submit" disabled>Add to cart</button><span id="product-availability"><i class="material-icons product-unavailable">&#xE14B;</i> Out-of-Stock</span></section>`,
    ),
    expected: { availability: 'out_of_stock', price: '47.99 GBP' },
  },
  {
    name: 'Salesforce: data-available, message, one button',
    body: shopPage(
      `<div class="container product-detail product-wrapper" data-pid="500"><div class="row"><div class="col-12 col-md-6"><h1 class="product-name">${NAME}</h1><div class="prices"><div class="price"><span><span class="strike-through list"><span class="value" content="59.99"><span class="sr-only">Price reduced from</span>£59.99<span class="sr-only">to</span></span></span><span class="sales"><span class="value" content="49.99">£49.99</span></span></span></div></div><div class="availability product-availability" data-ready-to-order="true" data-available="true"><label class="availability non-input-label">Availability:</label><ul class="list-unstyled availability-msg"><li><div>In Stock</div></li></ul></div><div class="cart-and-ipay"><button class="add-to-cart btn btn-primary" data-pid="500"><i class="fa fa-shopping-bag"></i>Add to Cart</button></div></div></div></div>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP', strength: 'strong' },
  },
  {
    name: 'Salesforce not available',
    body: shopPage(
      `<div class="product-detail" data-pid="500"><h1 class="product-name">${NAME}</h1><div class="prices"><div class="price"><span class="sales"><span class="value" content="49.99">£49.99</span></span></div></div><div class="availability product-availability" data-ready-to-order="true" data-available="false"><ul class="list-unstyled availability-msg"><li><div>This item is currently not available</div></li></ul></div><button class="add-to-cart btn btn-primary" disabled>Add to Cart</button></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'GAME: new and pre-owned, new in stock',
    body: shopPage(
      `<div class="pdp"><h1 class="productTitle">${NAME}</h1><ul class="buyingOptions"><li class="buyingOption buyNew"><h3>Buy New</h3><strong class="btnPrice">£44.99</strong><a href="/basket/add/1" class="btn btnBuy">Add to basket</a></li><li class="buyingOption buyUsed"><h3>Pre-owned</h3><strong class="btnPrice">£29.99</strong><a href="/basket/add/2" class="btn btnBuy">Add to basket</a></li></ul></div>`,
    ),
    expected: { availability: 'in_stock', price: '44.99 GBP' },
  },
  {
    name: 'GAME: only pre-owned',
    body: shopPage(
      `<div class="pdp"><h1 class="productTitle">${NAME}</h1><ul class="buyingOptions"><li class="buyingOption buyNew"><h3>Buy New</h3><span class="stock">Out of stock</span></li><li class="buyingOption buyUsed"><h3>Pre-owned</h3><strong class="btnPrice">£29.99</strong><a href="/basket/add/2" class="btn btnBuy">Buy pre-owned</a></li></ul></div>`,
    ),
    expected: { availability: 'out_of_stock', detail: 'used_only', price: null },
  },
  {
    name: 'Very: low stock, price a month beside',
    body: shopPage(
      `<div class="productDetails"><h1 class="productHeading"><span class="productName">${NAME}</span></h1><div class="priceContainer"><span class="priceNow">£54.99</span><span class="priceWas">Was £64.99</span><p class="payMonthly">From £4.58 per month</p></div><div class="stockMessaging"><span class="indicator low">Low stock</span></div><button class="addToBasket">Add to basket</button></div>`,
    ),
    expected: { availability: 'limited', price: '54.99 GBP' },
  },
  {
    name: 'Argos: the out of stock page',
    body: shopPage(
      `<div data-test="component-oos"><h1><span data-test="product-title">${NAME}</span></h1><p data-test="oos-message">Sorry, this product is currently unavailable.</p><section data-test="alternatives"><h2>Similar products</h2><ul><li><a href="/product/1"><img alt="Moss Court Mini Tin" src="/a.jpg"><span>Moss Court Mini Tin</span></a><strong>£12.00</strong><button>Add to trolley</button></li><li><a href="/product/2"><img alt="Iron Lark Binder" src="/b.jpg"><span>Iron Lark Binder</span></a><strong>£22.00</strong><button>Add to trolley</button></li></ul></section></div>`,
    ),
    requested: 'https://cardcabin.example/product/9350311',
    url: 'https://cardcabin.example/vp/oos/9350311',
    expected: { availability: 'out_of_stock', title: NAME },
  },
  {
    name: 'Amazon: order now, delivered when available',
    body: shopPage(
      `<div id="dp"><h1 id="title"><span id="productTitle"> ${NAME} </span></h1><div id="corePrice_feature_div"><span class="a-price"><span class="a-offscreen">£49.99</span><span aria-hidden="true"><span class="a-price-symbol">£</span><span class="a-price-whole">49<span class="a-price-decimal">.</span></span><span class="a-price-fraction">99</span></span></span><span class="a-text-price">RRP: <span class="a-offscreen">£59.99</span></span></div><div id="availability"><span class="a-size-medium a-color-state">Temporarily out of stock. Order now and we'll deliver when available.</span></div><span class="a-button"><input id="add-to-cart-button" type="submit" value="Add to Basket"></span><div class="tabular-buybox"><span>Dispatches from</span><span>Cardcabin</span><span>Sold by</span><span>Cardcabin</span></div></div>`,
    ),
    expected: { availability: 'preorder', detail: 'backorder', price: '49.99 GBP' },
  },
  {
    name: 'React shop: partner sells',
    body: shopPage(
      `<section data-testid="product"><h1 data-testid="product:title">${NAME}</h1><p data-testid="product:price">£89.99</p><p>In stock online</p><p>Sold and dispatched by Foil Traders Ltd</p><button type="button" data-testid="basket:add">Add to basket</button></section>`,
    ),
    expected: {
      availability: 'out_of_stock',
      detail: 'marketplace_only',
      price: null,
      seller: 'Foil Traders Ltd',
    },
  },
];

describe('pages of shop systems', () => {
  testCases(CASES);
});
