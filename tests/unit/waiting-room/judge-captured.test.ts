import { answerWith, bare, judgeAll } from './judging-cases';

// The structure of captured public pages, with our own texts.

judgeAll('a captured waiting room', 'waiting_room', [
  [
    "is Cloudflare's own page in a tongue we have no words of",
    answerWith(
      bare('<h1>Uko kwenye foleni sasa</h1><h2 id="waitTime">12</h2><p id="last-updated">10:02</p>'),
    ),
  ],
  [
    'is a queue on the domain of a ticket seller',
    answerWith(bare('<h1>Hold tight</h1>'), {
      finalUrl: 'https://go.festivalticketing.com/?c=festivalticketing&e=drop&q=7065486b&cid=en-US',
    }),
  ],
  [
    'is a queue on a host called wait',
    answerWith(bare('<div class="spinner"></div>'), {
      finalUrl: 'https://wait.pokemoncenter.com/?c=pc&e=drop&ver=javascript-4.4.2',
    }),
  ],
  ['is in Thai', answerWith(bare('<h1>คุณอยู่ในคิวแล้ว</h1><p>เวลารอโดยประมาณ: 5 นาที</p>'))],
  [
    'is in Vietnamese',
    answerWith(bare('<h1>Bạn đang trong hàng chờ</h1><p>Thời gian chờ dự kiến: 5 phút</p>')),
  ],
  [
    'announces only the people ahead and the wait',
    answerWith(
      bare('<h1>Virtual Waiting Room</h1><p>Visitors ahead of you:</p><p id="queue-position"></p>', {
        head: '<script>setInterval(fetchData, 1000)</script>',
      }),
    ),
  ],
]);

judgeAll('a captured shop page', 'open', [
  [
    'is nothing but a long article, with a captcha for its newsletter',
    answerWith(
      bare(
        `<article><h1>Field notes</h1><p>${'You are in line at the river, and the estimated wait time is long. '.repeat(30)}</p></article><aside><div class="g-recaptcha"></div></aside><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
      ),
    ),
  ],
]);

judgeAll('a captured bot wall', 'unknown', [
  [
    'detected unusual traffic',
    answerWith(
      bare(
        '<h1>One more step</h1><p>We have detected unusual traffic.</p><form><div class="g-recaptcha"></div></form>',
      ),
    ),
  ],
  [
    'blocked by the security of its network',
    answerWith(bare('<h1>You have been blocked</h1><p>Log in to continue.</p>')),
  ],
  [
    'sends the browser to its captcha',
    answerWith(
      '<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></meta></head></html>',
    ),
  ],
  [
    'checks the connection and reloads in time',
    answerWith(
      bare(
        '<h1>shop.example</h1><h2 id="challenge-running">Checking if the connection is secure</h2><script>window._cf_chl_opt={cType:"managed"}</script>',
        {
          title: 'Just a moment...',
          head: '<meta http-equiv="refresh" content="390">',
        },
      ),
    ),
  ],
]);
