import { answerWith, bare, judgeAll, ROOM_WORDS, shopFrame, shopListing } from './judging-cases';

const CONSENT = '<div role="dialog"><h2>Cookies</h2><p>We use them.</p><button>Accept</button></div>';
const NAV = '<a href="/c/1">Cards</a><a href="/c/2">Plush</a><a href="/c/3">Games</a>';
const FOOTER = '<footer><a href="/delivery">Delivery</a><a href="/privacy">Privacy</a></footer>';

judgeAll('a room that looks like a shop', 'waiting_room', [
  ['has the header and footer of the shop and a heading about the queue', answerWith(shopFrame(ROOM_WORDS))],
  [
    'has the header and footer of the shop, and only a cookie as a sign',
    answerWith(shopFrame(ROOM_WORDS), { headers: { 'set-cookie': ['__cfwaitingroom=1; Path=/'] } }),
  ],
  [
    'shows products below its own elements and words',
    answerWith(
      shopListing(
        `${ROOM_WORDS}<span id="ttw"></span><span id="position"></span><script>poll("/_Incapsula_Resource?SWWRGTS=868")</script>`,
      ),
    ),
  ],
  ['shows the price of a product', answerWith(bare(`${ROOM_WORDS}<p>Trainer Box, £49.99</p>`))],
  [
    'is behind a dialog that marks everything else aria-hidden',
    answerWith(bare(`<div id="root" aria-hidden="true">${ROOM_WORDS}</div>${CONSENT}`)),
  ],
  [
    'is in a shadow root of the document',
    answerWith(bare(`<wait-room><template shadowrootmode="open">${ROOM_WORDS}</template></wait-room>`)),
  ],
  [
    'has a captcha script in the background',
    answerWith(bare(`${ROOM_WORDS}<script src="https://www.google.com/recaptcha/api.js?render=1"></script>`)),
  ],
  [
    'shows the clock of Imperva and one kind of words',
    answerWith(bare('<h1>Hi! You’re in the virtual queue.</h1><span id="ttw">00:10:00</span>')),
  ],
  [
    'builds its polling address from parts',
    answerWith(bare('<script>var b="/_Incapsula_Resource?",q="SWWRGTS="+n;get(b+q)</script>')),
  ],
  [
    'builds the address of its frame from parts',
    answerWith(bare('<script>f.src="/_Incapsula_Resource?CWUDNSAI=4&edet=47&wrid="+868</script>')),
  ],
  [
    'has the page id of Queue-it on its own element',
    answerWith(bare('<div data-pageid="queue"><p>…</p></div>')),
  ],
  [
    'is where a form submits itself to',
    answerWith(
      bare(
        '<form id="f" action="https://shop.queue-it.net/?c=shop&e=drop"></form><script>f.submit()</script>',
      ),
    ),
  ],
  [
    'is where a JSON answer sends the browser',
    answerWith('{"redirectUrl":"https://shop.queue-it.net/?c=shop&e=drop"}'),
  ],
  [
    'reloads itself by a refresh header and has one kind of words',
    answerWith(bare('<h1>You are now in line.</h1>'), { headers: { refresh: '20' } }),
  ],
  [
    'is held with 503 and Retry-After and has one kind of words',
    answerWith(bare('<p>You are in the waiting room.</p>'), {
      status: 503,
      headers: { 'retry-after': '20' },
    }),
  ],
  [
    'reloads itself by its own address',
    answerWith(
      bare('<p>Merci de patienter</p>', {
        head: '<meta http-equiv="refresh" content="15; url=/en-gb">',
      }),
      { headers: { 'set-cookie': ['__cfwaitingroom=1; Path=/'] } },
    ),
  ],
]);

judgeAll('a shop with unusual markup', 'open', [
  [
    'hides its navigation on narrow screens only',
    answerWith(
      bare(
        `<nav class="hidden lg:flex">${NAV}</nav><a href="/cart">Cart</a><div class="d-none d-md-block"><h1>New this week</h1></div>`,
      ),
    ),
  ],
  [
    'is behind a dialog that marks everything else aria-hidden',
    answerWith(
      bare(
        `<div id="__next" aria-hidden="true"><nav>${NAV}</nav><a href="/cart">Cart</a><h1>New this week</h1></div>${CONSENT}`,
      ),
    ),
  ],
  ['shows images between navigation and footer', answerWith(bare(`<nav>${NAV}</nav><img>${FOOTER}`))],
  [
    'is a checkout without navigation',
    answerWith(bare('<h1>Checkout</h1><button>Place order</button><p>Total £16.49</p>')),
  ],
  [
    'is a checkout in German',
    answerWith(bare('<h1>Kasse</h1><button>Zahlungspflichtig bestellen</button><p>24,99 €</p>')),
  ],
  [
    'has a basket, a few links and one price, with no element for navigation',
    answerWith(
      bare(
        '<table><tr><td><a href="comics.html">Comics</a> <a href="toys.html">Toys</a> <a href="basket.php">Basket</a></td></tr></table><h2>Comics from £2.99</h2>',
      ),
    ),
  ],
  [
    'is a blog post about a queue without an article element',
    answerWith(
      bare(
        `<a href="/">Blog</a><div class="post-content"><h1>My day</h1>${'<p>You are in line, it said. The estimated wait time was an hour.</p>'.repeat(20)}</div>`,
      ),
    ),
  ],
  [
    'is a short help page with a search and a sign-in',
    answerWith(
      bare(
        '<form role="search"></form><a href="/signin">Sign in</a><article><h1>What is the waiting room?</h1><p>You are in the waiting room when many people visit. You see an estimated wait time.</p></article>',
      ),
    ),
  ],
  [
    'has a category whose name begins like a status',
    answerWith(shopFrame('<h1>500 piece puzzles</h1>', { title: '500-piece puzzles' })),
  ],
  [
    'has a set called Forbidden Light',
    answerWith(shopFrame('<h1>Forbidden Light</h1>', { title: 'Forbidden Light' })),
  ],
  [
    'has an article about its maintenance',
    answerWith(
      shopFrame(
        '<article><h1>Maintenance finished</h1><p>Last night we moved the shop to new machines, and search is faster now.</p></article>',
      ),
    ),
  ],
  [
    'has a help page about its queue without an article element',
    answerWith(
      shopFrame(
        '<h1>Virtual queue</h1><p>You are placed in line. Your estimated wait time is shown. Keep the page open.</p>',
        { title: 'Virtual queue | Shop' },
      ),
    ),
  ],
  [
    'has a chat that counts its own line',
    answerWith(
      shopFrame(
        '<h1>Contact</h1><aside><h2>You are number 4 in the queue</h2><p>Estimated wait 3 minutes. Keep this window open.</p></aside>',
      ),
    ),
  ],
  [
    'has the addresses of rooms in its scripts',
    answerWith(shopListing('<script>c={p:"/_Incapsula_Resource?SWWRGTS=",f:"&wrid="+id}</script>')),
  ],
]);

judgeAll('a page that looks like a shop or a room', 'unknown', [
  [
    'is a check that is the whole page within the frame of the shop',
    answerWith(shopFrame('<h1>Let us know you’re not a robot</h1><div class="h-captcha"></div>')),
  ],
  [
    'is a refusal within the frame of the shop',
    answerWith(shopFrame('<h1>Sorry, you have been blocked</h1><p>Please write to our support.</p>')),
  ],
  [
    'is maintenance that has its heading within the frame of the shop',
    answerWith(shopFrame('<h1>We are down for maintenance</h1><p>Back at six.</p>')),
  ],
  [
    'is an upgrade that reloads itself',
    answerWith(
      bare(
        '<h1>Upgrade in progress</h1><p>Estimated time remaining: 20 minutes. This page will refresh automatically.</p>',
      ),
      { status: 503, headers: { 'retry-after': '600' } },
    ),
  ],
  [
    'prepares a download and thanks for waiting',
    answerWith(bare('<h1>Preparing your download</h1><p>Thanks for waiting.</p>'), {
      headers: { refresh: '5' },
    }),
  ],
  [
    'is over its capacity and thanks for waiting',
    answerWith(bare('<p>We are over capacity. Thank you for waiting.</p>'), {
      status: 503,
      headers: { 'retry-after': '60' },
    }),
  ],
  [
    'has a hidden modal without the name of the page',
    answerWith(bare(`<div id="root"></div><div class="dialog" aria-hidden="true">${ROOM_WORDS}</div>`)),
  ],
  [
    'has a form to a queue that needs a click',
    answerWith(bare('<form action="https://shop.queue-it.net/?c=shop&e=drop"><button>Go</button></form>')),
  ],
  [
    'is JSON that names a queue without a redirect to it',
    answerWith('{"queueUrl":"https://shop.queue-it.net/?c=shop&e=drop","enabled":false}'),
  ],
]);
