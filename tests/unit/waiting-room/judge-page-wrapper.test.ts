import { bare, hopTo, judgeTable, open, room, SHOP_URL, unknown } from './judging-cases';

/** A shop page of named div elements without a main element, as of Magento. */
const wrapped = (main: string): string =>
  bare(
    `<div class="page-wrapper"><div class="page-header"><div class="panel"><a href="/customer/account/login">Sign In</a></div><a class="logo" href="/"><img src="/l.png" alt="Kite Shop"></a><div class="minicart-wrapper"><a href="/checkout/cart">My Cart</a></div><div class="block-search"><input name="q" placeholder="Search entire store"></div></div><div class="sections nav-sections"><nav class="navigation"><ul><li><a href="/kites.html">Kites</a></li><li><a href="/lines.html">Lines</a></li><li><a href="/sale.html">Sale</a></li></ul></nav></div><div id="maincontent" class="page-main">${main}</div><div class="page-footer"><a href="/about">About</a><a href="/privacy">Privacy</a><p>Free returns. Vouchers from £10.</p></div></div>`,
  );
judgeTable('a frame without a main element, and bare pages', [
  open(
    'list',
    wrapped(
      '<h1>Lines</h1><p>Waiting for wind? Our lines hold.</p><a href="/l1.html">Dyneema line</a> £9.00 <a href="/l2.html">Kevlar line</a> £12.00',
    ),
  ),
  open(
    'one out of stock',
    wrapped(
      '<h1>Delta kite</h1><p>£29.00</p><span>Out of stock</span><p>Join the waiting list: 12 people are before you.</p>',
    ),
  ),
  open(
    'contact',
    wrapped(
      '<h1>Contact us</h1><form><input name="n"><input name="e" type="email"><textarea></textarea></form>',
    ),
  ),
  open('imprint', wrapped('<h1>Imprint</h1><p>Kite Shop Ltd, 4 Wind Street, Hull</p>')),
  open(
    'how launches work',
    wrapped(
      '<h1>Launch days</h1><p>On launch days a virtual queue lets you in. You get a number in line at ten. Once in, you have ten minutes.</p>',
    ),
  ),
  unknown('empty', wrapped('')),
  unknown('px', wrapped('<div id="px-captcha"></div>')),
  unknown('403 denied', wrapped('<h1>Access denied</h1>'), { status: 403 }),
  unknown('captcha', wrapped('<p>Please confirm that you are not a robot.</p><div class="h-captcha"></div>')),
  unknown('loading', wrapped('<div class="loading-mask"><div class="loader">Please wait...</div></div>')),
  room(
    'queue',
    wrapped('<h1>You are in the queue</h1><p>431 people ahead of you</p><p>Do not close this page</p>'),
  ),
  room('queue 429', wrapped('<h1>So many kites!</h1><p>You are now in line.</p>'), { status: 429 }),
  room('wrapper in frame', wrapped('<iframe src="/_Incapsula_Resource?CWUDNSAI=1&edet=47&wrid=4"></iframe>')),
  room('Queue-it own', bare('<div id="queue-it_log"></div><p>soon</p>'), {
    requestUrl: SHOP_URL,
    finalUrl: 'https://access.pokemoncenter.com/?c=pokemoncenter&e=x1',
    hops: [hopTo('https://access.pokemoncenter.com/?c=pokemoncenter&e=x1')],
  }),
  room('Irish', bare('<h1>Tá tú sa scuaine</h1><p>Am feithimh: 5 nóiméad</p>')),
  room('Lithuanian', bare('<h1>Jūs esate eilėje</h1><p>Prieš jus: 812</p><p>Neuždarykite šio puslapio</p>')),
  room(
    'alt on area',
    bare('<map><area alt="You are in line"><area alt="Estimated wait time: 5 minutes"></map>'),
  ),
  room(
    'Cloudflare 202 English',
    bare('<main class="waitingrooms-text"><h1>You are now in line.</h1></main>'),
    { status: 202, headers: { refresh: '20' } },
  ),
  room('Thai', bare('<h1>คุณอยู่ในคิว</h1><p>เวลารอโดยประมาณ 5 นาที</p>')),
  room('Slovak', bare('<h1>Ste v rade</h1><p>Pred vami je 812 ľudí</p>')),
  room('Romanian', bare('<h1>Sunteți la coadă</h1><p>Timp de așteptare: 4 minute</p>')),
  room('short', bare('<h1>You’re in line</h1><p>~4 min</p><p>Stay on this page</p>')),
  unknown('call', bare('<h1>Our lines are busy</h1><p>Your call is in a queue. Please hold.</p>')),
  unknown(
    'portal',
    bare('<h1>Zugang zum Internet</h1><p>1 Stunde 2,00 €</p><p>1 Tag 5,00 €</p><button>Verbinden</button>'),
  ),
  unknown('parked', bare('<h1>Questo dominio è in vendita</h1><p>900 €</p><button>Acquista</button>')),
  unknown('hold page', bare('<h1>Pokémon Center</h1><p>Thank you for your patience.</p>')),
  open(
    'news with photo',
    wrapped(
      '<div class="news-detail"><h1>We are moving</h1><p>From May on you find us in Wind Street. There may be a queue on the first day.</p></div>',
    ),
  ),
  open('account', wrapped('<h1>My Account</h1><p>Recent orders: none</p>')),
  open('empty cart', wrapped('<h1>Shopping Cart</h1><p>You have no items in your shopping cart.</p>')),
]);
