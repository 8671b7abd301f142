import { bare, hopTo, judgeTable, room, SHOP_URL } from './judging-cases';
import { divFrame, plainFrame, themeFrame } from './site-pages';

type More = Parameters<typeof room>[2];
const at = (finalUrl: string, more: More = {}): More => ({
  requestUrl: SHOP_URL,
  finalUrl,
  hops: [hopTo(finalUrl)],
  ...more,
});

judgeTable('further rooms of vendors', [
  room(
    'Imperva wrapper, one line, upper case, room number last',
    `<HTML><BODY STYLE="margin:0"><IFRAME ID="main-iframe" WIDTH="100%" SRC="/_Incapsula_Resource?CWUDNSAI=43&xinfo=3-9-0%20NNNN&incident_id=55-66&edet=47&cinfo=0b&rpinfo=0&cip=1.2.3.4&mth=GET&wrcid=15&wrid=15">Request unsuccessful. Incapsula incident ID: 55-66</IFRAME></BODY></HTML>`,
  ),
  room(
    'Imperva wrapper inside the shop’s own header and footer',
    themeFrame(
      '<iframe src="/_Incapsula_Resource?SWUDNSAI=31&edet=47&wrid=868&wrcid=868" width="100%"></iframe>',
    ),
  ),
  room(
    'Imperva wrapper, marked unverified by Scrappey',
    `<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&edet=47&wrid=12">Request unsuccessful.</iframe></body></html>`,
    { unverified: true },
  ),
  room(
    'Imperva room, jQuery polling, Japanese',
    bare(
      '<div class="wrapper"><h1>ポケモンセンターへようこそ</h1><p>しばらくお待ちください</p><div id="ttw"></div></div><script>$(function(){setInterval(function(){$.getJSON("/_Incapsula_Resource?SWWRGTS=31",show)},5e3)})</script>',
    ),
  ),
  room(
    'Imperva room with both element names and music',
    bare('<audio src="/lobby.mp3" autoplay></audio><div id="position">…</div><div id="ttw">…</div>'),
  ),
  room(
    'Queue-it, shop’s host, countdown to the start',
    bare(
      '<h2 id="lbHeaderH2">Drop 9</h2><p class="beforeElement">Starts in <span id="defaultCountdown">09:30</span></p><a id="aThisIsQueueIt" href="https://queue-it.com">QUEUE-IT</a>',
      { bodyTag: '<body class="before">' },
    ),
    at('https://drops.pokemoncenter.com/?c=pokemoncenter&e=drop9'),
  ),
  room(
    'Queue-it, shop’s host, only styles of Queue-it',
    bare('<div class="x"><p>Hello</p></div>', {
      head: '<link rel="stylesheet" href="https://assets.queue-it.net/pokemoncenter/style.css">',
    }),
    at('https://enter.pokemoncenter.com/?c=pokemoncenter&e=drop9&t=https%3A%2F%2Fwww.pokemoncenter.com'),
  ),
  room(
    'Queue-it, no hops known, asked for its address',
    bare('<div>1 moment</div>', { bodyTag: '<body data-pageid="queue">' }),
    { requestUrl: SHOP_URL, finalUrl: 'https://line.pokemoncenter.com/?c=pokemoncenter&e=x&cid=de-DE' },
  ),
  room(
    'Queue-it view model in a script',
    bare(
      '<div id="main"></div><script>window.queueViewModel = {"customerId":"pc","eventId":"drop","pageId":"queue"};QueueIt.Queue.InQueueView.start(queueViewModel)</script>',
    ),
  ),
  room(
    'Queue-it softblock in French',
    bare('<h2>Êtes-vous un humain ?</h2><img src="/captcha.png"><input name="code">', {
      bodyTag: '<body data-pageid="softblock" data-culture="fr-FR">',
    }),
    at('https://pokemoncenter.queue-it.net/softblock/?c=pokemoncenter&e=drop'),
  ),
  room(
    'Cloudflare default in Dutch',
    bare(
      '<main class="waitingrooms-text"><h1>U staat nu in de rij.</h1><h2 id="waitTime">Uw geschatte wachttijd is 12 minuten.</h2></main>',
    ),
    { status: 202, headers: { refresh: '20' } },
  ),
  room(
    'Cloudflare default in Persian by cookie and refresh',
    bare('<h1>شما اکنون در صف هستید.</h1><h2>زمان تقریبی انتظار شما ۱۲ دقیقه است.</h2>'),
    { headers: { refresh: '20', 'set-cookie': ['__cfwaitingroom=a; Path=/'] } },
  ),
  room(
    'Cloudflare default in Bulgarian',
    bare('<h1>Вие сте на опашка.</h1><h2>Очакваното време за изчакване е 12 минути.</h2>'),
    { headers: { refresh: '20', 'set-cookie': ['__cfwaitingroom=a; Path=/'] } },
  ),
  room(
    'Cloudflare custom page, queue full',
    bare('<h1>We’re at capacity</h1><p>The waiting room is full. You will be let in when a place opens.</p>'),
    { status: 429, headers: { refresh: '30', 'set-cookie': ['__cfwaitingroom=a; Path=/'] } },
  ),
  room(
    'Cloudflare JSON below another name',
    '{ "cfWaitingRoom": { "inWaitingRoom": true, "queueAll": true } }',
    { status: 429, headers: { 'content-type': 'application/json; charset=utf-8' } },
  ),
  room(
    'Akamai, Spanish',
    bare('<h1>Sala de espera virtual</h1><p>Está usted en la fila. Será redirigido automáticamente.</p>'),
    { headers: { 'set-cookie': ['akavpwr_shop=exp=1~id=2; path=/'] } },
  ),
  room(
    'AWS, table of positions in German words',
    bare(
      '<h1>Warteraum</h1><p>Ihre Position: 4182</p><p>Aktuell bedient: 2950</p><p>Voraussichtliche Wartezeit: 9 Minuten</p>',
    ),
  ),
  room(
    'AWS script',
    bare(
      '<div id="app"></div><script>const n=await get(api+"/queue_num?event_id=1");const s=await get(api+"/serving_num?event_id=1")</script>',
    ),
  ),
  room(
    'Shopify checkout queue in Italian',
    bare('<h1>Sei in coda</h1><p>Il tuo turno arriverà presto.</p>'),
    at('https://www.pokemoncenter.com/throttle/queue?_ctd=abc'),
  ),
  room(
    'Queue-Fair, page of a shop of images',
    bare('<img src="q.png">'),
    at('https://pokemoncenter.queue-fair.net/sale?target=https%3A%2F%2Fwww.pokemoncenter.com'),
  ),
  room(
    'WordPress plugin with a German text',
    bare(
      '<h1>Bitte warten</h1><p>Sie sind auf Platz 12 in der Warteschlange.</p><p>Die Seite wird automatisch aktualisiert.</p>',
    ),
    { status: 503, headers: { 'retry-after': '20' } },
  ),
  room('refresh header that leads into the queue', bare('<p>…</p>'), {
    headers: { refresh: '0; url=https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=drop' },
  }),
]);

judgeTable('further home-made rooms', [
  room(
    '“There are N people ahead of you in the queue”',
    bare('<p>There are 12,044 people ahead of you in the queue.</p><p>Please wait.</p>'),
  ),
  room(
    '“You are number N in the queue”',
    bare('<h1>You are number 812 in the queue</h1><p>Thanks for your patience.</p>'),
  ),
  room(
    'number in large digits, words apart',
    bare(
      '<div class="num">812</div><div>people ahead of you</div><div>≈ 14 min</div><div>Your wait time is 14 minutes</div>',
    ),
  ),
  room(
    'theme frame, 429',
    themeFrame(
      '<h1>It’s busy in here!</h1><p>You have been placed in a queue. Your number in line is 4411.</p>',
    ),
    { status: 429 },
  ),
  room(
    'theme frame, 503 with Retry-After',
    themeFrame('<h2>High traffic</h2><p>You are in line. Estimated wait time: 3 minutes.</p>'),
    { status: 503, headers: { 'retry-after': '30' } },
  ),
  room(
    'theme frame, 200, heading about the queue',
    themeFrame('<h1>You’re in line</h1><p>Estimated wait: 5 minutes</p>'),
  ),
  room(
    'theme frame, 200, heading only greets',
    themeFrame(
      '<h1>Hi there, Trainer!</h1><p>You’re in the virtual queue. 812 people are ahead of you. Keep this page open.</p>',
    ),
  ),
  room(
    'div soup, 200',
    divFrame(
      '<div class="_1x9">You are in the waiting room</div><div class="_2b">Your place in line: 4411</div><div class="_2c">Do not refresh this page</div>',
    ),
  ),
  room(
    'plain frame in Welsh, 200',
    plainFrame("<h1>Rydych chi yn y ciw</h1><p>Eich safle yn y ciw: 44</p><p>Peidiwch â chau'r dudalen.</p>"),
  ),
  room(
    'frame in French, 429',
    plainFrame('<h1>Vous êtes en file d’attente</h1><p>Temps d’attente estimé : 4 minutes</p>'),
    { status: 429 },
  ),
  room(
    'heading as an image',
    bare('<h1><img src="h.png" alt="You are now in the queue"></h1><p>Estimated wait time: 12 minutes</p>'),
  ),
  room(
    'input with an alternative text and an image',
    bare(
      '<input type="image" alt="Please keep this window open"><img alt="You are in line. Your position is 4411.">',
    ),
  ),
  room(
    'progress bar with a label',
    bare(
      '<div role="progressbar" aria-label="You are in the queue" aria-valuenow="40"></div><p>Estimated time remaining: 6 minutes</p>',
    ),
  ),
  room(
    'whole page fades in',
    bare(
      '<div class="fade" style="opacity:0"><h1>You are in the queue</h1><p>Your place in the queue: 44</p></div>',
    ),
  ),
  room(
    'animated from transparent',
    bare(
      '<section class="in"><h1>You are in the queue</h1><p>Your place in the queue: 44</p></section><p>Pokémon Center</p>',
      { head: '<style>.in{opacity:0;animation:show 1s forwards}@keyframes show{to{opacity:1}}</style>' },
    ),
  ),
  room(
    'pre-queue',
    bare(
      '<h1>Doors open at 10:00</h1><p>You’re in the lobby. Everybody here will be given a random place in line.</p><p>Stay on this page.</p>',
    ),
  ),
  room('paused, Polish', bare('<h1>Kolejka jest wstrzymana</h1><p>Twoje miejsce w kolejce: 88</p>')),
  room(
    'Swiss German shop',
    bare('<h1>Sie befinden sich in der virtuellen Warteschlange</h1><p>Vor Ihnen: 812 Personen</p>'),
  ),
  room(
    'Mexican Spanish',
    bare(
      '<h1>¡Ya estás formado!</h1><p>Estás en la fila virtual. Tu lugar en la fila: 4411</p><p>No recargues la página.</p>',
    ),
  ),
  room(
    'two languages one below the other',
    bare('<p>You are in line / Vous êtes en file</p><p>Estimated wait / Attente estimée : 4 min</p>'),
  ),
  room('Croatian', bare('<h1>Nalazite se u redu čekanja</h1><p>Ispred vas: 812</p>')),
  room('Catalan', bare('<h1>Ets a la cua</h1><p>Temps d’espera: 4 minuts</p>')),
  room('plain text with 503', 'You are in the queue.\nPosition in queue: 12\n', {
    status: 503,
    headers: { 'content-type': 'text/plain' },
  }),
  room(
    'own class names for two messages',
    bare('<div class="message">You are in line.</div><div class="message">Please keep this tab open.</div>'),
  ),
  room(
    'small print with the reason, heading is a question',
    bare(
      '<h1>Why am I waiting?</h1><p>Many visitors are here. You are in the queue and 812 people are ahead of you.</p>',
    ),
  ),
  room(
    'meta refresh and one sentence, 429',
    bare('<p>You are in the waiting room.</p>', { head: '<meta http-equiv="refresh" content="10">' }),
    { status: 429 },
  ),
]);
