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
  SHOP_URL,
} from './judging-cases';

const WRAPPER =
  '/_Incapsula_Resource?CWUDNSAI=43&xinfo=12-2018-0%20WR%28P%20-1%29&incident_id=10-11&edet=47&wrid=1204&wrcid=1204&mth=GET';
const BLOCK_WORDS = 'Request unsuccessful. Incapsula incident ID: 1010000099912345678-111122223333444455';

judgeAll('a room of Imperva', 'waiting_room', [
  [
    'is told by wrid in the address of the frame',
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
    'is doubted by the fetching service',
    answerWith(`<body><iframe src="${WRAPPER}"></iframe></body>`, { doubted: true }),
  ],
  [
    'polls its number and says nothing at all',
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
    'wears the header of the shop',
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
    'is told by a header, with an empty page',
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

const CF = { 'set-cookie': ['__cfwaitingroom=Chh; Path=/; HttpOnly'], server: 'cloudflare' };

judgeAll('a room at the edge of the network', 'waiting_room', [
  [
    "is Cloudflare's own page in German",
    answerWith(
      bare(
        '<main class="waitingrooms-text"><h1>Sie befinden sich jetzt in der Warteschlange.</h1><h2>Ihre geschätzte Wartezeit beträgt 4 Minuten.</h2></main>',
      ),
      { status: 202, headers: CF },
    ),
  ],
  [
    "is a shop's page on Cloudflare in French, with 429",
    answerWith(bare('<h1>Vous êtes dans la file d’attente</h1><p>Merci de ne pas actualiser la page.</p>'), {
      status: 429,
      headers: { ...CF, refresh: '20' },
    }),
  ],
  [
    'is a picture on Cloudflare that reloads itself',
    answerWith(bare('<img src="/wait.gif">'), { headers: { ...CF, refresh: '20' } }),
  ],
  [
    'is a page on Cloudflare in the header of the shop',
    answerWith(shopFrame('<h1>Ya casi es tu turno</h1><p>Tu posición en la fila: 90</p>'), {
      headers: { ...CF, refresh: '20' },
    }),
  ],
  [
    'is a JSON answer under another type',
    answerWith('{"cfWaitingRoom":{"inWaitingRoom":true,"waitTime":10}}', {
      headers: { 'content-type': 'text/plain' },
    }),
  ],
  [
    'is a JSON answer as a browser shows it',
    answerWith(
      '<html><head><meta name="color-scheme" content="light dark"></head><body><pre style="word-wrap: break-word">{"cfWaitingRoom":{"inWaitingRoom":true}}</pre></body></html>',
    ),
  ],
  [
    "is Alibaba's JSON answer",
    answerWith('{"aliwaitingroom":{"inWaitingRoom":true,"waitTime":3}}', {
      status: 202,
      headers: { 'content-type': 'application/json', 'set-cookie': '__aliwaitingroom_x=1; Path=/' },
    }),
  ],
  [
    'is a JSON answer with the flag at its top',
    answerWith('{"inWaitingRoom":true,"waitTimeFormatted":"3 分钟"}', {
      headers: { 'set-cookie': ['__aliwaitingroom_drop=1'] },
    }),
  ],
  [
    "is Akamai's, told by its cookie and one sentence",
    answerWith(bare('<h1>You are in line to shop</h1>'), {
      headers: { 'set-cookie': 'akavpwr_sale=1763~id=2; path=/' },
    }),
  ],
  [
    "is Akamai's in Polish",
    answerWith(bare('<p>Jesteś w kolejce do sklepu.</p>'), {
      headers: { 'set-cookie': ['akavpwr_uk=1; path=/'] },
    }),
  ],
  [
    'is the sample page of AWS',
    answerWith(
      bare('<div>Waiting Room</div><div>Serving position: <b>12</b></div><div>My position: <b>99</b></div>'),
    ),
  ],
  [
    'asks the API of AWS for its place',
    answerWith(
      bare('<div id="root"></div>', {
        head: '<script>fetch(api+"/queue_num?event_id=1");fetch(api+"/serving_num?event_id=1")</script>',
      }),
    ),
  ],
  ['is a template of DataDome', answerWith(bare('<p><span data-priorityprotect-var="position"></span></p>'))],
  [
    'is GIL Waiting Room with 503 and Retry-After',
    answerWith(
      bare('<h1>Waiting Room</h1><p>You are number 7 in line.</p><p>Estimated wait: 2 minutes</p>'),
      { status: 503, headers: { 'retry-after': '30' } },
    ),
  ],
]);

const WORDS: ReadonlyArray<readonly [language: string, body: string]> = [
  ['English', ROOM_WORDS],
  ['English with a curly apostrophe', '<h1>You’re in the queue!</h1><p>Don’t refresh this page.</p>'],
  [
    'English in split tags',
    '<h1>Y<b>ou</b> are <i>n</i>ow in <span>li</span>ne</h1><p>Your <em>place</em> in line<!-- x -->: <b>12</b></p>',
  ],
  [
    'English in capitals and entities',
    '<H1>YOU&#39;RE&nbsp;IN&nbsp;LINE</H1><P>ESTIMATED WAIT TIME&colon; 00:12:00</P>',
  ],
  ['English for a paused queue', '<h1>The queue is paused</h1><p>Your number in line: 812</p>'],
  [
    'English for a lobby',
    '<h1>You are in the lobby</h1><p>Keep this window open, the sale begins in 10:00.</p>',
  ],
  ['German', '<h1>Du bist in der Warteschlange</h1><p>Voraussichtliche Wartezeit: 8 Minuten</p>'],
  [
    'German, politely',
    '<p>Sie befinden sich in einem virtuellen Warteraum.</p><p>Bitte schließen Sie dieses Fenster nicht.</p>',
  ],
  ['French', '<h1>Vous êtes dans la file d&apos;attente virtuelle</h1><p>Temps d’attente estimé : 5 min</p>'],
  [
    'French about the people ahead',
    '<p>Il y a 1 204 personnes devant vous.</p><p>Ne fermez pas cette page.</p>',
  ],
  [
    'Spanish',
    '<h1>Estás en la fila virtual</h1><p>Tiempo estimado de espera: 14 minutos</p><p>No actualices la página.</p>',
  ],
  ['Italian', '<h1>Sei in coda</h1><p>Ci sono 300 persone davanti a te.</p>'],
  ['Dutch', '<h1>Je staat in de wachtrij</h1><p>Geschatte wachttijd: 3 minuten</p>'],
  ['Portuguese', '<h1>Você está na fila</h1><p>Seu lugar na fila: 55</p><p>Não feche esta janela.</p>'],
  ['Polish', '<h1>Jesteś w kolejce</h1><p>Szacowany czas oczekiwania: 10 minut</p>'],
  [
    'Japanese',
    '<h1>順番にご案内しております</h1><p>お客様の順番：１２３番目</p><p>予想待ち時間：約１０分</p>',
  ],
  [
    'Japanese, a waiting room',
    '<p>現在、待合室でお待ちいただいています。</p><p>このページを閉じないでください。</p>',
  ],
  ['Chinese', '<p>您正在排队</p><p>预计等待时间：5 分钟</p>'],
  ['Korean', '<p>현재 대기열에서 대기 중입니다.</p><p>예상 대기 시간: 3분</p>'],
  ['Swedish', '<h1>Du är nu i kön</h1><p>Beräknad väntetid: 9 minuter</p>'],
  ['Danish', '<h1>Du er nu i køen</h1><p>Forventet ventetid: 9 minutter</p>'],
  ['Czech', '<h1>Jste ve frontě</h1><p>Odhadovaná doba čekání: 6 minut</p>'],
  ['Turkish', '<h1>Şu anda sıradasınız</h1><p>Tahmini bekleme süreniz: 5 dakika</p>'],
  ['Russian', '<h1>Вы находитесь в очереди</h1><p>Примерное время ожидания: 5 минут</p>'],
  ['Arabic', '<h1>أنت الآن في قائمة الانتظار</h1><p>وقت الانتظار المقدر: 5 دقائق</p>'],
  [
    'English below a brand header with one link',
    `<header><a href="/"><img src="/logo.svg" alt="Pokémon Center"></a><a href="/help">Help</a></header>${ROOM_WORDS}`,
  ],
  [
    'English above a footer of side matter',
    `${ROOM_WORDS}<footer><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/contact">Contact</a><a href="/imprint">Imprint</a></footer>`,
  ],
];

judgeAll(
  'a room known by its words',
  'waiting_room',
  WORDS.map(([language, body]) => [`speaks ${language}`, answerWith(bare(body))] as const),
);

test('words alone are a weak sign, machinery is a strong one', () => {
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

test('a page asked for with another query is still the same shop', () => {
  expect(judgePage(answerWith(bare(ROOM_WORDS), { finalUrl: `${SHOP_URL}?x=1` })).verdict).toBe(
    'waiting_room',
  );
});
