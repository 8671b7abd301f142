import { expect, test } from 'vitest';
import { judgePage } from './judge-page';
import {
  answerWith,
  bare,
  hopTo,
  judgeAll,
  QUEUE_URL,
  ROOM_WORDS,
  shopFrame,
  shopListing,
  SHOP_URL,
  type ShopDress,
} from './judging-cases';

const DRESSES: ReadonlyArray<readonly [language: string, dress: ShopDress]> = [
  [
    'German',
    {
      nav: [
        ['/de/karten', 'Sammelkarten'],
        ['/de/plueschtiere', 'Plüsch'],
        ['/de/kleidung', 'Kleidung'],
      ],
      cart: ['/de/warenkorb', 'Warenkorb'],
      buy: 'In den Warenkorb',
      price: '14,99 €',
    },
  ],
  [
    'French',
    {
      nav: [
        ['/fr/cartes', 'Cartes'],
        ['/fr/peluches', 'Peluches'],
        ['/fr/vetements', 'Vêtements'],
      ],
      cart: ['/fr/panier', 'Panier'],
      buy: 'Ajouter au panier',
      price: '1 204,99 €',
    },
  ],
  [
    'Spanish',
    {
      nav: [
        ['/es/cartas', 'Cartas'],
        ['/es/peluches', 'Peluches'],
        ['/es/ropa', 'Ropa'],
      ],
      cart: ['/es/carrito', 'Carrito'],
      buy: 'Añadir al carrito',
      price: '€14,99',
    },
  ],
  [
    'Italian',
    {
      nav: [
        ['/it/carte', 'Carte'],
        ['/it/peluche', 'Peluche'],
        ['/it/moda', 'Moda'],
      ],
      cart: ['/it/carrello', 'Carrello'],
      buy: 'Aggiungi al carrello',
      price: '€ 14,99',
    },
  ],
  [
    'Dutch',
    {
      nav: [
        ['/nl/kaarten', 'Kaarten'],
        ['/nl/knuffels', 'Knuffels'],
        ['/nl/kleding', 'Kleding'],
      ],
      cart: ['/nl/winkelwagen', 'Winkelwagen'],
      buy: 'In winkelwagen',
      price: '€ 14,99',
    },
  ],
  [
    'Polish',
    {
      nav: [
        ['/karty', 'Karty'],
        ['/pluszaki', 'Pluszaki'],
        ['/odziez', 'Odzież'],
      ],
      cart: ['/koszyk', 'Koszyk'],
      buy: 'Dodaj do koszyka',
      price: '49,99 zł',
    },
  ],
  [
    'Portuguese',
    {
      nav: [
        ['/cartas', 'Cartas'],
        ['/pelucias', 'Pelúcias'],
        ['/roupas', 'Roupas'],
      ],
      cart: ['/carrinho', 'Carrinho'],
      buy: 'Adicionar ao carrinho',
      price: 'R$ 149,90',
    },
  ],
  [
    'Japanese',
    {
      nav: [
        ['/cards', 'カードゲーム'],
        ['/plush', 'ぬいぐるみ'],
        ['/wear', 'ウェア'],
      ],
      cart: ['/cart', 'カート'],
      buy: 'カートに入れる',
      price: '1,980円',
    },
  ],
  [
    'Korean',
    {
      nav: [
        ['/c/1', '카드'],
        ['/c/2', '인형'],
        ['/c/3', '의류'],
      ],
      cart: ['/basket', '장바구니'],
      buy: '장바구니 담기',
      price: '₩19,800',
    },
  ],
  [
    'Swedish',
    {
      nav: [
        ['/kort', 'Kort'],
        ['/gosedjur', 'Gosedjur'],
        ['/klader', 'Kläder'],
      ],
      cart: ['/varukorg', 'Varukorg'],
      buy: 'Lägg i varukorgen',
      price: '149 kr',
    },
  ],
];

judgeAll(
  'a shop at work',
  'open',
  DRESSES.map(([language, dress]) => [`speaks ${language}`, answerWith(shopListing('', { dress }))] as const),
);

const NEXT_BUNDLE = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ i18n: { queue: "You're now in line", wait: 'Your estimated wait time is {n} minutes', keep: 'Do not refresh this page', ids: ['MainPart_lbQueueNumber'] } })}</script>`;
const CONFIG_BUNDLE = `<script>window.__CFG__={"queue":{"host":"pokemoncenter.queue-it.net","url":"${QUEUE_URL}"},"poll":"/_Incapsula_Resource?SWWRGTS=868","view":"QueueIt.Queue.InQueueView"};if(window.__CFG__.on){location.href="${QUEUE_URL}"}</script>`;

judgeAll('queue words and queue machinery in a shop', 'open', [
  ['stand in a hidden modal', answerWith(shopListing(`<div class="modal" hidden>${ROOM_WORDS}</div>`))],
  [
    'stand in a modal hidden by its style',
    answerWith(shopListing(`<div style="Display: None">${ROOM_WORDS}</div>`)),
  ],
  [
    "stand in a modal hidden by the page's style sheet",
    answerWith(
      shopFrame(
        `<h1>Help</h1><p>Everything about your orders and how to send them back to us.</p><div id="queue-modal">${ROOM_WORDS}</div>`,
        { head: '<style>@media print{.x{display:none}} #queue-modal,.y{display:none}</style>' },
      ),
    ),
  ],
  ['stand in a closed dialog', answerWith(shopListing(`<dialog>${ROOM_WORDS}</dialog>`))],
  [
    'stand in a template and in noscript',
    answerWith(shopListing(`<template>${ROOM_WORDS}</template><noscript>${ROOM_WORDS}</noscript>`)),
  ],
  [
    'stand in a comment, with the frame',
    answerWith(
      shopListing(`<!-- <iframe src="/_Incapsula_Resource?edet=47&wrid=868"></iframe> ${ROOM_WORDS} -->`),
    ),
  ],
  [
    'stand in structured data',
    answerWith(
      shopListing(
        '<script type="application/ld+json">{"@type":"FAQPage","text":"You are now in line. Your estimated wait time is 12 minutes."}</script>',
      ),
    ),
  ],
  ['stand in a bundle of texts', answerWith(shopListing(NEXT_BUNDLE))],
  ['stand in a configuration with the machinery', answerWith(shopListing(CONFIG_BUNDLE))],
  [
    'stand in a login page with the configuration of the queue',
    answerWith(
      shopFrame(
        `<form role="search"><input name="q"></form><h1>Sign in</h1><form><input type="email"><input type="password"><button>Sign in</button></form>${CONFIG_BUNDLE}`,
        { title: 'Sign in' },
      ),
    ),
  ],
  [
    'stand in hidden elements of the queue',
    answerWith(
      shopListing(
        '<div aria-hidden="true"><span id="MainPart_lbQueueNumber"></span><span id="ttw"></span><span id="position"></span></div>',
      ),
    ),
  ],
  [
    'stand in reviews',
    answerWith(
      shopListing(
        '<div class="review"><p>You are in line for ages, the estimated wait was 2 hours!</p></div>',
      ),
    ),
  ],
  [
    'stand in a banner for a busy day',
    answerWith(
      shopListing(
        '<div role="alert">Due to high demand you may be placed in a virtual queue. Estimated wait times are shown there; keep the page open.</div>',
      ),
    ),
  ],
  ['stand visibly in a notice, word for word', answerWith(shopListing(`<aside>${ROOM_WORDS}</aside>`))],
  [
    'stand in an article',
    answerWith(
      shopFrame(
        `<article><h1>How the queue works</h1><p>You are in line when you see your number. ${'The virtual queue lets people in one after the other. '.repeat(10)}</p>${ROOM_WORDS}</article>`,
      ),
    ),
  ],
  [
    'stand in an article that prints the frame',
    answerWith(
      shopFrame(
        '<article><h1>Imperva, explained</h1><pre>&lt;iframe src="/_Incapsula_Resource?edet=47&amp;wrid=868"&gt;</pre><p>wrid=868 is the number of the room, SWWRGTS=868 is what it polls, and this is how you tell it from a wall.</p></article>',
      ),
    ),
  ],
  [
    'stand in questions and answers',
    answerWith(
      shopFrame(
        '<h1>FAQ</h1><details><summary>Am I in line?</summary><p>You are now in line. Your estimated wait time is shown.</p></details><h2>What if I refresh?</h2><p>Do not refresh the page: you would lose your place in line.</p>',
      ),
    ),
  ],
  [
    'stand in the name of a film',
    answerWith(
      shopListing('<h2>The Waiting Room – Blu-ray</h2><p>Number of people ahead of you: a novel</p>', {
        title: 'The Waiting Room',
      }),
    ),
  ],
  [
    'stand in an address',
    answerWith(shopListing('<address>Queue House, 12 Waiting Room Lane, London</address>')),
  ],
  [
    'stand in the names of scripts',
    answerWith(
      shopListing(
        '<script src="https://static.queue-it.net/script/queueclient.min.js"></script><script data-queueit-c="pokemon" src="https://static.queue-it.net/script/queueconfigloader.min.js"></script>',
      ),
    ),
  ],
  [
    "stand in Queue-Fair's tag",
    answerWith(
      shopListing(
        '<script data-queue-fair-client="x" src="https://files.queue-fair.net/queue-fair-adapter.js"></script>',
      ),
    ),
  ],
  [
    'stand in the cookie of an admitted visitor',
    answerWith(shopListing(), {
      headers: {
        'set-cookie': [
          'akavpau_sale=1; path=/',
          'QueueITAccepted-SDFrts345E-V3_drop=x; path=/',
          '__cfwaitingroom=y; path=/',
        ],
        'x-queueit-connector': 'akamai',
      },
    }),
  ],
  [
    'stand in a hop through the queue that came back',
    answerWith(shopListing(), {
      finalUrl: `${SHOP_URL}?queueittoken=e_drop~q_1~rt_safetynet`,
      hops: [hopTo(QUEUE_URL), hopTo(`${SHOP_URL}?queueittoken=1`, QUEUE_URL)],
    }),
  ],
  [
    "stand beside Cloudflare's sensor",
    answerWith(shopListing("<script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>")),
  ],
]);

judgeAll('an ordinary page that looks like something else', 'open', [
  [
    'is a product called Access Denied',
    answerWith(shopListing('<h2>Access Denied</h2>', { title: 'Access Denied' })),
  ],
  ['is a product called Just a moment...', answerWith(shopListing('', { title: 'Just a moment...' }))],
  ['is a product called 404 Not Found', answerWith(shopListing('', { title: '404 Not Found – T-Shirt' }))],
  [
    'is a product called Please Wait',
    answerWith(shopListing('<h2>Please Wait To Be Seated – Sign</h2>', { title: 'Please Wait' })),
  ],
  [
    'is a login with a captcha',
    answerWith(
      shopFrame(
        '<h1>Sign in</h1><form><input type="password"><div class="h-captcha"></div></form><a href="/account/register">Register now</a>',
      ),
    ),
  ],
  [
    "carries DataDome's and HUMAN's tags",
    answerWith(
      shopListing(
        '<script src="https://js.datadome.co/tags.js"></script><script>window._pxAppId="PX1"</script>',
      ),
    ),
  ],
  [
    "sends Imperva's sensor and cookies",
    answerWith(shopListing('<script src="/_Incapsula_Resource?SWJIYLWA=719&ns=1"></script>'), {
      headers: { 'x-iinfo': '14-5', 'set-cookie': ['visid_incap_1=x', 'incap_ses_1=y'] },
    }),
  ],
  ['is doubted by the fetching service', answerWith(shopListing(), { doubted: true })],
  ['comes with 203', answerWith(shopListing(), { status: 203 })],
  [
    'announces maintenance for tonight',
    answerWith(shopListing('<div>Scheduled maintenance tonight from 2 am.</div>')),
  ],
  [
    'is an empty basket',
    answerWith(shopFrame('<h1>Your basket is empty</h1><a href="/en-gb/category/tcg">Continue shopping</a>')),
  ],
  [
    'is a list of search results',
    answerWith(
      shopFrame(
        '<form role="search"><input type="search" name="q"></form><h1>3 results for “queue”</h1><a href="/product/1">Queue Line Rope</a>',
      ),
    ),
  ],
  [
    'is a press room',
    answerWith(
      shopFrame(
        '<h1>Press room</h1><article><h2>Sale opens</h2><p>The queue will open at ten, and visitors wait in a virtual line until it is their turn to come in and have a look around the shop.</p></article>',
      ),
    ),
  ],
  [
    'is sold out',
    answerWith(shopFrame('<h1>Elite Trainer Box</h1><p>£49.99</p><button disabled>Sold out</button>')),
  ],
  [
    'has a menu made of a list, without a nav element',
    answerWith(
      bare(
        '<div id="main-menu"><ul><li><a href="/a">Karten</a></li><li><a href="/b">Figuren</a></li><li><a href="/c">Spiele</a></li></ul></div><h1>Neuheiten</h1><a href="/p/1">Box</a> 12,99 € <a href="/p/2">Tin</a> 9,99 €',
      ),
    ),
  ],
  [
    'is of Shopify',
    answerWith(
      bare(
        '<header class="site-header"><a href="/collections/all">Catalog</a><a href="/collections/new">New</a><a href="/pages/about-us">About</a><a href="/cart">Cart</a></header><main><h1>Booster Box</h1><span class="money">$119.99 USD</span><form action="/cart/add"><button name="add">Add to cart</button></form></main>',
      ),
    ),
  ],
  [
    'has links with the whole address of a sister site',
    answerWith(shopListing().replaceAll('href="/', 'href="https://shop.pokemoncenter.com/')),
  ],
  [
    'ended on the same shop under another ending',
    answerWith(shopListing(), { finalUrl: 'https://www.pokemoncenter.co.uk/' }),
  ],
  [
    'hides its body until its fonts have come',
    answerWith(shopListing().replace('<body>', '<body style="opacity:0">')),
  ],
  ['has query parameters c and e', answerWith(shopListing(), { finalUrl: `${SHOP_URL}/search?c=cards&e=1` })],
]);

test('a page of 600 KB is judged in tens of milliseconds', () => {
  const tile =
    '<li class="tile"><a href="/en-gb/product/10/thing"><img src="/p.jpg" alt="Thing"><span>Thing in line with your estimated taste</span></a><span class="price">£4.99</span><button>Add to Cart</button></li>';
  const answer = answerWith(shopListing(`<ul>${tile.repeat(Math.ceil(600_000 / tile.length))}</ul>`));
  judgePage(answer);
  const startedAt = performance.now();
  expect(judgePage(answer).verdict).toBe('open');
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test('hostile pages take no hold of the judge', () => {
  const hostile = [
    '<div>'.repeat(100_000),
    `<script>${'location='.repeat(50_000)}</script>`,
    `<p>${'you are in '.repeat(50_000)}</p>`,
    `<p>${'9'.repeat(300_000)}</p>`,
    `<p>${'wait '.repeat(80_000)}</p>`,
    `<style>${'a{'.repeat(100_000)}</style>`,
    `<iframe src="/_Incapsula_Resource?${'a=1&'.repeat(50_000)}">`,
    `<script>"/_Incapsula_Resource?${'&'.repeat(200_000)}"</script>`,
    `<a href="${'%'.repeat(200_000)}">x</a>`,
    `<script>${'/* '.repeat(100_000)} queue</script>`,
    `<!--${'-'.repeat(200_000)}`,
    `<p>${'vor ihnen '.repeat(60_000)}</p>`,
    `<p>${' '.repeat(300_000)}.</p>`,
  ];
  for (const body of hostile) {
    const startedAt = performance.now();
    expect(judgePage(answerWith(bare(body))).verdict).toBe('unknown');
    expect(performance.now() - startedAt, body.slice(0, 40)).toBeLessThan(3000);
  }
});
