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

/** A page within another shop's frame than the one in `judging-cases`: no nav element, other words, other markup. */
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
