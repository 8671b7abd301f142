import { bare } from './judging-cases';

interface Extras {
  title?: string;
  head?: string;
  /** At the top of the body. */
  top?: string;
  foot?: string;
  /** At the end of the body. */
  end?: string;
}

/** A page of another shop than that of `judging-cases`: no nav element, other words, other markup. */
export function shopPage(
  main: string,
  { title = 'Pocket Toys', head = '', top = '', foot = '', end = '' }: Extras = {},
): string {
  const links = ['Cards', 'Soft toys', 'Games', 'Outlet', 'Gift vouchers']
    .map(
      (text) =>
        `<li class="menu__item"><a class="menu__link" href="/collections/${text.toLowerCase().replace(' ', '-')}">${text}</a></li>`,
    )
    .join('');
  const header = `<div class="site-header"><a class="site-header__logo" href="/">Pocket Toys</a><form action="/search"><input type="search" name="q" placeholder="Search our shop"></form><a href="/account">Account</a><a href="/basket" class="js-basket">Basket <span>0</span></a><ul class="menu">${links}</ul></div>`;
  const footer = `<div class="site-footer"><a href="/pages/delivery">Delivery</a><a href="/pages/returns">Returns</a><a href="/pages/contact">Contact us</a><a href="/policies/privacy">Privacy policy</a>${foot}<p>© 2026 Pocket Toys Ltd</p></div>`;
  return bare(`${top}${header}<div id="content">${main}</div>${footer}${end}`, { title, head });
}

/** A home page with a few products. */
export function homePage({ main = '', ...extras }: Extras & { main?: string } = {}): string {
  const card = (name: string, price: string): string =>
    `<div class="card"><a href="/products/${name.toLowerCase().replaceAll(' ', '-')}"><img src="/i/${price}.jpg" alt="${name}"><h3>${name}</h3></a><p class="money">${price}</p></div>`;
  return shopPage(
    `<h1>Just landed</h1><div class="cards">${card('Booster box', '£119.95')}${card('Sleepy bear', '£24.00')}${card('Puzzle cube', '£9.50')}</div>${main}`,
    extras,
  );
}

/** A product's page. */
export function productPage({
  name = 'Booster box',
  main = '',
  ...extras
}: Extras & { name?: string; main?: string } = {}): string {
  return shopPage(
    `<div class="product"><img src="/i/1.jpg" alt="${name}"><h1>${name}</h1><p class="money">£119.95</p><form action="/basket/add" method="post"><select name="qty"><option>1</option></select><button type="submit">Add to basket</button></form><p>Thirty-six packs of ten cards each.</p>${main}</div>`,
    { title: `${name} | Pocket Toys`, ...extras },
  );
}

/** A shop's theme: an announcement, a header with a small basket and its total, a footer of columns. */
export function themeFrame(main: string): string {
  return bare(
    `<div id="shopify-section-announcement-bar" class="announcement-bar"><p>Free delivery over £50</p></div><header class="header"><a href="/" class="header__logo"><img src="/cdn/logo.png" alt="Pins &amp; Caps"></a><nav class="header__menu"><a href="/collections/pins">Pins</a><a href="/collections/caps">Caps</a><a href="/collections/cards">Cards</a><a href="/pages/story">Our story</a></nav><a href="/search">Search</a><a href="/account/login">Log in</a><a href="/cart">Bag (0) £0.00</a></header><main id="MainContent" role="main">${main}</main><footer class="footer"><div><h2>Shop</h2><a href="/collections/all">Everything</a><a href="/pages/delivery">Delivery</a></div><div><h2>Help</h2><a href="/pages/contact">Contact</a><a href="/policies/refund-policy">Returns</a></div><p>Gift cards from £10</p></footer>`,
    { title: 'Pins & Caps' },
  );
}

/** A frame of nothing but div elements with generated class names. */
export function divFrame(main: string): string {
  return bare(
    `<div id="root"><div class="header_a1b2"><a href="/"><svg aria-label="Shop"></svg></a><div class="nav_c3"><a href="/new">New in</a><a href="/toys">Toys</a><a href="/cards">Cards</a><a href="/sale">Sale</a></div><input placeholder="Search" type="search"><a href="/bag" aria-label="Bag"><svg></svg></a></div><div class="content_d4">${main}</div><div class="footer_e5"><a href="/delivery">Delivery</a><a href="/privacy">Privacy</a></div></div>`,
    { title: 'Shop' },
  );
}

/** A frame of the plainest elements. */
export function plainFrame(main: string): string {
  return bare(
    `<header><h2>Old Toy Shop</h2><nav><ul><li><a href="/cards">Cards</a></li><li><a href="/bears">Bears</a></li><li><a href="/trains">Trains</a></li></ul></nav><a href="/basket">Basket</a></header><main>${main}</main><footer><a href="/delivery">Delivery</a> <a href="/returns">Returns</a></footer>`,
    { title: 'Old Toy Shop' },
  );
}
