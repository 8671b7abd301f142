import { expect, test } from 'vitest';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import {
  answerWith,
  bare,
  hopTo,
  judgeAll,
  QUEUE_URL,
  ROOM_WORDS,
  shopFrame,
  SHOP_URL,
} from './judging-cases';

const WRAPPER =
  '/_Incapsula_Resource?CWUDNSAI=43&xinfo=12-2018-0%20WR%28P%20-1%29&incident_id=10-11&edet=47&wrid=1204&wrcid=1204&mth=GET';
const BLOCK_WORDS = 'Request unsuccessful. Incapsula incident ID: 1010000099912345678-111122223333444455';

judgeAll('a room of Imperva', 'waiting_room', [
  [
    'is detected by wrid in the address of the frame',
    answerWith(`<html><body><iframe id="main-iframe" src="${WRAPPER}">${BLOCK_WORDS}</iframe></body></html>`),
  ],
  [
    'has its frame written in capitals and without quotation marks',
    answerWith(
      `<HTML><BODY><IFRAME ID=main-iframe SRC=/_Incapsula_Resource?CWUDNSAI=43&edet=47&wrid=77&wrcid=77 FRAMEBORDER=0></IFRAME></BODY></HTML>`,
    ),
  ],
  [
    'has the ampersands of its frame written as entities',
    answerWith(`<body><iframe src="${WRAPPER.replaceAll('&', '&amp;')}"></iframe></body>`),
  ],
  [
    'has the ampersands of its frame written as numbers',
    answerWith(`<body><iframe src='${WRAPPER.replaceAll('&', '&#38;')}'></iframe></body>`),
  ],
  [
    'has the name and number of the room percent-encoded',
    answerWith(
      '<body><iframe src="/_Incapsula_Resource?CWUDNSAI=43&edet=47&wrid%3D868&wrcid%3D868"></iframe></body>',
    ),
  ],
  [
    'has its whole query percent-encoded',
    answerWith(
      '<body><iframe src="/_Incapsula_Resource%3FCWUDNSAI%3D43%26edet%3D47%26wrid%3D868"></iframe></body>',
    ),
  ],
  [
    'has its frame under the full address of the shop',
    answerWith(`<body><iframe src="https://www.pokemoncenter.com${WRAPPER}"></iframe></body>`),
  ],
  [
    'has a frameset in place of an iframe',
    answerWith(`<html><frameset rows="100%"><frame src="${WRAPPER}"></frameset></html>`),
  ],
  ['is served with 503', answerWith(`<body><iframe src="${WRAPPER}"></iframe></body>`, { status: 503 })],
  [
    'is unverified by the fetching service',
    answerWith(`<body><iframe src="${WRAPPER}"></iframe></body>`, { unverified: true }),
  ],
  [
    'polls its number and has no text',
    answerWith(
      bare('<div class="spinner"></div>', {
        head: '<script>setInterval(function(){fetch("/_Incapsula_Resource?SWWRGTS=31").then(r=>r.json()).then(show)},1000)</script>',
      }),
    ),
  ],
  [
    'polls in Japanese dress',
    answerWith(
      bare('<h1>ただいまアクセスが集中しています</h1><p id="ttw"></p>', {
        head: '<script>var u="\\/_Incapsula_Resource?SWWRGTS=868";poll(u)</script>',
      }),
    ),
  ],
  [
    'keeps its polling address in a data attribute',
    answerWith(bare('<div id="app" data-poll="/_Incapsula_Resource?SWWRGTS=99"></div>')),
  ],
  [
    'loads its polling script from outside',
    answerWith(
      bare('<img src="/pikachu.png">', {
        head: '<script src="/_Incapsula_Resource?SWWRGTS=868&x=1"></script>',
      }),
    ),
  ],
  [
    'puts the number together in its script',
    answerWith(
      bare('<p id="position"></p><p id="ttw"></p>', {
        head: '<script>var id=868;fetch("/_Incapsula_Resource?SWWRGTS="+id);localStorage.getItem(id+"_ttw")</script>',
      }),
    ),
  ],
  [
    'is hundreds of kilobytes large',
    answerWith(
      bare(`<div class="wrapper"><h1>Hi, Trainer!</h1></div>${'<i class="pika"></i>'.repeat(30_000)}`, {
        head: '<script>x.open("GET","/_Incapsula_Resource?SWWRGTS=868",true)</script>',
      }),
    ),
  ],
  [
    'has the header of the shop',
    answerWith(
      shopFrame(
        '<h1>Hi, Trainer!</h1><p>You’re in the virtual queue to enter Pokémon Center!</p><p>Estimated wait time: <span id="ttw">00:10:00</span></p><span id="position" hidden></span>',
        { head: '<script>x.open("GET","/_Incapsula_Resource?SWWRGTS=868",true)</script>' },
      ),
    ),
  ],
  [
    'writes its frame by a script',
    answerWith(bare('', { head: `<script>document.write('<iframe src="${WRAPPER}"></iframe>')</script>` })),
  ],
]);

const HELD_PAGE = (id: string): string => bare('<p>…</p>', { bodyTag: `<body data-pageid="${id}">` });

judgeAll('a room of Queue-it, Queue-Fair or Shopify', 'waiting_room', [
  [
    'is the page that a redirect to the queue ended on',
    answerWith(bare('<div class="loader"></div><p>Einen Moment</p>'), {
      finalUrl: QUEUE_URL,
      hops: [hopTo(QUEUE_URL)],
    }),
  ],
  ['is a queue host with no hops known', answerWith(bare('<p>キュー</p>'), { finalUrl: QUEUE_URL })],
  [
    'is a queue under a host of the shop',
    answerWith(bare('<h1>Bitte warten</h1>'), {
      finalUrl:
        'https://queue.pokemoncenter.com/?c=pokemoncenter&e=drop&t=https%3A%2F%2Fwww.pokemoncenter.com%2F',
      hops: [hopTo('https://queue.pokemoncenter.com/?c=pokemoncenter&e=drop')],
    }),
  ],
  ['is a lobby before the sale', answerWith(HELD_PAGE('before'))],
  ['is an idle queue', answerWith(HELD_PAGE('idle'))],
  [
    'is the check before the queue',
    answerWith(bare('<div class="g-recaptcha"></div>', { bodyTag: '<body data-pageid="softblock">' })),
  ],
  ['writes the id of its page in capitals', answerWith(HELD_PAGE('Queue'))],
  [
    'is served with 503 at the address of the queue',
    answerWith(HELD_PAGE('queue'), { status: 503, finalUrl: QUEUE_URL }),
  ],
  [
    'shows its view in a script alone',
    answerWith(
      bare('', { head: '<script>window.v=new QueueIt.Queue.InQueueView({customerId:"x"});</script>' }),
    ),
  ],
  [
    'shows its elements in Danish',
    answerWith(bare('<h2>Du er nu i køen</h2><span id="MainPart_lbQueueNumber">77</span>')),
  ],
  ['has nothing but the title of the service', answerWith(bare('<div id="c"></div>', { title: 'Queue-it' }))],
  [
    'is detected by a header, with an empty page',
    answerWith('', { headers: { 'x-queueit-redirect': encodeURIComponent(QUEUE_URL) } }),
  ],
  [
    'is loaded by a script',
    answerWith(bare('', { head: `<script>window.location.href='${QUEUE_URL}';</script>` })),
  ],
  [
    'is loaded by a script with escaped slashes',
    answerWith(
      bare('', { head: `<script>location.replace("${QUEUE_URL.replaceAll('/', '\\/')}")</script>` }),
    ),
  ],
  [
    'is loaded by a script that decodes the address',
    answerWith(
      bare('', {
        head: `<script>document.location.href = decodeURIComponent('${encodeURIComponent(QUEUE_URL)}');</script>`,
      }),
    ),
  ],
  [
    'is loaded by a script by way of a variable',
    answerWith(
      bare('', {
        head: `<script>var target="${QUEUE_URL}";setTimeout(function(){window.location.assign(target)},10)</script>`,
      }),
    ),
  ],
  [
    'is loaded by a meta element',
    answerWith(
      bare('', {
        head: `<meta http-equiv="Refresh" content="0; URL='${QUEUE_URL.replaceAll('&', '&amp;')}'">`,
      }),
    ),
  ],
  ['is loaded by a refresh header', answerWith('<p>…</p>', { headers: { refresh: `0; url=${QUEUE_URL}` } })],
  ['is loaded in a frame', answerWith(bare(`<iframe src="${QUEUE_URL}"></iframe>`))],
  [
    'is where an unfollowed redirect leads',
    answerWith('', { status: 302, headers: { location: QUEUE_URL } }),
  ],
  [
    'is a page of Queue-Fair',
    answerWith(bare('<h1>Thanks for waiting</h1>'), {
      finalUrl: 'https://shop.queue-fair.net/drop?target=https%3A%2F%2Fwww.pokemoncenter.com',
      hops: [hopTo('https://shop.queue-fair.net/drop')],
    }),
  ],
  [
    'is a frame of Queue-Fair',
    answerWith(bare('<iframe src="https://pokemon.queue-fair.net/drop"></iframe>')),
  ],
  [
    "is Shopify's checkout queue",
    answerWith(bare('<h2>File d’attente</h2>'), {
      finalUrl: 'https://www.pokemoncenter.com/throttle/queue?_ctd=abc',
      hops: [hopTo('/throttle/queue?_ctd=abc')],
    }),
  ],
  [
    "is where a meta element leads to Shopify's queue",
    answerWith(bare('', { head: '<meta http-equiv="refresh" content="5;url=/throttle/queue">' })),
  ],
]);

test('words alone are a weak sign, queue scripts are a strong one', () => {
  expect(judgePage(answerWith(bare(ROOM_WORDS))).strength).toBe('weak');
  expect(judgePage(answerWith(bare(`<iframe src="${WRAPPER}"></iframe>`))).strength).toBe('strong');
});

test('evidence is short and never shows the value of a cookie', () => {
  const { signs } = judgePage(
    answerWith(bare(ROOM_WORDS.repeat(30)), {
      headers: { 'set-cookie': ['__cfwaitingroom=SECRETVALUE; Path=/'] },
    }),
  );
  expect(signs.length).toBeGreaterThan(2);
  expect(signs.every(({ evidence }) => evidence.length <= 160)).toBe(true);
  expect(JSON.stringify(signs)).not.toContain('SECRETVALUE');
});

test('a page requested with another query is still the same shop', () => {
  expect(judgePage(answerWith(bare(ROOM_WORDS), { finalUrl: `${SHOP_URL}?x=1` })).verdict).toBe(
    'waiting_room',
  );
});
