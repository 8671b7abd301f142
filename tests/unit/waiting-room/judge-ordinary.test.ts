import { answerWith, bare, judgeAll, shopFrame, shopListing, SHOP_URL } from './judging-cases';

judgeAll('an ordinary shop page that looks like something else', 'open', [
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
  ['is unverified by the fetching service', answerWith(shopListing(), { unverified: true })],
  ['has status 203', answerWith(shopListing(), { status: 203 })],
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
