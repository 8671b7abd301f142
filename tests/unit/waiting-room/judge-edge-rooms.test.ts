import { answerWith, bare, judgeAll, shopFrame } from './judging-cases';

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
    'is an image on Cloudflare that reloads itself',
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
    'requests its position from the API of AWS',
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
