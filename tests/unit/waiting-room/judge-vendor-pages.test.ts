import { answerWith, bare, hopTo, judgeTable, QUEUE_URL, SHOP_URL } from './judging-cases';
import { shopPage, productPage, homePage } from './site-pages';

const frame = (query: string, more = ''): string =>
  `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta name="format-detection" content="telephone=no"><meta name="viewport" content="initial-scale=1.0">${more}</head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?${query}" frameborder=0 width="100%" height="100%" marginheight="0px" marginwidth="0px">Request unsuccessful. Incapsula incident ID: 1234000760099-198734523</iframe></body></html>`;
const IMPERVA = { 'x-iinfo': '9-7717-7720 NNNY CT(1 2 0) RT(17 2) q(0 0 0 0) r(1 1) U6', 'x-cdn': 'Imperva' };

judgeTable('Imperva', [
  [
    'waiting_room',
    'wrapper with the room first in the query',
    answerWith(frame('wrid=12&wrcid=12&SWUDNSAI=31&xinfo=9-77-0&edet=47&mth=GET'), { headers: IMPERVA }),
  ],
  [
    'waiting_room',
    'wrapper with entities in the address',
    answerWith(
      frame(
        'SWUDNSAI=9&amp;xinfo=5-1&amp;incident_id=8&amp;edet=47&amp;wrid=4471&amp;wrcid=4471&amp;mth=GET',
      ),
    ),
  ],
  [
    'waiting_room',
    'wrapper with status 403',
    answerWith(frame('CWUDNSAI=43&edet=47&wrid=3&mth=GET'), { status: 403 }),
  ],
  [
    'waiting_room',
    'wrapper with an absolute address and single quotes',
    answerWith(
      `<HTML><BODY><IFRAME ID='main-iframe' SRC='https://www.pokemoncenter.com/_Incapsula_Resource?SWUDNSAI=31&edet=47&wrid=99&cip=1.2.3.4'></IFRAME></BODY></HTML>`,
    ),
  ],
  [
    'waiting_room',
    'page without words that polls the room',
    answerWith(
      bare(
        `<div class="bg"><img src="/wr/pikachu.gif"><div id="ttw"></div><div id="position"></div></div><script>var x=new XMLHttpRequest();x.open("GET","/_Incapsula_Resource?SWWRGTS=868",true);x.send();</script>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'room page in French',
    answerWith(
      bare(
        `<h1>Bonjour Dresseur !</h1><p>Temps d’attente estimé : <b id="ttw">00:09:00</b></p><script>setInterval(function(){fetch('/_Incapsula_Resource?SWWRGTS=901&r='+Math.random())},10000);localStorage.getItem('901_ttw')</script>`,
      ),
      { headers: IMPERVA },
    ),
  ],
  [
    'waiting_room',
    'room page dressed in the logo and the footer of the shop',
    answerWith(
      bare(
        `<header><a href="/"><img src="/logo.svg" alt="Pokémon Center"></a></header><main><h1>Thanks for your patience</h1><span id="position">88</span><span id="ttw">3</span></main><footer><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/help">Help</a></footer><script>var u="/_Incapsula_Resource?SWWRGTS="+ "868"; function p(){ $.get("/_Incapsula_Resource?SWWRGTS=868") }</script>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'room page with 300 KB of images inside',
    answerWith(
      bare(
        `<h1>Hi, Trainer!</h1><p>You are currently in line to enter.</p><p>Estimated wait time <span id="ttw"></span></p><img src="data:image/png;base64,${'iVBORw0KGgo'.repeat(28_000)}"><script>sessionStorage.setItem("868_ttw", 600); var q="/_Incapsula_Resource?SWWRGTS=868";</script>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'own words of the room without its script',
    answerWith(
      bare(
        `<h1>Hi, Trainer! You’re in the virtual queue to enter Pokémon Center!</h1><p>Estimated wait time: <span id="ttw">00:12:00</span></p>`,
      ),
      { headers: IMPERVA },
    ),
  ],
  [
    'unknown',
    'bot block with status 403',
    answerWith(frame('SWUDNSAI=31&xinfo=51-2-0&incident_id=12&edet=12&cinfo=0b&rpinfo=0&mth=GET'), {
      status: 403,
    }),
  ],
  [
    'unknown',
    'bot block that the service could render no further',
    answerWith(frame('SWUDNSAI=9&edet=15&mth=POST'), { unverified: true }),
  ],
  [
    'unknown',
    'error 15 page',
    answerWith(
      bare(
        `<div class="error-title">Access denied</div><div class="error-code">Error 15</div><p>This request was blocked by our security service</p><p>Your IP: 1.2.3.4 Proxy ID: 12 Incident ID: 77-88</p><span>Powered by</span><a href="//www.imperva.com/why-am-i-seeing-this-page/">Imperva</a>`,
        { title: 'Access denied' },
      ),
      { status: 403 },
    ),
  ],
  [
    'unknown',
    'Pardon Our Interruption',
    answerWith(
      bare(
        `<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. Please wait a moment before you try again.</p><ul><li>You're a power user moving through this website with super-human speed.</li></ul><script src="/xyz.js"></script>`,
        { title: 'Pardon Our Interruption' },
      ),
    ),
  ],
  [
    'open',
    'home page with the sensor, its cookies and its header',
    answerWith(
      homePage({
        end: '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=2&cb=1791" async></script>',
      }),
      { headers: { ...IMPERVA, 'set-cookie': ['visid_incap_1=a', 'incap_ses_1_1=b', 'nlbi_1=c'] } },
    ),
  ],
  [
    'open',
    'product page with a comment that quotes the wrapper',
    answerWith(
      productPage({
        end: '<!-- <iframe src="/_Incapsula_Resource?SWUDNSAI=31&edet=47&wrid=868"></iframe> -->',
      }),
    ),
  ],
  [
    'open',
    'developer article that quotes the wrapper in a code block',
    answerWith(
      shopPage(
        `<article><h1>How Imperva waiting rooms load</h1><p>The wrapper holds one frame.</p><pre><code>&lt;iframe src="/_Incapsula_Resource?SWUDNSAI=31&amp;edet=47&amp;wrid=868"&gt;</code></pre><p>The room then polls SWWRGTS=868 and stores 868_ttw.</p></article>`,
      ),
    ),
  ],
]);

const queueIt = (page: string, body: string, extra = ''): string =>
  `<!DOCTYPE html><html lang="en"><head><title>Pokémon Center</title>${extra}</head><body data-pageid="${page}" data-culture="en-GB" class="${page}"><div id="wrapper"><div id="main"><div id="content">${body}</div></div></div></body></html>`;
const OWN_QUEUE =
  'https://queue.pokemoncenter.com/?c=pokemoncenter&e=launch&t=https%3A%2F%2Fwww.pokemoncenter.com%2F&cid=en-GB';
const viaQueue = { requestUrl: SHOP_URL, finalUrl: QUEUE_URL, hops: [hopTo(QUEUE_URL)] };
const viaOwn = { requestUrl: SHOP_URL, finalUrl: OWN_QUEUE, hops: [hopTo(OWN_QUEUE)] };

judgeTable('Queue-it', [
  ['waiting_room', 'own host, page in the queue', answerWith(queueIt('queue', '<h2>Hold on</h2>'), viaOwn)],
  [
    'waiting_room',
    'own host, no page id, only its element names',
    answerWith(
      bare(
        `<p id="MainPart_pProgressbarBox_Holder"><span id="MainPart_lbQueueNumber">4411</span></p><div id="queue-it_log"></div>`,
      ),
      viaOwn,
    ),
  ],
  [
    'waiting_room',
    'own host, ordinary words only',
    answerWith(
      bare(
        `<h1>You are next in line</h1><p>Expected arrival time 10:41</p><footer>Powered by Queue-it</footer>`,
      ),
      viaOwn,
    ),
  ],
  [
    'waiting_room',
    'own host, shell that its scripts fill',
    answerWith(
      bare(`<div id="app"></div><script src="https://static.queue-it.net/script/queue.js"></script>`),
      viaOwn,
    ),
  ],
  ['waiting_room', 'idle page', answerWith(queueIt('idle', '<h2>We are preparing</h2>'), viaQueue)],
  [
    'waiting_room',
    'soft block with a captcha',
    answerWith(
      queueIt(
        'softblock',
        '<div class="g-recaptcha" data-sitekey="x"></div><p>Please confirm you are a human</p>',
      ),
      viaQueue,
    ),
  ],
  [
    'waiting_room',
    'title only',
    answerWith(
      bare('<noscript>Please enable JavaScript</noscript><div id="c"></div>', { title: 'Queue-it' }),
      { ...viaQueue, status: 200 },
    ),
  ],
  [
    'waiting_room',
    'view script inside an answer of the shop',
    answerWith(bare('<div id="root"></div><script>QueueIt.Queue.InQueueView.init({ticket:{}});</script>')),
  ],
  [
    'waiting_room',
    'redirect header beside an empty 200',
    answerWith('', { headers: { 'x-queueit-redirect': encodeURIComponent(QUEUE_URL) } }),
  ],
  [
    'waiting_room',
    'shop page of a few lines that leads to the queue by script',
    answerWith(
      bare(
        `<script>window.location.replace("https://pokemoncenter.queue-it.net/?c=pokemoncenter&e=drop&t="+encodeURIComponent(location.href))</script>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'meta refresh to the queue',
    answerWith(
      bare('', {
        head: `<meta http-equiv="refresh" content="0; url=https://pokemoncenter.queue-it.net/?c=pokemoncenter&amp;e=drop">`,
      }),
    ),
  ],
  [
    'waiting_room',
    'Spanish page in the queue',
    answerWith(
      queueIt(
        'queue',
        '<h2>Estás en la fila</h2><span id="MainPart_lbQueueNumberText">Tu número en la fila:</span> <b>77</b>',
      ),
      viaQueue,
    ),
  ],
  [
    'unknown',
    'after the event',
    answerWith(queueIt('after', '<h2>The event has ended</h2><p>Thank you for waiting in line.</p>'), {
      ...viaQueue,
      finalUrl: 'https://pokemoncenter.queue-it.net/afterevent.aspx?c=pokemoncenter&e=drop',
    }),
  ],
  [
    'unknown',
    'after the event, own host',
    answerWith(queueIt('after', '<h2>Sold out</h2>'), {
      ...viaOwn,
      finalUrl: 'https://queue.pokemoncenter.com/afterevent?c=pokemoncenter&e=drop',
    }),
  ],
  [
    'unknown',
    'error403',
    answerWith(queueIt('error', '<h2>Request blocked</h2>'), {
      ...viaQueue,
      finalUrl: 'https://pokemoncenter.queue-it.net/error403?c=pokemoncenter&e=drop',
      status: 403,
    }),
  ],
  [
    'unknown',
    'the queue host answers a bare 502',
    answerWith(
      '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
      { ...viaQueue, status: 502 },
    ),
  ],
  [
    'open',
    'through the queue and back',
    answerWith(homePage(), {
      finalUrl: `${SHOP_URL}?queueittoken=e_drop~q_1~ts_2~h_3`,
      requestUrl: SHOP_URL,
      hops: [hopTo(QUEUE_URL), hopTo(`${SHOP_URL}?queueittoken=e_drop~q_1~ts_2~h_3`, QUEUE_URL)],
    }),
  ],
  [
    'open',
    'admitted visitor with cookie, connector and scripts',
    answerWith(
      productPage({
        head: '<script src="//static.queue-it.net/script/queueclient.min.js"></script><script data-queueit-c="pokemoncenter" data-queueit-intercept="true" src="//static.queue-it.net/script/queueconfigloader.min.js"></script>',
      }),
      {
        headers: {
          'x-queueit-connector': 'cloudflare',
          'set-cookie': ['QueueITAccepted-SDFrts345E-V3_drop=EventId%3Ddrop; path=/'],
        },
      },
    ),
  ],
  [
    'open',
    'footer link to the maker of the queue',
    answerWith(homePage({ foot: '<a href="https://queue-it.com/?c=pokemoncenter">Powered by Queue-it</a>' })),
  ],
]);

const CF_COOKIE = {
  server: 'cloudflare',
  'cf-ray': '9a1-LHR',
  'set-cookie': ['__cfwaitingroom=Chh; Path=/; HttpOnly'],
};
const CF_ROOM = { ...CF_COOKIE, refresh: '20' };
const cfRoom = (title: string, wait: string, why: string, keep: string): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Waiting Room</title><style>body{font-family:sans-serif}</style></head><body><main class="waitingrooms-text"><h1>${title}</h1><h2 id="waitTime">${wait}</h2><p>${why}</p><p>${keep}</p></main></body></html>`;

judgeTable('Cloudflare', [
  [
    'waiting_room',
    'default page in German with 429',
    answerWith(
      cfRoom(
        'Sie befinden sich jetzt in der Warteschlange.',
        'Ihre geschätzte Wartezeit beträgt 5 Minuten.',
        'Wir verzeichnen derzeit ein hohes Verkehrsaufkommen.',
        'Diese Seite wird automatisch aktualisiert. Bitte schließen Sie Ihren Browser nicht.',
      ),
      { status: 429, headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Japanese with 202',
    answerWith(
      cfRoom(
        '現在、順番をお待ちいただいています。',
        '推定待ち時間は 12 分です。',
        '現在アクセスが集中しています。',
        'このページは自動的に更新されます。ブラウザを閉じないでください。',
      ),
      { status: 202, headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Chinese, class lost by a renderer',
    answerWith(
      bare(
        '<h1>您正在排队中。</h1><h2>您的预计等待时间为 12 分钟。</h2><p>此页面将自动刷新，请勿关闭浏览器。</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Korean',
    answerWith(
      bare(
        '<h1>현재 대기열에 있습니다.</h1><h2>예상 대기 시간은 12분입니다.</h2><p>이 페이지는 자동으로 새로 고쳐집니다. 브라우저를 닫지 마세요.</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Portuguese',
    answerWith(
      bare(
        '<h1>Agora você está na fila.</h1><h2>Seu tempo de espera estimado é de 12 minutos.</h2><p>Esta página será atualizada automaticamente, não feche o navegador.</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Turkish',
    answerWith(
      bare(
        '<h1>Şu anda sıradasınız.</h1><h2>Tahmini bekleme süreniz 12 dakika.</h2><p>Bu sayfa otomatik olarak yenilenecek, lütfen tarayıcınızı kapatmayın.</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'default page in Russian',
    answerWith(
      bare(
        '<h1>Вы находитесь в очереди.</h1><h2>Примерное время ожидания: 12 минут.</h2><p>Эта страница обновится автоматически, не закрывайте браузер.</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'custom page with cookie and refresh, before an event',
    answerWith(
      bare(
        '<img src="/drop.png" alt="Drop"><h1>The drop starts at 10:00</h1><p>You will be placed in the queue automatically.</p>',
      ),
      { headers: CF_ROOM },
    ),
  ],
  [
    'waiting_room',
    'JSON',
    answerWith(
      '{"cfWaitingRoom":{"inWaitingRoom":true,"waitTimeKnown":false,"waitTime":0,"queueIsFull":true}}',
      { headers: { ...CF_ROOM, 'content-type': 'application/json' } },
    ),
  ],
  [
    'waiting_room',
    'JSON as a browser shows it',
    answerWith(
      '<html><head></head><body><pre style="word-wrap: break-word; white-space: pre-wrap;">{"cfWaitingRoom":{"inWaitingRoom": true,"waitTime":5}}</pre></body></html>',
    ),
  ],
  [
    'unknown',
    'JSON with inWaitingRoom false',
    answerWith('{"cfWaitingRoom":{"inWaitingRoom":false}}', {
      headers: { ...CF_COOKIE, 'content-type': 'application/json' },
    }),
  ],
  [
    'unknown',
    'challenge in German',
    answerWith(
      bare(
        '<div class="main-wrapper"><h1>www.pokemoncenter.com</h1><h2>Einen Moment…</h2><p>Bestätigen Sie, dass Sie ein Mensch sind. Dies kann einige Sekunden dauern.</p></div><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1"></script>',
        { title: 'Nur einen Moment…' },
      ),
      { status: 403, headers: { server: 'cloudflare' } },
    ),
  ],
  [
    'unknown',
    'challenge without its header',
    answerWith(
      bare(
        '<h2>Checking if the site connection is secure</h2><div id="cf-please-wait">Please stand by, while we are checking your browser...</div><script>window._cf_chl_opt={cvId:"2"}</script>',
        { title: 'Just a moment...' },
      ),
      { status: 503 },
    ),
  ],
  [
    'unknown',
    'error 1015',
    answerWith(
      bare(
        '<div id="cf-wrapper"><h1>Error 1015</h1><h2>You are being rate limited</h2><p>The owner of this website has banned you temporarily from accessing this website. Please wait and try again.</p></div>',
        { title: 'Access denied | www.pokemoncenter.com used Cloudflare to restrict access' },
      ),
      { status: 429, headers: { server: 'cloudflare', 'retry-after': '60' } },
    ),
  ],
  [
    'unknown',
    'error 521',
    answerWith(
      bare(
        '<div id="cf-error-details"><h1>Web server is down</h1><span>Error code 521</span><p>What can I do? If you are a visitor, please try again in a few minutes.</p></div>',
      ),
      { status: 521 },
    ),
  ],
  [
    'open',
    'home page with the jsd script and the room cookie',
    answerWith(
      homePage({
        end: '<script>(function(){var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/h/g/scripts/jsd/abc/main.js"})()</script>',
      }),
      { headers: CF_COOKIE },
    ),
  ],
  [
    'open',
    'sign-in with Turnstile',
    answerWith(
      shopPage(
        '<h1>Sign in</h1><form action="/login" method="post"><label>Email <input type="email" name="e"></label><label>Password <input type="password" name="p"></label><div class="cf-turnstile" data-sitekey="0x4"></div><button>Sign in</button></form><a href="/register">Create an account</a>',
        { head: '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>' },
      ),
    ),
  ],
]);

judgeTable('other vendors', [
  [
    'waiting_room',
    'Akamai waiting cookie with its text',
    answerWith(
      bare('<h1>You are in the waiting room</h1><p>We will let you in shortly. Please do not refresh.</p>'),
      { headers: { 'set-cookie': ['akavpwr_pc_uk=abc; path=/'] } },
    ),
  ],
  [
    'waiting_room',
    'Akamai waiting cookie with 503',
    answerWith(
      bare(
        '<h1>High traffic</h1><p>You are in line and will be redirected automatically. Estimated wait: 4 minutes.</p>',
      ),
      { status: 503, headers: { server: 'AkamaiGHost', 'set-cookie': ['akavpwr_pc_uk=abc'] } },
    ),
  ],
  [
    'open',
    'Akamai waiting cookie left over on the shop',
    answerWith(homePage(), {
      headers: {
        'set-cookie': [
          'akavpwr_pc_uk=deleted; expires=Thu, 01 Jan 1970 00:00:00 GMT',
          'akavpau_pc_uk=1~id=2',
        ],
      },
    }),
  ],
  [
    'unknown',
    'Akamai interstitial',
    answerWith(
      bare(
        '<div id="sec-if-cpt-container"><p>Powered and protected by</p></div><script src="/_sec/cp_challenge/ak-challenge-4-3.htm"></script>',
      ),
      { status: 428 },
    ),
  ],
  [
    'unknown',
    'Akamai denial in plain letters',
    answerWith(
      '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http://www.pokemoncenter.com/en-gb" on this server.<P>Reference #18.4dc2</BODY></HTML>',
      { status: 403 },
    ),
  ],
  [
    'unknown',
    'DataDome as JSON',
    answerWith('{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=AH&hash=2211F5&t=fe"}', {
      status: 403,
      headers: { 'content-type': 'application/json', 'x-datadome': 'protected' },
    }),
  ],
  [
    'unknown',
    'DataDome with a queue of words',
    answerWith(
      bare(
        `<p>Please enable JS</p><script>var dd={'rt':'i','cid':'A','host':'geo.captcha-delivery.com'}</script><p>You are in a queue, please wait</p>`,
      ),
      { status: 403 },
    ),
  ],
  [
    'open',
    'DataDome tag on the shop',
    answerWith(homePage({ head: '<script src="https://js.datadome.co/tags.js" async></script>' })),
  ],
  [
    'unknown',
    'HUMAN denial',
    answerWith(
      bare(
        '<h1>Access to this page has been denied</h1><p>because we believe you are using automation tools to browse the website.</p><div id="px-captcha"></div><p>Reference ID: #1-2</p>',
      ),
      { status: 403 },
    ),
  ],
  [
    'open',
    'HUMAN sensor on the shop',
    answerWith(
      productPage({ end: '<script>window._pxAppId="PX12";</script><script src="/PX12/init.js"></script>' }),
    ),
  ],
  [
    'unknown',
    'Kasada',
    answerWith(
      '<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=Date.now</script><script src="/149e9513/2d206a39/ips.js?tkrm=x"></script></body></html>',
      { status: 429 },
    ),
  ],
  [
    'waiting_room',
    'AWS room in other dress',
    answerWith(
      bare(
        '<h2>Your place in line: 8,211</h2><h3>Now serving position: 5,120</h3><p>3,091 visitors ahead of you</p>',
      ),
    ),
  ],
  [
    'unknown',
    'AWS WAF captcha',
    answerWith(
      bare(
        '<h1>Let\'s confirm you are human</h1><p>Complete the security check before continuing.</p><script>window.gokuProps={"key":"A"};</script><script src="https://x.token.awswaf.com/x/challenge.js"></script>',
        { title: 'Human Verification' },
      ),
      { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } },
    ),
  ],
  [
    'unknown',
    'CloudFront refusal',
    answerWith(
      '<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1><H2>The request could not be satisfied.</H2>Request blocked. There might be too much traffic or a configuration error.</BODY></HTML>',
      { status: 403 },
    ),
  ],
  [
    'waiting_room',
    'Shopify throttle',
    answerWith(
      bare('<div class="content"><h2>You are in line</h2><p>We’ll send you to checkout shortly</p></div>'),
      {
        finalUrl: 'https://shop.example/throttle/queue?_ctd=x',
        hops: [hopTo('https://shop.example/throttle/queue?_ctd=x')],
      },
    ),
  ],
  [
    'waiting_room',
    'Shopify throttle as a shell',
    answerWith(bare('<div id="app"></div><script src="/cdn/throttle.js"></script>'), {
      finalUrl: 'https://shop.example/throttle/queue',
    }),
  ],
  [
    'unknown',
    'Shopify password page',
    answerWith(
      bare(
        '<h1>Opening soon</h1><p>Be the first to know when we launch.</p><form action="/password"><input type="password" name="password"><button>Enter</button></form>',
        { title: 'Opening soon' },
      ),
      { finalUrl: 'https://shop.example/password' },
    ),
  ],
  [
    'waiting_room',
    'Queue-Fair host',
    answerWith(bare('<div id="qf">Your place: 11</div>'), {
      finalUrl: 'https://pokemon.queue-fair.net/drop?target=x',
      hops: [hopTo('https://pokemon.queue-fair.net/drop?target=x')],
    }),
  ],
  [
    'open',
    'Queue-Fair adapter on the shop',
    answerWith(
      homePage({
        head: '<script data-queue-fair-client-name="pokemon" src="https://files.queue-fair.net/queue-fair-adapter.js"></script>',
      }),
    ),
  ],
  [
    'waiting_room',
    'Alibaba JSON',
    answerWith('{"inWaitingRoom":true,"waitTime":10,"refreshIntervalSeconds":20}', {
      headers: { 'content-type': 'application/json', 'set-cookie': ['__aliwaitingroom_1=x'] },
    }),
  ],
  [
    'unknown',
    'Alibaba JSON without a queue',
    answerWith('{"inWaitingRoom":false}', {
      headers: { 'content-type': 'application/json', 'set-cookie': ['__aliwaitingroom_1=x'] },
    }),
  ],
  [
    'waiting_room',
    'WordPress plugin',
    answerWith(
      bare(
        '<h1>You are in the waiting room</h1><p>There are 42 people ahead of you.</p><p>This page refreshes automatically.</p>',
      ),
      { status: 503, headers: { 'retry-after': '30' } },
    ),
  ],
  [
    'waiting_room',
    'CrowdHandler',
    answerWith(
      bare(
        '<h1>You are in the waiting room</h1><p>Your position: <b>1,231</b></p><p>Estimated wait: about 8 minutes</p>',
      ),
      {
        finalUrl: 'https://wait.crowdhandler.com/drop?url=x',
        hops: [hopTo('https://wait.crowdhandler.com/drop?url=x')],
      },
    ),
  ],
]);
