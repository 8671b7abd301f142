import { bare, hopTo, judgeTable, SHOP_URL, unknown } from './judging-cases';
import { shopPage } from './site-pages';

judgeTable('walls in the shop’s own header and footer', [
  unknown(
    'px-captcha',
    shopPage(
      '<h1>Before we continue…</h1><p>Press & Hold to confirm you are a human.</p><div id="px-captcha"></div>',
    ),
    { status: 403 },
  ),
  unknown('px-captcha with 200', shopPage('<h1>Before we continue…</h1><div id="px-captcha"></div>')),
  unknown(
    'DataDome frame',
    shopPage('<iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=A" width="100%"></iframe>'),
  ),
  unknown(
    'Cloudflare challenge',
    shopPage('<h1>Just a moment…</h1><p>Verifying you are human. This may take a few seconds.</p>', {
      end: '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>',
    }),
  ),
  unknown(
    'Imperva block',
    shopPage(
      '<iframe src="/_Incapsula_Resource?SWUDNSAI=31&edet=12&incident_id=9">Request unsuccessful. Incapsula incident ID: 9</iframe>',
    ),
  ),
  unknown('Akamai interstitial', shopPage('<div id="sec-if-cpt-container"></div>')),
  unknown(
    'Access denied with reference',
    shopPage(
      '<h1>Access Denied</h1><p>You don’t have permission to access this page.</p><p>Reference #18.ab12.17</p>',
    ),
    { status: 403 },
  ),
  unknown(
    'own robot check',
    shopPage(
      '<h1>Are you a robot?</h1><p>We have noticed unusual traffic from your network. Please tick the box to continue.</p><div class="g-recaptcha" data-sitekey="x"></div>',
    ),
    { status: 403 },
  ),
  unknown(
    'own robot check with 200',
    shopPage(
      '<h1>Please verify that you are human</h1><p>Unusual activity was detected. Complete the check to continue.</p><div class="h-captcha" data-sitekey="x"></div>',
    ),
  ),
  unknown(
    'blocked with 403',
    shopPage('<h1>Sorry, you have been blocked</h1><p>Your request looks automated.</p>'),
    { status: 403 },
  ),
  unknown(
    'AWS WAF captcha',
    shopPage(
      '<div id="captcha-container"></div><script>window.gokuProps={};AwsWafCaptcha.renderCaptcha()</script>',
    ),
    { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } },
  ),
  unknown(
    'a wall that mentions a queue',
    shopPage(
      '<h1>Before we continue…</h1><p>You are in a queue for a security check.</p><div id="px-captcha"></div>',
    ),
  ),
  unknown(
    'error 500',
    shopPage('<h1>Something went wrong</h1><p>We are working on it. Please try again.</p>'),
    { status: 500 },
  ),
  unknown(
    'error 503',
    shopPage('<h1>We’ll be back soon</h1><p>Our shop is closed for maintenance. Please wait a little.</p>'),
    { status: 503 },
  ),
  unknown(
    'maintenance with 200',
    shopPage('<h1>We’ll be back soon</h1><p>Our shop is down for maintenance. Please check back later.</p>'),
  ),
  unknown('rate limit', shopPage('<h1>Too many requests</h1><p>Please wait a minute and try again.</p>'), {
    status: 429,
  }),
  unknown('403 not open', shopPage('<h1>Forbidden</h1>'), { status: 403 }),
  unknown('frame with nothing in it', shopPage('')),
  unknown('frame with a spinner', shopPage('<div class="spinner" role="status">Loading…</div>')),
]);

judgeTable('pages of other sites', [
  unknown(
    'captive portal',
    bare(
      '<h1>Welcome to CoffeeWifi</h1><form action="/login" method="post"><label><input type="checkbox" name="tos"> I accept the terms of use</label><button>Connect</button></form><a href="/terms">Terms</a><a href="/privacy">Privacy</a>',
      { title: 'Wi-Fi login' },
    ),
    {
      finalUrl: 'http://10.0.0.1/login?dst=https%3A%2F%2Fwww.pokemoncenter.com',
      hops: [hopTo('http://10.0.0.1/login?dst=x')],
    },
  ),
  unknown(
    'captive portal with prices and a menu',
    bare(
      '<nav><a href="/plans">Plans</a><a href="/help">Help</a><a href="/login">Log in</a></nav><h1>Airport Wi-Fi</h1><ul><li>1 hour £3.99 <button>Buy</button></li><li>1 day £7.99 <button>Buy</button></li></ul><footer><a href="/terms">Terms</a></footer>',
      { title: 'Airport Wi-Fi' },
    ),
    {
      finalUrl: 'https://portal.airport-wifi.example/welcome',
      hops: [hopTo('https://portal.airport-wifi.example/welcome')],
    },
  ),
  unknown(
    'captive portal at the shop’s own address',
    bare(
      '<h1>Hotel Wi-Fi</h1><p>Please sign in with your room number to get online.</p><form><input name="room"><input name="surname"><button>Go online</button></form>',
      { title: 'Internet access' },
    ),
  ),
  unknown(
    'parked domain',
    bare(
      '<h1>pokemoncenter.com</h1><p>Related searches</p><ul><li><a href="/?q=cards">Trading cards</a></li><li><a href="/?q=plush">Plush toys</a></li><li><a href="/?q=games">Games</a></li></ul><p>This domain may be for sale.</p><footer><a href="/privacy">Privacy policy</a></footer>',
    ),
  ),
  unknown(
    'parked domain with prices',
    bare(
      '<h1>pokemoncenter.com is for sale</h1><p>Buy now: £2,499</p><button>Buy now</button><p>Or lease to own from £99.00 a month</p><ul><li><a href="/other1">toycards.com £500</a></li><li><a href="/other2">plushshop.com £700</a></li></ul>',
      { title: 'pokemoncenter.com - domain for sale' },
    ),
  ),
  unknown(
    'expired domain at its registrar',
    bare(
      '<nav><a href="https://registrar.example/domains">Domains</a><a href="https://registrar.example/hosting">Hosting</a><a href="https://registrar.example/cart">Cart</a></nav><h1>This domain has expired</h1><p>Renew from £9.99 a year.</p><a href="https://registrar.example/renew">Renew</a>',
    ),
  ),
  unknown(
    'the provider’s blocked page',
    bare(
      '<h1>This website has been blocked</h1><p>Parental controls are switched on for this connection.</p><a href="https://provider.example/settings">Change settings</a>',
      { title: 'Blocked' },
    ),
  ),
  unknown(
    'company filter',
    bare(
      '<h1>Web Page Blocked!</h1><p>The page you have requested has been blocked, because the URL is categorised as Games.</p><p>URL: www.pokemoncenter.com</p>',
    ),
    { status: 403 },
  ),
  unknown(
    'default page of a web server',
    bare(
      '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working.</p><p><a href="http://nginx.org/">nginx.org</a></p>',
      { title: 'Welcome to nginx!' },
    ),
  ),
  unknown(
    'listing of a directory',
    bare(
      '<h1>Index of /</h1><hr><pre><a href="../">../</a><a href="img/">img/</a> 01-Jan-2026 10:00 -</pre><hr>',
      { title: 'Index of /' },
    ),
  ),
  unknown(
    'cookie wall alone',
    bare(
      '<h1>We value your privacy</h1><p>We and our partners store information on a device.</p><button>Accept all</button><button>Reject all</button>',
    ),
  ),
  unknown(
    'choose your country',
    bare(
      '<h1>Choose your region</h1><ul><li><a href="/en-us">United States</a></li><li><a href="/en-gb">United Kingdom</a></li></ul>',
    ),
  ),
  unknown(
    'coming soon',
    bare(
      '<h1>Coming soon</h1><p>Sign up and be the first to know.</p><form><input type="email"><button>Notify me</button></form>',
    ),
  ),
]);

judgeTable('answers without content', [
  unknown('spaces', ' \n\t '),
  unknown(
    'cut off in the head',
    '<!DOCTYPE html><html><head><title>Pokémon Center</title><link rel="styleshe',
  ),
  unknown('cut off in the first tag', '<!DOC'),
  unknown('binary', '\u0000\u0001\ufffd\ufffd\u0004PNG', {
    decodable: false,
    headers: { 'content-type': 'image/png' },
  }),
  unknown('garbled', '\u001f\ufffd\b\u0000\ufffd\ufffd\ufffd\u0003\ufffd]ms\ufffd8\ufffd', {
    decodable: false,
  }),
  unknown(
    'shell of an app',
    bare('<div id="__next"></div><script src="/_next/static/chunks/main.js"></script>', {
      title: 'Pokémon Center',
    }),
  ),
  unknown(
    'shell that requires JavaScript',
    bare('<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>'),
  ),
  unknown('JSON of an error', '{"error":"internal"}', {
    status: 500,
    headers: { 'content-type': 'application/json' },
  }),
  unknown('JSON of something', '{"ok":true,"items":[]}', { headers: { 'content-type': 'application/json' } }),
  unknown('plain text', 'OK', { headers: { 'content-type': 'text/plain' } }),
  unknown('robots.txt', 'User-agent: *\nDisallow: /cart\n', { headers: { 'content-type': 'text/plain' } }),
  unknown('redirect not followed', '<html><body>Moved <a href="/en-us">here</a></body></html>', {
    status: 302,
  }),
  unknown('404', bare('<h1>404 Not Found</h1>'), { status: 404 }),
  unknown(
    'maintenance with the word wait',
    bare('<h1>We are upgrading</h1><p>Please wait, keep this page open, it refreshes by itself.</p>'),
    { status: 503, headers: { 'retry-after': '600' } },
  ),
  unknown(
    'maintenance with 200',
    bare('<h1>Down for maintenance</h1><p>Thank you for your patience. Estimated time: 2 hours.</p>'),
  ),
  unknown('please wait alone', bare('<p>Please wait…</p>')),
  unknown(
    'loading your order',
    bare('<h1>Please wait while we load your page</h1><p>Do not close this window.</p>'),
  ),
  unknown(
    'redirecting',
    bare('<p>You are being redirected…</p>', {
      head: '<meta http-equiv="refresh" content="0;url=/en-gb/home">',
    }),
  ),
  unknown(
    'high demand, no line',
    bare('<h1>We are experiencing high demand</h1><p>Please try again later.</p>'),
    { status: 503 },
  ),
  unknown(
    'gateway time-out',
    bare('<h1>504 Gateway Time-out</h1><p>The server didn’t respond in time.</p>'),
    { status: 504 },
  ),
  unknown('no answer', '', { status: 0 }),
  unknown(
    'feed',
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>You are now in line</title></item></channel></rss>',
    { headers: { 'content-type': 'application/rss+xml' } },
  ),
  unknown(
    'refused for the country',
    bare('<h1>Not available in your region</h1><p>Unfortunately we do not ship there.</p>'),
    { status: 451, requestUrl: SHOP_URL },
  ),
]);
