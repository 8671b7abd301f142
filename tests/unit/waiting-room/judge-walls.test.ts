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
  shopListing,
} from './judging-cases';

const BLOCK =
  '/_Incapsula_Resource?SWUDNSAI=31&xinfo=5-0%20NNN&incident_id=10-11&edet=12&cinfo=0b&cts=wrid%3D868&mth=GET';

judgeAll('a bot wall', 'unknown', [
  [
    'is the frame of Imperva without a room',
    answerWith(
      `<body><iframe src="${BLOCK}">Request unsuccessful. Incapsula incident ID: 1010-1391133821271933427</iframe></body>`,
    ),
  ],
  [
    'is the frame of Imperva with an empty room number',
    answerWith('<body><iframe src="/_Incapsula_Resource?CWUDNSAI=43&edet=47&wrid=&wrcid="></iframe></body>'),
  ],
  [
    'is the room frame of Imperva but for its one parameter',
    answerWith(
      '<body><iframe src="/_Incapsula_Resource?CWUDNSAI=43&xinfo=1-0%20WR%28P%29&edet=47&mth=GET"></iframe></body>',
    ),
  ],
  [
    'has the room number inside another value',
    answerWith(
      '<body><iframe src="/_Incapsula_Resource?SWUDNSAI=9&edet=12&t=%26wrid%3D868"></iframe></body>',
    ),
  ],
  [
    'has the room number of another name',
    answerWith(
      '<body><iframe src="/_Incapsula_Resource?SWUDNSAI=9&edet=15&xwrid=868&wrcid=868"></iframe></body>',
    ),
  ],
  [
    'has the room in a comment beside its frame',
    answerWith(
      `<body><!-- wrid=868 <iframe src="/_Incapsula_Resource?wrid=868"></iframe> --><iframe src="${BLOCK}"></iframe></body>`,
    ),
  ],
  ['of Imperva mentions queues', answerWith(`<body>${ROOM_WORDS}<iframe src="${BLOCK}"></iframe></body>`)],
  [
    "is nothing but Imperva's sensor",
    answerWith(
      '<html><head><script src="/_Incapsula_Resource?SWJIYLWA=719"></script></head><body></body></html>',
    ),
  ],
  [
    "is Cloudflare's challenge, with words of waiting",
    answerWith(
      bare(`<h1>Please wait</h1>${ROOM_WORDS}<script>window._cf_chl_opt={cType:"managed"}</script>`, {
        title: 'Just a moment...',
      }),
      { status: 403 },
    ),
  ],
  [
    "is Cloudflare's challenge, told by its header",
    answerWith(bare(ROOM_WORDS), { status: 403, headers: { 'cf-mitigated': 'challenge' } }),
  ],
  [
    "is Cloudflare's challenge in French with a room's cookie",
    answerWith(
      bare(
        '<h1>Un instant…</h1><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1?ray=1"></script>',
      ),
      { status: 503, headers: { 'set-cookie': '__cfwaitingroom=x', refresh: '10' } },
    ),
  ],
  [
    "is Cloudflare's rate limit",
    answerWith('error code: 1015', { status: 429, headers: { 'set-cookie': '__cfwaitingroom=x' } }),
  ],
  [
    "is Cloudflare's block",
    answerWith(
      bare(
        '<div id="cf-wrapper"><div id="cf-error-details"><h1>Sorry, you have been blocked</h1></div></div>',
      ),
      { status: 403 },
    ),
  ],
  [
    'is DataDome with status 200',
    answerWith(
      bare(
        "<p>Please enable JS</p><script>var dd={'rt':'c','cid':'AH','hsh':'22','host':'geo.captcha-delivery.com'}</script>",
      ),
    ),
  ],
  [
    'is a frame of DataDome in a page that mentions a line',
    answerWith(bare(`${ROOM_WORDS}<iframe src="https://geo.captcha-delivery.com/captcha/?cid=1"></iframe>`)),
  ],
  ['is HUMAN with words of waiting', answerWith(bare(`${ROOM_WORDS}<div id="px-captcha"></div>`))],
  [
    'is Akamai with entities, status 200 and words of waiting',
    answerWith(
      bare(`<H1>Access Denied</H1>Reference&#32;&#35;18&#46;8531002&#46;1763720000&#46;1a2b${ROOM_WORDS}`, {
        title: 'Access Denied',
      }),
    ),
  ],
  [
    "is Akamai's challenge",
    answerWith(bare('<div id="sec-if-cpt-container"></div>', { title: 'Challenge Validation' })),
  ],
  [
    "is Akamai's challenge by its script",
    answerWith(bare('<iframe src="/_sec/cp_challenge/sec-3-8.htm"></iframe>'), { status: 428 }),
  ],
  [
    'is Kasada',
    answerWith(
      '<html><body><script>window.KPSDK={};KPSDK.now=1</script><script src="/149e9513/2d206a39/ips.js?x=1"></script></body></html>',
      { status: 429 },
    ),
  ],
  ['is AWS with a captcha', answerWith('', { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } })],
  [
    'is a captcha that promises to keep the place in line',
    answerWith(
      bare(
        `<h1>Verify you are human</h1><p>Complete the check to keep your place in line. Your estimated wait is 2 minutes.</p><div class="g-recaptcha"></div>`,
      ),
    ),
  ],
  [
    'has the header of the shop',
    answerWith(shopFrame('<h1>Access Denied</h1><p>Reference #18.85310.1763720000.1a2b</p>')),
  ],
  [
    'is unverified by the fetching service, with remains of a shop',
    answerWith(shopListing('<div id="px-captcha"></div>'), { unverified: true }),
  ],
]);

judgeAll('a queue service without a queue', 'unknown', [
  [
    'is over',
    answerWith(bare('<h1>The event has ended</h1>', { bodyTag: '<body data-pageid="after">' }), {
      finalUrl: QUEUE_URL,
    }),
  ],
  [
    'has refused the visitor',
    answerWith(bare('<h1>Forbidden</h1>'), {
      finalUrl: 'https://pokemoncenter.queue-it.net/error403?c=pokemoncenter&e=drop',
      hops: [hopTo(QUEUE_URL)],
    }),
  ],
  [
    'has its state in its address',
    answerWith(bare('<h1>Queue closed</h1>'), {
      finalUrl: 'https://pokemoncenter.queue-it.net/afterevent.aspx?c=pokemoncenter&e=drop',
    }),
  ],
  [
    'has made an error',
    answerWith(
      bare('<h1>Something is wrong with your number in line</h1><span id="queue-it_log"></span>', {
        bodyTag: '<body data-pageid="error">',
      }),
    ),
  ],
  ['has failed itself', answerWith(bare('<h1>502 Bad Gateway</h1>'), { status: 502, finalUrl: QUEUE_URL })],
  ['answers with nothing', answerWith('', { finalUrl: QUEUE_URL })],
  [
    'is JSON for a visitor who is not waiting',
    answerWith('{"cfWaitingRoom":{"inWaitingRoom":false,"waitTime":0}}', {
      headers: { 'content-type': 'application/json' },
    }),
  ],
  ['is only quoted inside JSON', answerWith('{"docs":"{\\"cfWaitingRoom\\":{\\"inWaitingRoom\\":true}}"}')],
  [
    'has its cookie deleted',
    answerWith(bare('<div id="app"></div>'), {
      headers: { 'set-cookie': '__cfwaitingroom=; Max-Age=0', refresh: '20' },
    }),
  ],
]);

test('an unknown verdict has its kind', () => {
  const reason = (answer: Parameters<typeof judgePage>[0]): string | null => judgePage(answer).unknownReason;
  expect(reason(answerWith('', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }))).toBe(
    'challenge',
  );
  expect(reason(answerWith(`<iframe src="${BLOCK}"></iframe>`))).toBe('blocked');
  expect(reason(answerWith('<h1>Forbidden</h1>', { status: 403 }))).toBe('blocked');
  expect(reason(answerWith('<h1>Bad gateway</h1>', { status: 502 }))).toBe('error');
  expect(reason(answerWith('', { status: 0 }))).toBe('error');
  expect(reason(answerWith(bare('<div id="root"></div>')))).toBe('unrecognised');
});
