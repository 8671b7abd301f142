import { bare, hopTo, judgeTable, open, ROOM_WORDS, SHOP_URL, unknown } from './judging-cases';
import { divFrame, plainFrame, themeFrame } from './site-pages';

const FILM =
  '<h1>The Waiting Room</h1><p>£12.99</p><button>Add to bag</button><p>Blu-ray, 94 minutes. You are in line for a classic.</p>';

judgeTable('further pages of the shop', [
  open(
    'theme, home',
    themeFrame(
      '<h2>Bestsellers</h2><a href="/products/a">Pin</a> £5.00 <a href="/products/b">Cap</a> £18.00',
    ),
  ),
  open(
    'div soup, home',
    divFrame(
      '<div><a href="/p/1">Pin</a><div>£5.00</div></div><div><a href="/p/2">Cap</a><div>£18.00</div></div>',
    ),
  ),
  open('theme, film', themeFrame(FILM)),
  open(
    'theme, about us',
    themeFrame(
      '<h1>About us</h1><p>We have sold toys since 1987, and we still wrap them by hand in our workshop in York.</p>',
    ),
  ),
  open(
    'theme, size guide',
    themeFrame(
      '<h1>Size guide</h1><table><tr><th>Size</th><th>Chest</th></tr><tr><td>M</td><td>96 cm</td></tr></table>',
    ),
  ),
  open(
    'theme, order tracking',
    themeFrame(
      '<h1>Track your order</h1><form><input name="order"><input name="postcode"><button>Track</button></form>',
    ),
  ),
  open(
    'theme, shop finder',
    themeFrame(
      '<h1>Find a shop</h1><ul><li><a href="/shops/york">York</a></li><li><a href="/shops/leeds">Leeds</a></li></ul>',
    ),
  ),
  open(
    'theme, newsletter',
    themeFrame(
      '<h1>Newsletter</h1><p>Be the first to hear of new things.</p><form><input type="email"><button>Sign up</button></form>',
    ),
  ),
  open(
    'theme, wish list',
    themeFrame('<h1>Your wish list</h1><p>There is nothing on your wish list yet.</p>'),
  ),
  open(
    'theme, gallery of images only',
    themeFrame('<img src="/look/1.jpg" alt=""><img src="/look/2.jpg" alt="">'),
  ),
  open(
    'plain, two products in pounds',
    plainFrame(
      '<h1>Cards</h1><ul><li><a href="/c/1">Tin</a> 19.99 GBP</li><li><a href="/c/2">Box</a> 49.99 GBP</li></ul>',
    ),
  ),
  open('tiny: one product, one button', bare('<h1>Tin</h1><p>£19.99</p><button>Buy now</button>')),
  open(
    'tiny: basket with a total',
    bare(
      '<h1>Basket</h1><p>1 × Tin £19.99</p><p>Total £19.99</p><a href="/basket">Update basket</a><form action="/checkout"><button>Continue</button></form>',
    ),
  ),
  open(
    'tiny: four links and a price list',
    bare(
      '<a href="/">Home</a> <a href="/cards">Cards</a> <a href="/plush">Plush</a> <a href="/cart">Cart</a><table><tr><td>Tin</td><td>£19.99</td></tr><tr><td>Box</td><td>£49.99</td></tr></table>',
    ),
  ),
  open(
    'tiny: German, Impressum below',
    bare(
      '<a href="/shop">Shop</a> <a href="/warenkorb">Warenkorb</a><h1>Unsere Bären</h1><p>Bär Bruno 24,00 €</p><p>Bär Berta 26,00 €</p><footer><a href="/impressum">Impressum</a></footer>',
    ),
  ),
  open(
    'tiny: Welsh shop',
    bare(
      '<nav><a href="/">Hafan</a><a href="/siop">Siop</a><a href="/amdanom">Amdanom ni</a><a href="/newyddion">Newyddion</a></nav><h1>Croeso i’n siop</h1><p>Teganau pren o Geredigion, wedi’u gwneud â llaw. £12.00</p>',
    ),
  ),
  open('status 206', themeFrame('<h1>Pins</h1><a href="/p/1">Pin</a> £5.00 <a href="/p/2">Pin</a> £6.00'), {
    status: 206,
  }),
  open(
    'marked unverified by Scrappey, with products',
    themeFrame(
      '<h1>Pins</h1><a href="/p/1">Pin</a> £5.00 <a href="/p/2">Pin</a> £6.00<button>Add to bag</button>',
    ),
    { unverified: true },
  ),
  open(
    'products beside a hidden challenge',
    themeFrame(
      '<a href="/p/1">Pin</a> £5.00 <a href="/p/2">Pin</a> £6.00<div hidden><div id="px-captcha"></div></div>',
    ),
  ),
  open(
    'category beside hidden elements of Queue-it',
    themeFrame(
      '<h1>Pins</h1><p>Choose from eighty enamel pins below.</p><div style="display:none"><span id="MainPart_lbQueueNumber"></span><p>You are in line. 5 people ahead of you</p></div>',
    ),
  ),
  open(
    'reached by the help host',
    plainFrame('<h1>Returns</h1><p>You have thirty days to send things back to us.</p>'),
    { finalUrl: 'https://help.pokemoncenter.com/returns' },
  ),
  open(
    'an address with its own parameters c and e',
    themeFrame('<h1>Cards</h1><a href="/p/1">Tin</a> £5.00 <a href="/p/2">Box</a> £6.00'),
    { finalUrl: 'https://www.pokemoncenter.com/en-gb/search?c=cards&e=3' },
  ),
]);

const WORDS =
  'You are now in line. There are 812 people ahead of you. Your estimated wait time is 12 minutes. Please keep this page open.';

judgeTable('words of a room in other content', [
  open(
    'news in a theme',
    themeFrame(`<article><h1>A night in the queue</h1><time>3 May</time><p>${WORDS}</p></article>`),
  ),
  open(
    'help page with a screenshot',
    themeFrame(
      `<h1>How does the queue work?</h1><p>You will see this page:</p><img src="s.png" alt="${WORDS}"><p>Do not refresh it.</p>`,
    ),
  ),
  open(
    'help page with quotation marks',
    themeFrame(
      `<h1>Messages you may see</h1><p>“${WORDS}” – you are waiting.</p><p>“Sold out” – all gone.</p>`,
    ),
  ),
  open(
    'help page with a blockquote',
    themeFrame(`<h1>Messages you may see</h1><blockquote><h2>You are now in line</h2>${WORDS}</blockquote>`),
  ),
  open(
    'comments below a product',
    themeFrame(
      `${FILM}<div class="comments"><div class="comment">${WORDS}</div><div class="comment">Same here.</div></div>`,
    ),
  ),
  open(
    'forum without a shop',
    bare(
      `<nav><a href="/f/cards">Cards</a><a href="/f/plush">Plush</a><a href="/login">Log in</a></nav><h1>Is the site down?</h1><div class="comment"><a href="/u/a">a</a><p>${WORDS}</p></div><div class="comment"><a href="/u/b">b</a><p>me too</p></div>`,
    ),
  ),
  open(
    'questions in a list of terms',
    themeFrame(
      '<h1>FAQ</h1><dl><dt>Am I in the queue?</dt><dd>If you see a number, you are in line.</dd><dt>How long?</dt><dd>The page shows your estimated wait time.</dd></dl>',
    ),
  ),
  open(
    'questions folded open',
    themeFrame(
      `<h1>Help</h1><details open><summary>What does the page say?</summary><p>It says: "${WORDS}"</p></details>`,
    ),
  ),
  open(
    'recipe of a developer',
    themeFrame(
      `<article><h1>Build a waiting room</h1><pre><code>&lt;h1&gt;You are now in line&lt;/h1&gt;</code></pre><p>Then poll the server for the estimated wait time and the number of people ahead of you.</p></article>`,
    ),
  ),
  open(
    'film review',
    themeFrame(
      `<article><h1>The Waiting Room, reviewed</h1><p class="byline">by Jo</p><p>You are in the waiting room with her for 94 minutes. The wait is worth it.</p></article>`,
    ),
  ),
  open(
    'status page of the shop',
    themeFrame(
      '<h1>System status</h1><p>Shop: working. Virtual queue: not active. Average waiting time in chat: 4 minutes.</p>',
    ),
  ),
  open(
    'chat that is open',
    themeFrame(
      `<h1>Contact us</h1><p>Write, call or chat with our team from nine to five.</p><div class="chat-window"><p>You are number 3 in the queue. Estimated wait time 4 minutes. Keep this window open.</p></div>`,
    ),
  ),
  unknown(
    'bare article without a site',
    bare(
      `<article><p>Last night my screen said: ${WORDS} And then it was sold out, of course.</p></article>`,
    ),
  ),
  unknown(
    'bare explanation',
    bare(
      '<h1>How the queue works</h1><p>You are placed in line. Your place in line is random. Keep the page open.</p>',
    ),
  ),
  unknown('bare quotation', bare(`<p>My phone said: “Hello! ${WORDS}”</p>`)),
  unknown(
    'overlay of opacity 0 over a shell',
    bare(
      `<div id="app"></div><div class="overlay" style="position:fixed;opacity:0">${ROOM_WORDS}</div><footer>© Pokémon</footer>`,
    ),
  ),
  unknown(
    'popover over a shell',
    bare(`<div id="app"></div><div popover id="q">${ROOM_WORDS}</div><p>Pokémon Center</p>`),
  ),
  unknown(
    'off-screen text over a shell',
    bare(
      `<div id="app"></div><div style="position:absolute; left:-10000px">${ROOM_WORDS}</div><p>Pokémon Center</p>`,
    ),
  ),
  unknown(
    'collapsed text over a shell',
    bare(`<div id="app"></div><div class="c">${ROOM_WORDS}</div><p>Pokémon Center</p>`, {
      head: '<style>.c{max-height:0;overflow:hidden}</style>',
    }),
  ),
]);

judgeTable('further walls, other sites and empty pages', [
  unknown(
    'HUMAN in the theme, with a basket and prices in the header',
    themeFrame(
      '<h1>Access to this page has been denied</h1><p>Press and hold.</p><div id="px-captcha"></div>',
    ),
  ),
  unknown(
    'Cloudflare in the div soup',
    divFrame(
      '<div id="challenge-error-text">Enable JavaScript and cookies to continue</div><script>window._cf_chl_opt={cType:"managed"}</script>',
    ),
  ),
  unknown(
    'Imperva in the theme, with its long text',
    themeFrame(
      '<h1>Access denied</h1><p>Error 15. This request was blocked by our security service. Your IP and the incident number are below. Incapsula incident ID: 1234000760099-198734523</p>',
    ),
  ),
  unknown(
    'DataDome in the plain frame',
    plainFrame(
      '<p>Please enable JS and disable any ad blocker</p><script src="https://ct.captcha-delivery.com/c.js"></script>',
    ),
  ),
  unknown(
    'Akamai denial in the theme with 200',
    themeFrame(
      '<h1>Access Denied</h1><p>You don’t have permission to access this page. Reference #18.8531002.1763720000.1a2b</p>',
    ),
  ),
  unknown(
    'reCAPTCHA alone in the theme',
    themeFrame(
      '<h1>One more step</h1><div class="g-recaptcha" data-sitekey="k"></div><button>Continue</button>',
    ),
  ),
  unknown(
    'Turnstile alone with a friendly word',
    themeFrame('<p>Hold on while we make sure that it is you.</p><div class="cf-turnstile"></div>'),
  ),
  unknown('theme with a spinner image', themeFrame('<img src="/assets/spinner.svg" alt="Loading">')),
  unknown('theme that asks for JavaScript', themeFrame('<p>Please enable JavaScript to use this site.</p>')),
  unknown('div soup with an empty root', divFrame('<div id="root"></div>')),
  unknown(
    'theme, error in its heading',
    themeFrame('<h1>Oops! Something went wrong</h1><p>Please try again.</p>'),
  ),
  unknown(
    'theme, maintenance in German',
    themeFrame('<h1>Wartungsarbeiten</h1><p>Wir sind gleich wieder da.</p>'),
  ),
  unknown('theme, 410', themeFrame('<h1>Gone</h1><p>This product is no longer here.</p>'), { status: 410 }),
  unknown('theme, 502', themeFrame('<h1>Bad gateway</h1>'), { status: 502 }),
  unknown(
    'theme, 429 with advice',
    themeFrame('<h1>Slow down</h1><p>Too many requests. Wait a minute, then reload the page.</p>'),
    { status: 429 },
  ),
  unknown(
    'portal of a train with a menu and prices',
    bare(
      '<nav><a href="/info">Journey</a><a href="/menu">Menu</a><a href="/media">Films</a></nav><h1>Free Wi-Fi on board</h1><p>Coffee £2.90</p><p>Tea £2.40</p><a href="/connect">Connect</a>',
    ),
  ),
  unknown(
    'portal of a hotel, German',
    bare(
      '<h1>WLAN im Hotel Adler</h1><form><input name="zimmer"><button>Verbinden</button></form><p>24 Stunden 4,90 €</p><p>7 Tage 19,90 €</p>',
    ),
  ),
  unknown(
    'portal after a redirect, products on it',
    bare(
      '<nav><a href="/a">Plans</a><a href="/b">Shop</a><a href="/c">Phones</a></nav><h1>Top up</h1><a href="/p1">1 GB</a> £5.00 <a href="/p2">5 GB</a> £9.00 <button>Buy now</button>',
    ),
    { finalUrl: 'http://welcome.mobile.example/', hops: [hopTo('http://welcome.mobile.example/')] },
  ),
  unknown(
    'parked, prices and categories',
    bare(
      '<h1>pokemoncenter.co.uk</h1><p>The domain pokemoncenter.co.uk is for sale.</p><p>£4,999</p><button>Buy now</button><a href="/a">Toys</a> <a href="/b">Cards</a> £1.00',
    ),
  ),
  unknown(
    'parked, sponsored listings by script',
    bare(
      '<div id="ads"></div><script src="https://www.google.com/adsense/domains/caf.js"></script><a href="/s?q=cards">Trading cards</a> <a href="/s?q=toys">Toys</a> <a href="/s?q=plush">Plush</a> £9.99 £8.99',
    ),
  ),
  unknown(
    'parked, French',
    bare('<h1>Ce nom de domaine est à vendre</h1><p>1 200 €</p><button>Acheter</button>'),
  ),
  unknown(
    'expired domain at its registrar',
    bare(
      '<h1>This domain has expired</h1><p>Renew it for £11.99 a year.</p><a href="/renew">Renew</a><a href="/cart">Cart</a>',
    ),
  ),
  unknown(
    'Queue-it has ended on the shop’s host',
    bare('<h2 id="lbHeaderH2">This event is over</h2>', { bodyTag: '<body data-pageid="after">' }),
    {
      finalUrl: 'https://drops.pokemoncenter.com/afterevent?c=pokemoncenter&e=drop9',
      hops: [hopTo('https://drops.pokemoncenter.com/afterevent?c=pokemoncenter&e=drop9')],
    },
  ),
  unknown('half a page, cut in the header', themeFrame('<h1>x</h1>').slice(0, 300)),
  unknown('UTF-16 read as Latin', 'ÿþ<\u0000h\u0000t\u0000m\u0000l\u0000>\u0000', { decodable: true }),
  unknown(
    'download prepares itself',
    bare(
      '<h1>Your download will start shortly</h1><p>Estimated time remaining: 2 minutes. Do not close this window.</p>',
    ),
  ),
  unknown(
    'delivery van',
    bare(
      '<h1>Your parcel is on its way</h1><p>There are 4 stops ahead of you. Estimated arrival time: 14:10.</p>',
    ),
  ),
  unknown(
    'payment in progress',
    bare('<h1>Processing your payment</h1><p>Please wait and keep this page open. Do not refresh.</p>'),
  ),
  unknown(
    'a survey before the shop',
    bare(
      '<h1>Before you go in</h1><p>How likely are you to recommend us?</p><button>1</button><button>10</button>',
    ),
  ),
  unknown(
    'age gate',
    bare(
      '<h1>Are you over 18?</h1><button>Yes</button><button>No</button><footer><a href="/privacy">Privacy</a></footer>',
    ),
  ),
  unknown(
    'sign-in of a staff network',
    bare(
      '<h1>Staff sign-in</h1><form><input name="user"><input type="password"><button>Sign in</button></form>',
    ),
    { finalUrl: 'https://sso.company.example/login', requestUrl: SHOP_URL },
  ),
]);
