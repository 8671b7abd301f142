import { bare, hopTo, judgeTable, open, room, SHOP_URL, unknown } from './judging-cases';
import { divFrame, homePage, plainFrame, productPage, shopPage, themeFrame } from './site-pages';

const CENTER_HEAD =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/_next/static/css/5b1c.css">';
const center = (main: string, title = 'Pokémon Center'): string =>
  bare(
    `<a class="skip" href="#main">Skip to content</a><header><a href="/en-gb" aria-label="Pokémon Center"><img src="/images/logo.svg" alt="Pokémon Center"></a><form role="search" action="/en-gb/search"><input name="q" placeholder="Search Pikachu"></form><a href="/en-gb/account/login">Sign In</a><a href="/en-gb/cart">My Cart (0)</a></header><nav id="topNavPanel" role="navigation" aria-label="Main"><ul><li><a href="/en-gb/category/new-releases">New Releases</a></li><li><a href="/en-gb/category/trading-card-game">Trading Card Game</a></li><li><a href="/en-gb/category/plush">Plush</a></li><li><a href="/en-gb/category/clothing">Clothing</a></li><li><a href="/en-gb/category/home">Home</a></li></ul></nav><main id="main" role="main" aria-live="polite">${main}</main><footer><a href="/en-gb/privacy">Privacy</a><a href="/en-gb/terms">Terms</a><a href="/en-gb/help">Help</a><p>©2026 Pokémon</p></footer>`,
    { title, head: CENTER_HEAD },
  );

judgeTable('rooms in the page frame of Pokémon Center and in further languages', [
  room(
    'the shop’s frame, the queue’s own main, 200',
    center(
      '<h1>You’re in the virtual queue!</h1><p>Your place in line: <b>14,233</b></p><p>Estimated wait time: 27 minutes</p><p>Keep this page open.</p>',
    ),
  ),
  room(
    'the shop’s frame, 429, two sentences',
    center(
      '<h1>Thanks for visiting</h1><p>You’re in line. We will let you in as soon as there is room.</p><p>Please don’t refresh this page.</p>',
    ),
    { status: 429 },
  ),
  room(
    'the shop’s frame and the frame of the room',
    center(
      '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&edet=47&wrid=12&wrcid=12"></iframe>',
    ),
  ),
  room(
    'logo, greeting, number, nothing else',
    bare(
      '<img src="/l.svg" alt="Pokémon Center"><h1>Hello, Trainer!</h1><p>312 Trainers ahead of you in the queue</p>',
    ),
  ),
  room(
    'countdown and a promise',
    bare(
      '<h1>Almost there!</h1><p>The queue opens in 04:59. You will be assigned a place in line automatically.</p><p>Don’t close this window.</p>',
    ),
  ),
  room(
    'Queue-it, status 202',
    bare('<span id="MainPart_lbWhichIsIn">5 minutes</span>', {
      bodyTag: '<body data-pageid="queue" class="queue">',
    }),
    {
      status: 202,
      finalUrl: 'https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=x',
      hops: [hopTo('https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=x')],
    },
  ),
  room(
    'Queue-it, mirrored under the shop’s own path',
    bare(
      '<h2 id="lbHeaderH2">Drop</h2><p id="MainPart_pProgressbarBox_Holder"><span id="MainPart_lbExpectedServiceTime">10:04</span></p>',
    ),
    { finalUrl: 'https://www.pokemoncenter.com/queue/?c=pokemoncenter&e=drop&cid=en-GB' },
  ),
  room('redirect answered with 302 to the queue', '', {
    status: 302,
    headers: { location: 'https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=drop&t=x' },
  }),
  room(
    'Cloudflare, Swedish custom page, 202',
    bare('<h1>Du står i kön</h1><p>Beräknad väntetid: 4 minuter</p>'),
    {
      status: 202,
      headers: { server: 'cloudflare', refresh: '15', 'set-cookie': ['__cfwaitingroom=Ch; Path=/'] },
    },
  ),
  room(
    'Cloudflare default, Slovenian',
    bare('<main class="waitingrooms-text"><h1>Zdaj ste v čakalni vrsti.</h1></main>'),
    { headers: { refresh: '20' } },
  ),
  room(
    'Alibaba page in Chinese with cookie and 429',
    bare('<h1>当前访问人数较多</h1><p>您正在排队，请耐心等待，预计等待时间 3 分钟</p>'),
    { status: 429, headers: { 'set-cookie': ['__aliwaitingroom_abc=1'] } },
  ),
  room('Alibaba JSON inside data', '{"data":{"inWaitingRoom":true,"waitTimeFormatted":"3 minutes"}}', {
    headers: { 'content-type': 'application/json' },
  }),
  room(
    'AWS words in capitals',
    bare('<h1>VIRTUAL WAITING ROOM</h1><p>YOUR PLACE IN LINE: 4182</p><p>CURRENTLY SERVING: 2950</p>'),
  ),
  room(
    'text set in a definition list',
    bare(
      '<h1>Waiting room</h1><dl><dt>Your position</dt><dd>4182</dd><dt>Estimated wait</dt><dd>12 min</dd></dl>',
    ),
  ),
  room('Portuguese of Brazil', bare('<h1>Você está na fila!</h1><p>Existem 812 pessoas na sua frente.</p>')),
  room('Greek', bare('<h1>Βρίσκεστε στην ουρά</h1><p>Εκτιμώμενος χρόνος αναμονής: 4 λεπτά</p>')),
  room('Hebrew', bare('<h1>אתם נמצאים בתור</h1><p>זמן ההמתנה המשוער: 4 דקות</p>')),
  room(
    'Welsh and English',
    bare(
      '<h1>Rydych chi yn y ciw | You are in the queue</h1><p>Amser aros: 4 munud | Wait time: 4 minutes</p>',
    ),
  ),
  room('Ukrainian', bare('<h1>Ви у віртуальній черзі</h1><p>Перед вами 812 осіб</p>')),
  room('Hungarian', bare('<h1>Ön a virtuális várósorban van</h1><p>Becsült várakozási idő: 4 perc</p>')),
  room(
    'Austrian',
    bare(
      '<h1>Gleich geht’s los!</h1><p>Du wurdest in die virtuelle Warteschlange eingereiht.</p><p>Vor dir: 812</p>',
    ),
  ),
  room(
    'Belgian, two languages',
    bare(
      '<p>U staat in de wachtrij. / Vous êtes dans la file d’attente.</p><p>Wachttijd: 4 min / Temps d’attente : 4 min</p>',
    ),
  ),
]);

judgeTable('the page frame of Pokémon Center, small shops and words about queues', [
  open(
    'category of the shop with three products',
    center(
      '<h1>Plush</h1><ul><li><a href="/en-gb/product/1/a">Pikachu</a> £19.99</li><li><a href="/en-gb/product/2/b">Eevee</a> £24.99</li></ul>',
    ),
  ),
  open('empty category of the shop', center('<h1>Clearance</h1><p>No items match your filters.</p>')),
  open('search without results', center('<h1>0 results for “queue”</h1><p>Try another word.</p>')),
  open(
    'sign-in with a captcha',
    center(
      '<h1>Sign In</h1><form><input type="email" name="email"><input type="password" name="password"><div class="g-recaptcha"></div><button>Sign In</button></form>',
    ),
  ),
  open(
    'help page on the queue',
    center(
      '<h1>Virtual queue</h1><p>During launches you may be placed in a queue. You will see your place in line and the estimated wait time.</p><p>Keep one tab open.</p>',
    ),
  ),
  open(
    'help page that shows the message in bold',
    center(
      '<h1>What do the messages mean?</h1><p><b>You are now in line.</b> It is not your turn yet.</p><p><b>Your estimated wait time is 12 minutes.</b> It may be more.</p>',
    ),
  ),
  open(
    'banner and basket',
    center(
      '<div role="alert">High demand: you may be placed in a waiting room at checkout.</div><h1>Your cart</h1><p>1 item £19.99</p><a href="/en-gb/checkout">Checkout</a>',
    ),
  ),
  open(
    'basket that reserves for a time',
    center(
      '<h1>Your cart</h1><p>Items are reserved for 10 minutes. Time remaining: 09:12. Do not close this page.</p><p>Pikachu £19.99</p><button>Place order</button>',
    ),
  ),
  open(
    'product with opacity overlay',
    productPage({
      end: '<div class="modal-overlay" style="opacity:0"><h2>You are in the queue</h2><p>812 people ahead of you</p></div>',
    }),
  ),
  open(
    'home page whose sections fade in',
    divFrame(
      '<div class="s" style="opacity:0"><a href="/p/1">Pin</a> £5.00</div><h1>New in</h1><p>Every week we add things that we like ourselves.</p>',
    ),
  ),
  open(
    'account page',
    shopPage(
      '<h1>Hello, Ash</h1><ul><li><a href="/account/orders">Orders</a></li><li><a href="/account/addresses">Addresses</a></li></ul>',
    ),
  ),
  open(
    'order confirmation',
    shopPage(
      '<h1>Thank you for your order</h1><p>Order 10442. We will write to you when it leaves us. Total £24.00</p>',
    ),
  ),
  open('terms', plainFrame(`<h1>Terms</h1><p>${'These terms apply to all sales. '.repeat(20)}</p>`)),
  open(
    'jobs',
    plainFrame(
      '<h1>Jobs</h1><p>We are looking for somebody to help us in the waiting room of our toy hospital.</p>',
    ),
  ),
  open(
    'event at a branch',
    themeFrame(
      '<h1>Launch night in York</h1><p>Doors open at 10. Please queue outside; the wait is about 20 minutes.</p>',
    ),
  ),
  open(
    'board game about queues',
    themeFrame(
      '<h1>In the queue</h1><p>The game for 2–6 players. You are number 3 in the queue and must not lose your place.</p><p>£24.00</p><button>Add to bag</button>',
    ),
  ),
  open(
    'whole shop in Dutch, small',
    bare(
      '<nav><a href="/">Home</a><a href="/kaarten">Kaarten</a><a href="/knuffels">Knuffels</a></nav><a href="/winkelwagen">Winkelwagen</a><h1>Nieuw</h1><p>Beer Bruno € 24,00</p>',
    ),
  ),
  open(
    'whole shop in Italian, small',
    bare(
      '<ul class="menu"><li><a href="/carte">Carte</a></li><li><a href="/peluche">Peluche</a></li><li><a href="/giochi">Giochi</a></li></ul><h1>Novità</h1><p>Orso € 24,00</p><a href="/carrello">Carrello</a>',
    ),
  ),
  open(
    'home page of 1 MB',
    homePage({ main: '<p>A line about a toy that is good to have. </p>'.repeat(22_000) }),
  ),
  open(
    'site after Cloudflare let it through',
    themeFrame(
      '<h1>Pins</h1><a href="/p/1">Pin</a> £5.00 <a href="/p/2">Pin</a> £6.00<script>window.__CF$cv$params={r:"9a",t:"MT"};a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>',
    ),
    { headers: { 'set-cookie': ['cf_clearance=x', '__cfwaitingroom=y'] } },
  ),
]);

judgeTable('walls and failures in the page frame of Pokémon Center', [
  unknown('the shop’s frame, an empty main', center('')),
  unknown(
    'the shop’s frame, skeletons',
    center('<div class="skeleton"></div><div class="skeleton"></div><span class="sr-only">Loading</span>'),
  ),
  unknown('the shop’s frame, HUMAN', center('<div id="px-captcha"></div><p>Press & hold</p>')),
  unknown(
    'the shop’s frame, Imperva’s block',
    center(
      '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&edet=12&mth=GET">Request unsuccessful. Incapsula incident ID: 1010000072372681347-1391133821271933427</iframe>',
    ),
  ),
  unknown(
    'the shop’s frame, AWS',
    center(
      '<div id="challenge-container"></div><script>AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh()</script>',
    ),
  ),
  unknown(
    'the shop’s frame, unusual activity',
    center(
      '<h1>Unusual activity</h1><p>We have detected unusual activity from your device. Complete the check to go on.</p><div class="h-captcha"></div>',
    ),
  ),
  unknown(
    'the shop’s frame, maintenance',
    center('<h1>We’ll be right back</h1><p>Our site is currently undergoing scheduled maintenance.</p>'),
  ),
  unknown('the shop’s frame, error 500', center('<h1>Sorry!</h1><p>Something went wrong on our side.</p>'), {
    status: 500,
  }),
  unknown(
    'the shop’s frame, error with 200',
    center('<h1>Error</h1><p>An unexpected error has occurred. Please try again later.</p>'),
  ),
  unknown('the shop’s frame, 403', center('<h1>Forbidden</h1>'), { status: 403 }),
  unknown(
    'cloud file store',
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
    { status: 403, headers: { 'content-type': 'application/xml' } },
  ),
  unknown(
    'Heroku',
    bare('<iframe src="//www.herokucdn.com/error-pages/application-error.html"></iframe>', {
      title: 'Application error',
    }),
    { status: 503 },
  ),
  unknown(
    'Shopify store that is closed',
    bare('<h1>Sorry, this store is currently unavailable.</h1><p>Contact the owner.</p>'),
    { status: 402 },
  ),
  unknown(
    'library Wi-Fi',
    bare(
      '<h1>Public Wi-Fi</h1><p>Accept the rules to go online.</p><a href="/accept">Accept</a><p>Day pass £2.00, week pass £5.00</p>',
    ),
  ),
  unknown(
    'for sale at a domain seller',
    bare(
      '<h1>pokemoncenter.net</h1><h2>This domain is for sale!</h2><ul><li>Buy now £1,200</li><li>Lease £50 a month</li></ul><a href="/buy">Buy now</a><a href="/lease">Lease</a>',
    ),
  ),
  unknown(
    'domain seller, Spanish',
    bare('<h1>Este dominio está en venta</h1><p>1.200 €</p><button>Comprar</button>'),
  ),
  unknown(
    'loading screen with a request to wait',
    bare('<p>Please wait while we get things ready…</p><p>Do not close this window.</p>'),
  ),
  unknown('call-back from a hotline', bare('<h1>We will call you back</h1><p>Average wait: 4 minutes.</p>')),
  unknown('print queue of an office', bare('<h1>Printer status</h1><p>Jobs in the queue: 4</p>')),
  unknown(
    'Queue-it link has expired',
    bare('<h2>Your link has expired</h2>', { bodyTag: '<body data-pageid="error">' }),
    {
      finalUrl: 'https://pokemoncenter.queue-it.net/error?c=pokemoncenter&e=x',
      hops: [hopTo('https://pokemoncenter.queue-it.net/error?c=pokemoncenter&e=x')],
    },
  ),
  unknown('empty with 429', '', { status: 429 }),
  unknown('empty with 503', '', { status: 503, headers: { 'retry-after': '20' } }),
  unknown('Scrappey saw a captcha', bare('<div class="g-recaptcha"></div>'), {
    unverified: true,
    requestUrl: SHOP_URL,
  }),
]);
