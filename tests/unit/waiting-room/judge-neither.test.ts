import { answerWith, bare, judgeAll, QUEUE_URL, shopFrame, shopListing } from './judging-cases';

judgeAll('a page that is neither shop nor room', 'unknown', [
  [
    'is maintenance with a request to wait',
    answerWith(
      bare(
        '<h1>Scheduled maintenance</h1><p>Please wait. Estimated wait time: 30 minutes. Do not close this page.</p>',
      ),
    ),
  ],
  [
    'is maintenance in German',
    answerWith(
      bare(
        '<h1>Wartungsarbeiten</h1><p>Voraussichtliche Wartezeit: 20 Minuten. Bitte Seite nicht schließen.</p>',
      ),
      { status: 503, headers: { 'retry-after': '600' } },
    ),
  ],
  [
    'is maintenance in Japanese',
    answerWith(
      bare(
        '<h1>メンテナンス中です</h1><p>しばらくお待ちください。ページは自動的に更新されます。待ち時間：約30分</p>',
      ),
    ),
  ],
  [
    'is maintenance within the header of the shop',
    answerWith(
      shopFrame(
        '<h1>We’ll be back soon!</h1><p>Our store is closed for maintenance. Thank you for your patience.</p>',
        { title: 'Maintenance' },
      ).replace(/<header>.*<\/header>/, ''),
    ),
  ],
  [
    'announces a queue that may come',
    answerWith(
      bare(
        '<h1>Sale on Friday</h1><p>You may be placed in a virtual queue. If you are in line, keep this page open. When you are placed in the queue, your estimated wait time is shown.</p>',
      ),
    ),
  ],
  [
    'quotes a room',
    answerWith(bare('<blockquote>You are now in line. Your estimated wait time is 12 minutes.</blockquote>')),
  ],
  [
    'has only one kind of waiting words',
    answerWith(
      bare('<h1>Please wait</h1><p>Do not close or refresh this page while we process your payment.</p>'),
    ),
  ],
  [
    'is a shell with an empty root',
    answerWith(
      bare(
        '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script>',
        {
          title: 'Pokémon Center',
          head: '<meta name="description" content="The official shop for cards and plush">',
        },
      ),
    ),
  ],
  [
    'is a shell with the texts of a queue in its data',
    answerWith(
      bare(
        '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"queue":"You are now in line","wait":"Your estimated wait time is 5 minutes","products":[{"price":"£4.99"}]}</script>',
      ),
    ),
  ],
  [
    'is a shell with the address of a queue',
    answerWith(
      bare(
        `<div id="root"></div><script>window.CONFIG={"queue":"${QUEUE_URL}","api":"/api"};boot(window.CONFIG)</script>`,
      ),
    ),
  ],
  [
    'is only a question about cookies',
    answerWith(
      bare(
        '<div role="dialog"><h2>We value your privacy</h2><p>We use cookies.</p><button>Accept all</button><a href="/privacy">Privacy</a><a href="/cookies">Cookies</a></div>',
      ),
    ),
  ],
  [
    'is a parked domain',
    answerWith(
      bare(
        '<h1>This domain is for sale</h1><a href="/a">Cards</a><a href="/b">Shoes</a><a href="/c">Bags</a><a href="/d">Hats</a><a href="/e">Toys</a><a href="/f">Cars</a>',
        { title: 'pokemoncentre.example' },
      ),
    ),
  ],
  [
    'is a directory',
    answerWith(
      bare(
        '<h1>Index of /</h1><a href="/a.txt">a</a><a href="/b.txt">b</a><a href="/c.txt">c</a><a href="/d.txt">d</a><a href="/e.txt">e</a><a href="/f.txt">f</a>',
        { title: 'Index of /' },
      ),
    ),
  ],
  [
    'is the first page of a web server',
    answerWith(
      bare(
        '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed.</p>',
        { title: 'Welcome to nginx!' },
      ),
    ),
  ],
  [
    'is the sign-in of a network',
    answerWith(
      shopFrame(
        '<h1>Welcome to Hotel WiFi</h1><p>Accept the terms of use to go online with your device.</p>',
      ),
      { finalUrl: 'http://login.hotel-wifi.example/start' },
    ),
  ],
  [
    'is a page that was not found, in the frame of the shop',
    answerWith(shopListing('', { title: 'Page not found' }), { status: 404 }),
  ],
  ['is refused in the frame of the shop', answerWith(shopListing(), { status: 403 })],
  [
    'is a rate limit of the shop',
    answerWith(bare('<h1>Too many requests</h1><p>Please wait a minute.</p>'), {
      status: 429,
      headers: { 'retry-after': '60' },
    }),
  ],
  [
    'is a feed',
    answerWith(
      '<?xml version="1.0"?><rss><channel><title>You are now in line</title><item><description>Your estimated wait time is 12 minutes</description></item></channel></rss>',
      { headers: { 'content-type': 'application/rss+xml' } },
    ),
  ],
  ['is an API of the shop', answerWith('{"products":[{"name":"Box","price":"£4.99"}],"nav":["a","b"]}')],
  ['is an image', answerWith('\u0000\u0001PNG\ufffd\ufffd', { headers: { 'content-type': 'image/png' } })],
  ['is nothing but white space', answerWith('  \n ')],
  ['is text that cannot be decoded', answerWith('', { decodable: false })],
  ['is missing', answerWith('', { status: 0 })],
  ['is a short greeting', answerWith('OK', { headers: { 'content-type': 'text/plain' } })],
]);
