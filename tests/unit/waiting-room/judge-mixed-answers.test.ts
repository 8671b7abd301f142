import { bare, hopTo, judgeTable, open, room, SHOP_URL, unknown } from './judging-cases';
import { divFrame, homePage, plainFrame, productPage, shopPage, themeFrame } from './site-pages';

judgeTable('rooms of every kind', [
  room(
    'Imperva, frame built by a script',
    '<html><body><script>var f=document.createElement("iframe");f.src="/_Incapsula_Resource?SWUDNSAI=31&edet=47&wrid=868&mth=GET";document.body.appendChild(f)</script></body></html>',
  ),
  room(
    'Imperva, storage key and image',
    bare('<img src="/snorlax.gif" alt="Snorlax"><script>var t=sessionStorage["868_ttw"]</script>'),
  ),
  room(
    'Imperva room as Scrappey renders it, with inlined styles',
    bare(
      '<h1>Hi, Trainer! You&#x27;re in the virtual queue to enter Pok&eacute;mon Center!</h1><p>You are currently in line and will be let in when it is your turn.</p><div style="display: flex">Estimated wait time <b id="ttw">1 hour</b></div>',
      { head: '<style>.hidden{display:none}</style>' },
    ),
  ),
  room(
    'Queue-it, before, shop’s host and only its id',
    bare('<p>10:00</p>', { bodyTag: '<body data-pageid="before">' }),
    {
      finalUrl: 'https://sale.pokemoncenter.com/?c=pokemoncenter&e=sale',
      hops: [hopTo('https://sale.pokemoncenter.com/?c=pokemoncenter&e=sale')],
    },
  ),
  room(
    'Queue-it, error of the connector that still sends to the queue',
    '<html><body>Redirecting…<script>document.location.href = decodeURIComponent("https%3A%2F%2Fpokemoncenter.queue-it.net%2F%3Fc%3Dpokemoncenter%26e%3Ddrop");</script></body></html>',
  ),
  room(
    'Queue-it in Danish',
    bare('<h2>Du er nu i kø</h2><p>Antal brugere foran dig i køen: <b>812</b></p>', { title: 'Queue-it' }),
  ),
  room(
    'Cloudflare, Japanese custom page, words and refresh only',
    bare('<h1>ただいま大変混み合っております</h1><p>順番にご案内しております。待ち時間は約12分です。</p>'),
    { headers: { refresh: '30' } },
  ),
  room('Cloudflare JSON, spaces and lines', '\n{\n "cfWaitingRoom": {\n  "inWaitingRoom": true\n }\n}\n', {
    headers: { 'content-type': 'text/plain' },
  }),
  room(
    'Akamai with 200 and only a request to wait',
    bare(
      '<h1>We are very busy</h1><p>Thank you for your patience. You will be redirected automatically.</p>',
    ),
    { headers: { 'set-cookie': 'akavpwr_uk=1' } },
  ),
  room(
    'AWS sample, other numbers',
    bare('<div>Waiting Room</div><div>My position: 12</div><div>Serving position: 3</div>'),
  ),
  room(
    'home-made in the theme, French, 200',
    themeFrame(
      '<h1>Vous êtes dans la file d’attente</h1><p>Il y a 812 personnes devant vous.</p><p>Ne fermez pas cette page.</p>',
    ),
  ),
  room(
    'home-made in the theme, Japanese, 503',
    themeFrame('<h1>ただいま順番待ちです</h1><p>あなたの順番は 812 番目です。</p>'),
    { status: 503 },
  ),
  room(
    'home-made in an article element',
    bare(
      '<div id="page"><article class="page"><h1>Waiting room</h1><p>You are in the queue. Your position in the queue: 12.</p><p>This page refreshes automatically.</p></article></div>',
    ),
  ),
  room(
    'home-made, images within a link to the shop',
    bare(
      '<a href="/"><img src="/l.png" alt="Shop"></a><picture><img src="1.png" alt="You’re in the waiting room. 812 people ahead of you"></picture>',
    ),
  ),
  room(
    'home-made, svg letters',
    bare(
      '<svg viewBox="0 0 9 9"><text x="1"><tspan>You are in</tspan> <tspan>the queue</tspan></text><text>Your place in line: 44</text></svg>',
    ),
  ),
  room(
    'home-made, read in the wrong encoding',
    bare('<h1>Youâ€™re in the virtual queue</h1><p>Youâ€™ll be let in soon. Estimated wait time: 5 min</p>'),
  ),
  room(
    'home-made, apostrophe lost',
    bare('<h1>You\ufffdre in the queue</h1><p>Don\ufffd\ufffd\ufffdt close this page</p>'),
  ),
  room(
    'home-made, entities encoded twice',
    bare('<h1>You&amp;#39;re in the queue</h1><p>Don&amp;rsquo;t close this page</p>'),
  ),
  room(
    'home-made, Welsh, held with 429',
    bare('<h1>Ystafell aros</h1><p>Rydych chi mewn ciw. Mae 44 o bobl o’ch blaen.</p>'),
    { status: 429 },
  ),
  room(
    'home-made, Scots humour',
    bare(
      '<h1>Haud yer wheesht!</h1><p>You’re in the queue, pal. 44 folk ahead of you.</p><p>Dinna refresh.</p><p>Estimated wait: 3 minutes</p>',
    ),
  ),
  room(
    'home-made, progress in percent',
    bare(
      '<h1>You’re on your way in</h1><p>You’ve been placed in the waiting room.</p><progress value="40" max="100"></progress><p>About 6 minutes of waiting left</p><p>Please stay on this page</p>',
    ),
  ),
  room(
    'home-made, e-mail offer',
    bare(
      '<h1>You are in line</h1><p>Your number in line: 812</p><form><input type="email" placeholder="Notify me"><button>Notify me when it is my turn</button></form>',
    ),
  ),
  room(
    'home-made, closes with links to help',
    bare(
      '<h1>You are now in the virtual line</h1><p>Estimated wait: more than an hour</p><a href="/help">Help</a> <a href="/privacy">Privacy</a> <a href="https://x.com/p">X</a> <a href="/leave-queue">Leave the line</a>',
    ),
  ),
]);

judgeTable('pages of the site of every kind', [
  open(
    'deep in a wizard',
    shopPage(
      '<h1>Choose a size</h1><form><select name="size"><option>M</option></select><select name="colour"><option>Red</option></select><button>Next</button></form>',
    ),
  ),
  open(
    'video of a queue',
    productPage({
      name: 'Queue (2026) DVD',
      main: '<p>“You are now in line” says the voice. 90 minutes.</p>',
    }),
  ),
  open(
    'a poster in German',
    shopPage(
      '<h1>Poster „Im Warteraum“</h1><p>14,99 €</p><button>In den Warenkorb</button><p>Sie sind in der Warteschlange – ein Bild von 1974.</p>',
    ),
  ),
  open(
    'brand page with a video',
    themeFrame(
      '<h1>Our workshop</h1><iframe src="https://www.youtube.com/embed/1"></iframe><p>See how we make our bears, from the first sketch.</p>',
    ),
  ),
  open(
    'lookbook',
    divFrame(
      '<img src="/1.jpg" alt="A bear in a red jumper"><img src="/2.jpg" alt="A bear in a blue jumper">',
    ),
  ),
  open(
    'news list',
    themeFrame(
      '<h1>News</h1><ul><li><a href="/news/1">We moved</a></li><li><a href="/news/2">The queue, explained</a></li><li><a href="/news/3">New pins</a></li></ul>',
    ),
  ),
  open(
    'news with a countdown to a sale',
    homePage({ top: '<div class="countdown">The sale begins in 02:14:09. A queue may open at 9:45.</div>' }),
  ),
  open(
    'support form with topics',
    themeFrame(
      '<h1>Write to us</h1><form><select><option>My order</option><option>I am stuck in the queue</option></select><textarea></textarea><button>Send</button></form>',
    ),
  ),
  open(
    'post office finder',
    themeFrame('<h1>Collect in store</h1><p>York: ready in 2 hours. Leeds: ready tomorrow.</p>'),
  ),
  open(
    'pre-order with a place',
    shopPage(
      '<h1>Pre-order: Booster box</h1><p>£119.95. Your place in line for delivery is kept.</p><button>Pre-order</button>',
    ),
  ),
  open(
    'rate-limited words on an ordinary page',
    themeFrame(
      '<h1>Fair shopping</h1><p>We allow two boxes per person. Too many requests from one address may be refused.</p>',
    ),
  ),
  open(
    'page about maintenance',
    themeFrame(
      '<article><h1>Caring for your bear: maintenance tips</h1><p>Brush it once a month, and never put it into the machine. We repair any bear for free.</p></article>',
    ),
  ),
  open('product called 503', productPage({ name: '503 Service Unavailable mug' })),
  open(
    'cookie banner over a full page',
    homePage({
      top: '<div id="onetrust-banner-sdk" role="dialog"><p>We use cookies</p><button>Accept all</button></div>',
    }),
  ),
  open(
    'through Queue-Fair',
    homePage({
      end: '<script src="https://files.queue-fair.net/queue-fair-adapter.js" id="queue-fair-adapter"></script><script>window.queueFair={queue:"drop"}</script>',
    }),
  ),
  open(
    'comment thread below news',
    themeFrame(
      '<article><h1>Restock</h1><p>New boxes are here since this morning, in all of our branches and online.</p></article><ol><li class="comment">You are in line. 44 people ahead of you</li><li class="comment">Keep this page open, it says</li></ol>',
    ),
  ),
  open(
    'small shop of one list',
    bare(
      '<h1>Bears by Bea</h1><ul><li><a href="/bear/1">Bruno</a> – £24</li><li><a href="/bear/2">Berta</a> – £26</li></ul><p>Write to bea@example.com to order.</p>',
    ),
  ),
  open(
    'small shop, basket in the corner',
    bare(
      '<a href="/basket">Basket (2)</a><h1>Bears</h1><a href="/bears/bruno"><img src="b.jpg" alt="Bruno"></a> £24.00',
    ),
  ),
  open(
    'small shop in Spanish',
    bare(
      '<header><a href="/tienda">Tienda</a><a href="/carrito">Carrito</a></header><h1>Osos</h1><p>Oso Bruno 24,00 €</p><button>Añadir al carrito</button>',
    ),
  ),
  open(
    'answer of 203 through a proxy',
    themeFrame('<h1>Pins</h1><a href="/p/1">Pin</a> £5.00 <a href="/p/2">Pin</a> £6.00'),
    { status: 203 },
  ),
]);

judgeTable('answers of every kind that are neither shop nor room', [
  unknown(
    'theme, HUMAN, words of a queue',
    themeFrame(
      '<h1>Hold on</h1><p>You are in line for a check. Estimated wait: 5 seconds.</p><div id="px-captcha"></div>',
    ),
  ),
  unknown(
    'theme, challenge that is a frame',
    themeFrame(
      '<iframe src="https://challenges.cloudflare.com/cdn-cgi/challenge-platform/h/b/turnstile"></iframe>',
    ),
  ),
  unknown(
    'theme, blocked',
    themeFrame(
      '<h1>Sorry, you have been blocked</h1><p>You are unable to access this shop. Ray ID: 9a1b</p>',
    ),
    { status: 200 },
  ),
  unknown(
    'div soup, DataDome',
    divFrame(
      '<script>var dd={"rt":"c","cid":"AH","hsh":"22","t":"fe","host":"geo.captcha-delivery.com"}</script><script src="https://ct.captcha-delivery.com/i.js"></script>',
    ),
  ),
  unknown('plain frame, Kasada', plainFrame('<script>window.KPSDK={};KPSDK.now=1</script>')),
  unknown('plain frame, nothing but a heading of waiting', plainFrame('<h1>Please wait…</h1>')),
  unknown(
    'plain frame, temporarily unavailable',
    plainFrame('<h1>Temporarily unavailable</h1><p>Please come back later.</p>'),
  ),
  unknown('plain frame, 404', plainFrame('<h1>Not found</h1>'), { status: 404 }),
  unknown(
    'portal: aircraft',
    bare(
      '<h1>Welcome on board</h1><p>Internet access from £4.00</p><button>Connect</button><nav><a href="/movies">Movies</a><a href="/food">Food</a><a href="/map">Map</a></nav>',
      { title: 'In-flight Wi-Fi' },
    ),
  ),
  unknown(
    'portal: coffee house with its menu',
    bare(
      '<nav><a href="/menu">Menu</a><a href="/stores">Stores</a><a href="/rewards">Rewards</a></nav><h1>Welcome to Bean & Co</h1><p>Enjoy our free Wi-Fi.</p><button>Accept & connect</button><p>Latte £3.20, tea £2.10</p>',
    ),
  ),
  unknown(
    'parked: nothing but searches',
    bare(
      '<h1>pokemoncenter.co.uk</h1><h2>Related searches</h2><a href="/1">Trading cards</a><a href="/2">Booster box</a><a href="/3">Plush</a><a href="/4">Toys</a><a href="/5">Games</a><a href="/6">Gifts</a> from £4.99, £9.99',
      { title: 'pokemoncenter.co.uk' },
    ),
  ),
  unknown(
    'portal: school',
    bare('<h1>Guest network</h1><form><input name="code"><button>Log in</button></form>'),
  ),
  unknown(
    'parked: hugedomains',
    bare(
      '<h1>PokemonCentre.com is for sale</h1><p>Pay £1,995 now or £55.42 a month</p><button>Buy now</button><nav><a href="/a">Domains</a><a href="/b">Cart</a><a href="/c">About</a><a href="/d">FAQ</a></nav>',
    ),
  ),
  unknown(
    'parked: German',
    bare(
      '<h1>Diese Domain steht zum Verkauf</h1><p>2.400 €</p><button>Jetzt kaufen</button><a href="/karten">Karten</a> <a href="/spiele">Spiele</a>',
    ),
  ),
  unknown(
    'hosting: no site here yet',
    bare('<h1>Welcome</h1><p>This site has just been created. Upload your files to replace this page.</p>'),
  ),
  unknown(
    'hosting: account suspended',
    bare('<h1>Account Suspended</h1><p>Contact your hosting provider.</p>'),
  ),
  unknown(
    '429 with a wait in the theme',
    themeFrame('<h1>Too many requests</h1><p>Estimated wait: 1 minute. Please do not refresh this page.</p>'),
    { status: 429 },
  ),
  unknown(
    '429 with a wait, bare',
    bare('<h1>Rate limit</h1><p>Wait time: 60 seconds. Do not reload the page.</p>'),
    { status: 429 },
  ),
  unknown(
    'export of data',
    bare('<h1>Preparing your report</h1><p>Estimated wait time: 2 minutes. Please keep this page open.</p>'),
  ),
  unknown(
    'shell, room in a hidden frame',
    bare(
      '<div id="app"></div><div hidden><iframe src="/_Incapsula_Resource?SWUDNSAI=1&wrid=8"></iframe></div><p>Pokémon</p>',
    ),
  ),
  unknown(
    'shell, names of Queue-it hidden',
    bare(
      '<div id="app"></div><div style="display:none"><div data-pageid="queue"></div><span id="MainPart_lbQueueNumber"></span></div><p>Pokémon</p>',
    ),
  ),
  unknown('JSON of the shop', '{"cart":{"items":[],"total":"£0.00"},"waitingRoom":null}', {
    headers: { 'content-type': 'application/json' },
  }),
  unknown('Scrappey: text of its own error', 'Error: net::ERR_TUNNEL_CONNECTION_FAILED', {
    headers: {},
    requestUrl: SHOP_URL,
  }),
  unknown('site in a frame of another', bare('<frameset><frame src="https://ads.example/x"></frameset>')),
]);
