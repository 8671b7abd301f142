import {
  answerWith,
  bare,
  hopTo,
  judgeAll,
  QUEUE_URL,
  ROOM_WORDS,
  shopFrame,
  shopListing,
} from './judging-cases';

const CF_COOKIE = { 'set-cookie': ['__cfwaitingroom=Chh; Path=/'] };

judgeAll('a room with unusual markup', 'waiting_room', [
  [
    'counts down to a sale',
    answerWith(
      bare(
        '<h1>The sale has not yet begun</h1><p>When it begins you will automatically be assigned a random place in line.</p><div>30:05</div>',
      ),
    ),
  ],
  [
    'has half of its words in its title',
    answerWith(
      bare('<p>Estimated wait time: <span id="eta"></span></p>', {
        title: 'You are now in line | Pokémon Center',
      }),
    ),
  ],
  [
    'has elements for place and wait, and other words',
    answerWith(bare('<p>Gotta wait a bit!</p><span id="ttw"></span><span id="position"></span>')),
  ],
  [
    'keeps its storage keys and shows an image',
    answerWith(bare('<img src="/psyduck.gif"><script>show(localStorage.getItem("1204_ttw"))</script>')),
  ],
  [
    "is Akamai's and only asks for patience",
    answerWith(
      bare('<h1>We are experiencing high demand</h1><p>Please wait, you will be redirected shortly.</p>'),
      { headers: { 'set-cookie': ['akavpwr_drop=1'] } },
    ),
  ],
  [
    "is Akamai's in Japanese",
    answerWith(bare('<p>アクセスが集中しています。しばらくお待ちください。</p>'), {
      headers: { 'set-cookie': ['akavpwr_drop=1'] },
    }),
  ],
  [
    'stands on its own host',
    answerWith(bare('<p>Thank you for your patience.</p>'), {
      finalUrl: 'https://waitingroom.pokemoncenter.com/uk',
      hops: [hopTo('https://waitingroom.pokemoncenter.com/uk')],
    }),
  ],
  [
    'is held with 503 and reloads itself',
    answerWith(
      bare('<h1>Waiting Room</h1><p>The shop is full.</p>', {
        head: '<meta http-equiv="refresh" content="30">',
      }),
      { status: 503, headers: { 'retry-after': '30' } },
    ),
  ],
  [
    "is Alibaba's page in Chinese",
    answerWith(bare('<p>您前面还有 1204 人</p>'), {
      status: 202,
      headers: { 'set-cookie': ['__aliwaitingroom_1=x'] },
    }),
  ],
  [
    'names three links besides its words',
    answerWith(
      bare(
        `<nav><a href="/news">News</a><a href="/stores">Stores</a><a href="/about">About</a></nav>${ROOM_WORDS}`,
      ),
    ),
  ],
  [
    'stands beside a hidden shop',
    answerWith(
      bare(
        `<div hidden><nav><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a></nav><span>£4.99</span><button>Add to cart</button></div>${ROOM_WORDS}`,
      ),
    ),
  ],
  [
    'is a queue page in the dress of the whole shop',
    answerWith(shopListing(ROOM_WORDS), { finalUrl: QUEUE_URL, hops: [hopTo(QUEUE_URL)] }),
  ],
  [
    'is detected by the header, whatever the page shows',
    answerWith(shopListing(), { headers: { 'x-queueit-redirect': QUEUE_URL } }),
  ],
  [
    'puts its sentence across line breaks',
    answerWith(bare('<p>You are<br>now in<br>line</p><p>Your position:<br>812</p>')),
  ],
  [
    'has invisible characters in its words',
    answerWith(bare('<p>You\u00a0are in li\u00adne.</p><p>Estimated\u200b wait time: 5 minutes</p>')),
  ],
  [
    'is plain text',
    answerWith('You are in line.\nPeople ahead of you: 12\nEstimated wait: 3 minutes', {
      headers: { 'content-type': 'text/plain' },
    }),
  ],
]);

judgeAll('a room that a style or a frame could hide from the judge', 'waiting_room', [
  [
    'shows one of its views by two classes',
    answerWith(
      bare(`<div class="view active">${ROOM_WORDS}</div><div class="view">Bye</div>`, {
        head: '<style>.view{display:none}.view.active{display:block}</style>',
      }),
    ),
  ],
  [
    'has the header and footer of the shop and the elements of a room',
    answerWith(
      shopFrame(
        '<form role="search"><input name="q"></form><p>ピカチュウ</p><span id="ttw"></span><span id="position"></span>',
      ),
    ),
  ],
  [
    'has the header and footer of the shop around its own iframe',
    answerWith(
      shopFrame(
        '<form role="search"><input name="q"></form><iframe src="/_Incapsula_Resource?edet=47&wrid=868"></iframe>',
      ),
    ),
  ],
  [
    'has the header and footer of the shop, a poll and words',
    answerWith(
      shopFrame(
        `<form role="search"><input name="q"></form>${ROOM_WORDS}<script>poll("/_Incapsula_Resource?SWWRGTS=868")</script>`,
      ),
    ),
  ],
]);

judgeAll('a page that only resembles a room', 'unknown', [
  [
    'is maintenance behind a dormant room',
    answerWith(
      bare('<h1>We’ll be right back</h1><p>Scheduled maintenance. Please wait.</p>', {
        head: '<meta http-equiv="refresh" content="60">',
      }),
      { status: 503, headers: { ...CF_COOKIE, 'retry-after': '600' } },
    ),
  ],
  [
    'is a loading screen with the cookie of an admitted visitor',
    answerWith(bare('<div id="root">Please wait…</div>'), { headers: CF_COOKIE }),
  ],
  [
    'is an error behind a dormant room',
    answerWith(bare('<h1>502 Bad Gateway</h1>'), { status: 502, headers: { ...CF_COOKIE, refresh: '20' } }),
  ],
  [
    'is a refusal that mentions a line',
    answerWith(
      bare('<h1>Access denied</h1><p>You are in line for review. Your estimated wait time is 2 hours.</p>'),
    ),
  ],
  [
    'is a check of the browser',
    answerWith(
      bare('<h1>Checking your browser</h1><p>Estimated wait time: 5 seconds. Do not close this page.</p>'),
    ),
  ],
  [
    'holds a tracking frame with parameters c and e',
    answerWith(bare('<iframe src="https://ads.example.com/?c=1&e=2&cid=3"></iframe>')),
  ],
  [
    'links to a queue',
    answerWith(bare(`<a href="${QUEUE_URL}">Queue</a><a href="/_Incapsula_Resource?wrid=868">x</a>`)),
  ],
  [
    'mentions the machinery in a comment of its script',
    answerWith(
      bare(
        '<div id="root"></div><script>\n// poll("/_Incapsula_Resource?SWWRGTS=868")\n/* new QueueIt.Queue.InQueueView() */ start()</script>',
      ),
    ),
  ],
  [
    'carries the machinery as data',
    answerWith(
      bare(
        '<div id="root"></div><script type="application/json">{"u":"/_Incapsula_Resource?SWWRGTS=868"}</script><script type="text/template"><iframe src="/_Incapsula_Resource?wrid=868"></iframe></script>',
      ),
    ),
  ],
  [
    'has the frame of a room in noscript',
    answerWith(
      bare(
        '<div id="root"></div><noscript><iframe src="/_Incapsula_Resource?edet=47&wrid=868"></iframe></noscript>',
      ),
    ),
  ],
  [
    'has passed the queue to a shell',
    answerWith(bare('<div id="root"></div>'), {
      hops: [hopTo(QUEUE_URL), hopTo('https://www.pokemoncenter.com/en-gb', QUEUE_URL)],
    }),
  ],
  [
    'is a choice of country',
    answerWith(
      bare(
        '<h1>Choose your country</h1><a href="/en-gb">UK</a><a href="/de-de">DE</a><a href="/fr-fr">FR</a><a href="/it-it">IT</a><a href="/es-es">ES</a><a href="/nl-nl">NL</a><a href="/en-us">US</a>',
      ),
    ),
  ],
  [
    'opens soon',
    answerWith(
      bare(
        '<h1>Opening soon</h1><p>Be the first to know when we launch.</p><form><input type="email"><button>Notify me</button></form>',
      ),
    ),
  ],
]);

judgeAll('a shop that resembles a room', 'open', [
  [
    'has a help article in the same words',
    answerWith(
      bare(
        '<header><a href="/hc/en-us">Pokémon Center Support</a><form role="search"><input name="query"></form><a href="/signin">Sign in</a></header><article><h1>Virtual queue</h1><p>You are in the virtual queue when you see this page. Your estimated wait time is shown below, together with the number of people ahead of you.</p></article>',
      ),
    ),
  ],
  [
    'has a banner with “in line for a prize”',
    answerWith(shopListing('<p>You are in line for a free pin! Number of people ahead of you: 3</p>')),
  ],
  [
    'has a store finder with waiting times',
    answerWith(
      shopFrame('<h1>Stores</h1><p>Current wait time: 12 minutes. You are number 3 in line at the till.</p>'),
    ),
  ],
  [
    'shows a frame of a video',
    answerWith(shopListing('<iframe src="https://www.youtube.com/embed/x?c=1&e=2"></iframe>')),
  ],
  [
    'reloads itself now and then',
    answerWith(shopListing('', { head: '<meta http-equiv="refresh" content="300">' }), {
      headers: CF_COOKIE,
    }),
  ],
  [
    'has a basket with elements called position and ttw',
    answerWith(shopListing('<span id="ttw"></span><span id="position"></span>')),
  ],
  ['has its own page id', answerWith(shopListing('', {}).replace('<body>', '<body data-pageid="after">'))],
  [
    'is reached through its own redirect',
    answerWith(shopListing(), {
      finalUrl: 'https://www.pokemoncenter.com/en-gb/category/queue',
      hops: [hopTo('/en-gb/category/queue')],
    }),
  ],
  [
    'is a checkout',
    answerWith(
      shopFrame(
        '<h1>Checkout</h1><p>Order total £49.99</p><button>Buy now</button><p>Please wait while we process your payment. Do not refresh this page.</p>',
      ),
    ),
  ],
]);
