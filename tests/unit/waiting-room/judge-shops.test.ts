import {
  answerWith,
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

judgeAll('queue words and queue scripts in a shop', 'open', [
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
