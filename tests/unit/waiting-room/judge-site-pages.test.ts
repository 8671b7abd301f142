import { answerWith, bare, judgeTable, open, ROOM_WORDS, SHOP_URL, shopListing } from './judging-cases';
import { homePage, productPage, shopPage } from './site-pages';

judgeTable('ordinary pages of a shop, whatever their size', [
  open('home page', homePage()),
  open('product page', productPage()),
  open(
    'sold out product',
    shopPage(
      '<h1>Sleepy bear</h1><p class="money">£24.00</p><button disabled>Sold out</button><p>Email me when it is back</p>',
    ),
  ),
  open(
    'small whole shop',
    bare(
      '<a href="/">Home</a> <a href="/shop">Shop</a> <a href="/cart">Cart</a><h1>Our cards</h1><ul><li><a href="/shop/booster">Booster</a> £4.50</li><li><a href="/shop/tin">Tin</a> £19.99</li></ul>',
    ),
  ),
  open(
    'small product page',
    bare(
      '<a href="/">Toys</a><h1>Sleepy bear</h1><img src="bear.jpg" alt="bear"><p>£24.00</p><form action="/cart/add"><button>Add to cart</button></form>',
    ),
  ),
  open(
    'small basket',
    bare(
      '<nav><a href="/">Home</a><a href="/shop">Shop</a></nav><h1>Your basket</h1><table><tr><td>Booster box</td><td>1</td><td>£119.95</td></tr></table><p>Total £119.95</p><a href="/checkout">Checkout</a>',
    ),
  ),
  open(
    'empty basket',
    shopPage(
      '<h1>Your basket</h1><p>Your basket is empty.</p><a href="/collections/all">Continue shopping</a>',
    ),
  ),
  open(
    'sign-in',
    shopPage(
      '<h1>Sign in</h1><form method="post"><input type="email"><input type="password"><button>Sign in</button></form><a href="/reset">Forgotten your password?</a>',
    ),
  ),
  open(
    'search without results',
    shopPage('<h1>Search</h1><p>No results for “charizard”. Check the spelling or try another word.</p>'),
  ),
  open(
    'category without products',
    shopPage('<h1>Outlet</h1><p>0 products</p><p>New things come every Friday.</p>'),
  ),
  open(
    'contact page',
    shopPage(
      '<h1>Contact us</h1><form method="post"><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form><p>12 High Street, Leeds</p>',
    ),
  ),
  open(
    'delivery terms',
    shopPage(
      `<h1>Delivery</h1><p>${'We send every order by tracked post within two working days. '.repeat(8)}</p><h2>Returns</h2><p>${'You may return anything within thirty days. '.repeat(6)}</p>`,
    ),
  ),
  open(
    'shop in German',
    bare(
      '<header><a href="/">Spielzeug</a><nav><a href="/karten">Karten</a><a href="/plueschtiere">Plüschtiere</a><a href="/angebote">Angebote</a></nav><a href="/warenkorb">Warenkorb (0)</a></header><main><h1>Neuheiten</h1><a href="/p/1">Bär</a> 24,00 € <button>In den Warenkorb</button></main><footer><a href="/impressum">Impressum</a><a href="/datenschutz">Datenschutz</a></footer>',
    ),
  ),
  open(
    'shop in Japanese',
    bare(
      '<header><a href="/">おもちゃ</a><nav><a href="/cards">カード</a><a href="/plush">ぬいぐるみ</a><a href="/game">ゲーム</a></nav><a href="/cart">カート</a></header><main><h1>新商品</h1><ul><li><a href="/products/1">ブースターボックス</a> 5,400円（税込）</li><li><a href="/products/2">ぬいぐるみ</a> 2,200円（税込）</li></ul><button>カートに入れる</button></main><footer><a href="/privacy">プライバシーポリシー</a></footer>',
    ),
  ),
  open(
    'shop in French',
    bare(
      '<header><a href="/">Jouets</a><nav><a href="/cartes">Cartes</a><a href="/peluches">Peluches</a><a href="/promos">Promos</a></nav><a href="/panier">Panier (0)</a></header><main><h1>Nouveautés</h1><p><a href="/produit/ours">Ours</a> 24,00 €</p><button>Ajouter au panier</button></main><footer><a href="/cgv">CGV</a></footer>',
    ),
  ),
  open(
    'shop in Polish',
    bare(
      '<header><a href="/">Zabawki</a><nav><a href="/karty">Karty</a><a href="/pluszaki">Pluszaki</a><a href="/gry">Gry</a></nav><a href="/koszyk">Koszyk (0)</a></header><main><h1>Nowości</h1><p><a href="/produkt/mis">Miś</a> 99,00 zł</p><button>Dodaj do koszyka</button></main><footer><a href="/regulamin">Regulamin</a></footer>',
    ),
  ),
  open(
    'shop in Chinese',
    bare(
      '<header><a href="/">玩具店</a><nav><a href="/cards">卡牌</a><a href="/plush">毛绒玩具</a><a href="/sale">特价</a></nav><a href="/cart">购物车 (0)</a></header><main><h1>新品</h1><p><a href="/product/1">卡盒</a> ¥399.00</p><button>加入购物车</button></main><footer><a href="/privacy">隐私政策</a></footer>',
    ),
  ),
  open(
    'shop of 600 KB',
    homePage({
      main: '<div class="card"><a href="/products/x"><h3>Thing of a long list</h3></a><p class="money">£9.50</p></div>'.repeat(
        6000,
      ),
    }),
  ),
  open(
    'shop whose content is in custom elements',
    bare(
      '<site-header><a href="/">Toys</a><a href="/cards">Cards</a><a href="/games">Games</a><a href="/cart">Bag</a></site-header><product-grid><product-card><a href="/products/a">Booster</a><span>£4.50</span></product-card><product-card><a href="/products/b">Tin</a><span>£19.99</span></product-card></product-grid><site-footer><a href="/privacy">Privacy</a></site-footer>',
    ),
  ),
  open(
    'page not found inside the shop',
    shopPage(
      '<h1>Page not found</h1><p>Try one of these:</p><ul><li><a href="/products/bear">Sleepy bear</a> £24.00</li><li><a href="/products/cube">Puzzle cube</a> £9.50</li></ul>',
    ),
    { status: 200 },
  ),
  open(
    'gift vouchers with a form',
    shopPage(
      '<h1>Gift vouchers</h1><p>From £10.00 to £200.00</p><form action="/basket/add"><select><option>£10.00</option><option>£25.00</option></select><button>Add to basket</button></form>',
    ),
  ),
  open(
    'checkout step',
    shopPage(
      '<h1>Checkout</h1><form><label>Address <input name="address"></label><label>Postcode <input name="postcode"></label><button>Continue to payment</button></form><p>Subtotal £119.95</p>',
    ),
  ),
  open('the Pokémon Center in its own frame', shopListing()),
]);

judgeTable('ordinary pages that mention queues', [
  open('poster The Waiting Room', productPage({ name: 'The Waiting Room (poster)' })),
  open('titled as a wall', productPage({ name: 'Access Denied T-shirt' })),
  open('titled Just a moment', productPage({ name: 'Just a moment... (print)' })),
  open(
    'game You Are In Line',
    productPage({
      name: 'You Are Now In Line – the board game',
      main: '<p>Two to six players wait in line. Your place in the queue changes every turn; estimated wait time: 20 minutes a game.</p>',
    }),
  ),
  open(
    'FAQ',
    shopPage(
      `<h1>Questions</h1><h2>What is the virtual queue?</h2><p>You are in line with other visitors.</p><h2>How long is my estimated wait?</h2><p>The page says how many people are ahead of you. Keep the page open.</p>`,
    ),
  ),
  open(
    'FAQ with details',
    shopPage(
      '<h1>Help</h1><details><summary>I see “You are now in line”</summary><p>Your estimated wait time is 12 minutes or more. Do not close the page.</p></details><details><summary>Returns</summary><p>Thirty days.</p></details>',
    ),
  ),
  open(
    'help centre without a basket',
    bare(
      '<header><a href="/hc/en-gb">Help Centre</a><form role="search" action="/hc/search"><input type="search" placeholder="Search"></form><a href="/hc/requests/new">Submit a request</a></header><nav aria-label="breadcrumb"><ol><li><a href="/hc/en-gb">Home</a></li><li><a href="/hc/en-gb/sections/1">Orders</a></li></ol></nav><article><h1>What is the virtual queue?</h1><p>When many visitors come, you are placed in a waiting room. You will see your place in line and an estimated wait time.</p><p>Keep the page open and do not refresh.</p></article><h2>Related articles</h2><ul><li><a href="/hc/articles/2">Delivery</a></li><li><a href="/hc/articles/3">Returns</a></li></ul><footer><a href="/">Back to the shop</a></footer>',
    ),
    { finalUrl: 'https://support.pokemoncenter.com/hc/en-gb/articles/1' },
  ),
  open(
    'news article',
    shopPage(
      `<article><header><h1>Thousands wait in line for new cards</h1><time datetime="2026-11-20">20 November 2026</time> by <a href="/authors/kim">Kim</a></header><p>${'Collectors told us how they waited. '.repeat(12)}</p><blockquote>You are now in line. Number of people ahead of you: 812. Your estimated wait time is 12 minutes. Please keep this page open.</blockquote></article>`,
    ),
  ),
  open(
    'news site without a shop',
    bare(
      `<header><a href="/">The Paper</a></header><nav><a href="/news">News</a><a href="/sport">Sport</a><a href="/culture">Culture</a><a href="/weather">Weather</a></nav><main><article><h1>The queue of the year</h1><p class="byline">By Kim Lee, 20 November 2026</p><p>${'For hours the site said the same thing. '.repeat(10)}</p><p>“You are now in line,” it read. “Your estimated wait time is 40 minutes.”</p></article><aside><h2>Most read</h2><ol><li><a href="/1">Rain</a></li><li><a href="/2">Wind</a></li></ol></aside></main><footer><a href="/about">About</a><a href="/privacy">Privacy</a></footer>`,
    ),
  ),
  open(
    'forum thread',
    bare(
      `<div class="topbar"><a href="/">Collectors’ forum</a><a href="/latest">Latest</a><a href="/categories">Categories</a><a href="/login">Log in</a></div><h1>Stuck in the queue?</h1><div class="post" id="p1"><a href="/u/ash">ash</a> <time>2h</time><div class="cooked"><p>Mine says:</p><blockquote>You are now in line. 812 people ahead of you. Keep this page open.</blockquote></div><button>Reply</button></div><div class="post" id="p2"><a href="/u/misty">misty</a> <time>1h</time><div class="cooked"><p>Estimated wait time was 12 minutes for me.</p></div><button>Reply</button></div><footer><a href="/tos">Terms of Service</a></footer>`,
    ),
  ),
  open(
    'forum thread, quoted in plain paragraphs',
    bare(
      `<nav><a href="/">Home</a><a href="/forum">Forum</a><a href="/members">Members</a><a href="/login">Log in</a></nav><h1>Queue up for the drop</h1><ul class="comments"><li class="comment"><b>ash</b> 10:02<p>You are now in line, it says. Number of people ahead of you: 812</p><a href="#r">Reply</a></li><li class="comment"><b>brock</b> 10:04<p>Same, estimated wait time 12 minutes, keep this page open</p><a href="#r">Reply</a></li></ul><form><textarea></textarea><button>Post reply</button></form>`,
    ),
  ),
  open(
    'reviews',
    productPage({
      main: '<section><h2>Reviews</h2><div itemprop="review"><p>★★★★★ You are in the queue for ages! My estimated wait time was two hours and 900 people ahead of me. Worth it.</p></div></section>',
    }),
  ),
  open(
    'banner of high demand',
    homePage({
      top: '<div role="status">Due to high demand there may be a wait. Thank you for your patience!</div>',
    }),
  ),
  open(
    'banner that a queue may come',
    homePage({
      top: '<div>On Friday at 10:00 a virtual queue opens. You will get a place in line; keep the page open.</div>',
    }),
  ),
  open(
    'queue at the branch in Leeds',
    shopPage(
      '<h1>Our branches</h1><p>Leeds: currently a queue outside, estimated wait 10 minutes.</p><p>12 Queue Street, Waiting-on-Sea</p><a href="/branches/leeds">Directions</a>',
    ),
  ),
  open(
    'call centre',
    shopPage(
      '<h1>Call us</h1><p>0113 496 0000. You are number 3 in the queue on average, estimated wait time 4 minutes.</p>',
    ),
  ),
  open(
    'chat widget',
    homePage({
      end: '<div class="chat"><p>You are in the queue. 2 people ahead of you. Estimated wait 1 minute.</p></div>',
    }),
  ),
  open(
    'live region for chat',
    productPage({
      end: '<aside aria-label="Chat">Waiting for an agent… your position in the queue: 3. Please keep this window open.</aside>',
    }),
  ),
]);

judgeTable('hidden words of a room', [
  open('hidden modal', homePage({ end: `<div class="modal" hidden>${ROOM_WORDS}</div>` })),
  open('display none', homePage({ end: `<div style="display:none">${ROOM_WORDS}</div>` })),
  open(
    'opacity 0 overlay',
    homePage({
      end: `<div style="position:fixed;inset:0;opacity:0;pointer-events:none">${ROOM_WORDS}</div>`,
    }),
  ),
  open(
    'opacity 0.0 with important',
    homePage({ end: `<div style="opacity: 0.0 !important">${ROOM_WORDS}</div>` }),
  ),
  open(
    'class hidden by the page’s style sheet',
    homePage({
      head: '<style>.overlay{opacity:0;visibility:hidden}</style>',
      end: `<div class="overlay">${ROOM_WORDS}</div>`,
    }),
  ),
  open(
    'aria-hidden overlay',
    homePage({ end: `<div class="overlay" aria-hidden="true">${ROOM_WORDS}</div>` }),
  ),
  open('closed dialog', homePage({ end: `<dialog>${ROOM_WORDS}</dialog>` })),
  open('template', homePage({ end: `<template>${ROOM_WORDS}</template>` })),
  open('noscript', homePage({ end: `<noscript>${ROOM_WORDS}</noscript>` })),
  open(
    'i18n bundle',
    homePage({
      end: '<script type="application/json">{"queue.inLine":"You are now in line","queue.eta":"Your estimated wait time is {n} minutes","queue.keep":"Please keep this page open"}</script>',
    }),
  ),
  open(
    'JSON-LD',
    homePage({
      head: '<script type="application/ld+json">{"@type":"FAQPage","mainEntity":[{"name":"You are now in line","text":"Your estimated wait time"}]}</script>',
    }),
  ),
  open(
    'next data',
    homePage({
      end: '<script id="__NEXT_DATA__" type="application/json">{"props":{"flags":{"waitingRoom":true,"virtualQueue":"on"},"cfWaitingRoom":{"inWaitingRoom":false}}}</script>',
    }),
  ),
  open('comment', homePage({ end: `<!-- ${ROOM_WORDS} -->` })),
  open(
    'attributes',
    homePage({
      end: '<div data-text="You are now in line" data-eta="Your estimated wait time is 12 minutes"></div>',
    }),
  ),
  open(
    'text area',
    homePage({ end: `<textarea hidden>You are now in line. Estimated wait time 12 minutes.</textarea>` }),
  ),
  open('off screen', homePage({ end: `<div style="position:absolute;left:-9999px">${ROOM_WORDS}</div>` })),
  open('height 0', homePage({ end: `<div style="height:0;overflow:hidden">${ROOM_WORDS}</div>` })),
  open('screen reader only', homePage({ end: `<div class="sr-only">${ROOM_WORDS}</div>` })),
  open(
    'script names',
    homePage({
      end: '<script src="/js/waiting-room.js"></script><script src="/js/queue.js"></script><link rel="prefetch" href="/virtual-queue">',
    }),
  ),
  open(
    'meta description',
    homePage({
      head: '<meta name="description" content="You are now in line. Estimated wait time 12 minutes.">',
    }),
  ),
  [
    'unknown',
    'shell of an app with a hidden room',
    answerWith(bare(`<div id="root"></div><div hidden>${ROOM_WORDS}</div><script src="/app.js"></script>`)),
  ],
  [
    'unknown',
    'shell of an app with the room in its texts',
    answerWith(
      bare(
        '<div id="root"></div><script>window.i18n={"a":"You are now in line","b":"Your estimated wait time"}</script>',
      ),
      { requestUrl: SHOP_URL },
    ),
  ],
]);
