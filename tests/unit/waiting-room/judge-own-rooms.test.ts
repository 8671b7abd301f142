import { answerWith, bare, judgeTable, SHOP_URL } from './judging-cases';
import { ROOM_TEXTS } from './room-texts';
import { shopPage } from './site-pages';

const page = (...paragraphs: string[]): string =>
  bare(paragraphs.map((text, at) => (at === 0 ? `<h1>${text}</h1>` : `<p>${text}</p>`)).join(''));
const room = (name: string, ...paragraphs: string[]) =>
  ['waiting_room', name, answerWith(page(...paragraphs))] as const;

judgeTable(
  'a home-made room in many languages',
  ROOM_TEXTS.map(([language, ...texts]) => room(language, ...texts)),
);

const IN_LINE =
  '<h1>You’re in the queue</h1><p>Your place in the queue: <strong>431</strong></p><p>Estimated wait: 12 minutes</p><p>Please keep this page open, you’ll be let in automatically.</p>';

judgeTable('a home-made room with other markup', [
  [
    'waiting_room',
    'images with alternative texts only',
    answerWith(
      bare(
        '<img src="a.png" alt="You are in the queue"><img src="b.png" alt="812 people ahead of you"><img src="c.png" alt="Please keep this page open">',
      ),
    ),
  ],
  [
    'waiting_room',
    'svg images with labels',
    answerWith(
      bare(
        '<svg role="img" aria-label="You are now in line"></svg><svg role="img" aria-label="Estimated wait time 12 minutes"></svg>',
      ),
    ),
  ],
  [
    'waiting_room',
    'svg with text',
    answerWith(
      bare(
        '<svg><title>Queue</title><text>You are now in line</text><text>Estimated wait time: 12 minutes</text></svg>',
      ),
    ),
  ],
  [
    'waiting_room',
    'split tags and entities',
    answerWith(
      bare(
        '<h1>Y<b>ou</b>&#8217;re in the <span>vir</span>tual&nbsp;queue</h1><p>Estimated&#32;wait&nbsp;time: 12&nbsp;min</p>',
      ),
    ),
  ],
  [
    'waiting_room',
    'capitals and odd spaces',
    answerWith(bare('<h1>YOU   ARE\nNOW\tIN LINE</h1><p>POSITION IN LINE: 44</p>')),
  ],
  [
    'waiting_room',
    'table of numbers',
    answerWith(
      bare(
        '<h1>Waiting room</h1><table><tr><td>Position in queue</td><td>4182</td></tr><tr><td>Estimated wait</td><td>9 min</td></tr></table>',
      ),
    ),
  ],
  [
    'waiting_room',
    'paused',
    answerWith(
      bare('<h1>The queue is paused</h1><p>Your place in line is saved. Do not close this window.</p>'),
    ),
  ],
  [
    'waiting_room',
    'countdown to a place in line',
    answerWith(
      bare(
        '<h1>The sale begins in <span>09:59</span></h1><p>When it begins you will be given a random place in line.</p><p>Keep this page open.</p>',
      ),
    ),
  ],
  [
    'waiting_room',
    'lobby',
    answerWith(
      bare(
        '<h1>Welcome to the lobby</h1><p>Everyone here will be assigned a place in the queue when the doors open at 10:00. Please keep this window open.</p>',
      ),
    ),
  ],
  [
    'waiting_room',
    'refreshes itself, status 503',
    answerWith(bare(IN_LINE, { head: '<meta http-equiv="refresh" content="30">' }), {
      status: 503,
      headers: { 'retry-after': '30' },
    }),
  ],
  ['waiting_room', 'status 429', answerWith(bare(IN_LINE), { status: 429 })],
  ['waiting_room', 'in the shop’s own frame with 429', answerWith(shopPage(IN_LINE), { status: 429 })],
  ['waiting_room', 'in the shop’s own frame with 503', answerWith(shopPage(IN_LINE), { status: 503 })],
  ['waiting_room', 'in the shop’s own frame with 200', answerWith(shopPage(IN_LINE))],
  [
    'waiting_room',
    'in the shop’s own frame with 200, German',
    answerWith(
      shopPage(
        '<h1>Du bist in der Warteschlange</h1><p>Dein Platz: 431</p><p>Geschätzte Wartezeit: 12 Minuten</p>',
      ),
    ),
  ],
  [
    'waiting_room',
    'short header and footer',
    answerWith(
      bare(
        `<header><a href="/"><img src="/l.svg" alt="Toys"></a></header><main>${IN_LINE}</main><footer><a href="/privacy">Privacy</a><a href="/terms">Terms</a></footer>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'people ahead, no other words of a queue',
    answerWith(
      bare(
        '<p>Thanks for stopping by! 311 people ahead of you.</p><p>About 4 minutes to go. Leave this window open.</p>',
      ),
    ),
  ],
  [
    'waiting_room',
    'whole body is a dialog',
    answerWith(bare(`<div role="dialog" aria-modal="true" style="position:fixed">${IN_LINE}</div>`)),
  ],
  [
    'waiting_room',
    'its script names decide nothing, its words do',
    answerWith(bare(`<div id="root"><div>${IN_LINE}</div></div><script src="/static/wait.js"></script>`)),
  ],
  [
    'waiting_room',
    'with links to social networks and help',
    answerWith(
      bare(
        `${IN_LINE}<p>Follow us: <a href="https://x.com/s">X</a> <a href="https://instagram.com/s">Instagram</a> <a href="/help">Help</a></p>`,
      ),
    ),
  ],
  [
    'waiting_room',
    'small print of why, in a list',
    answerWith(
      bare(
        '<h1>Lots of Trainers are visiting right now</h1><ul><li>You have been placed in a virtual queue.</li><li>Your estimated wait is more than an hour.</li><li>Refreshing loses your place.</li></ul>',
      ),
    ),
  ],
  [
    'waiting_room',
    'text shown only to scripts is the noscript of it',
    answerWith(bare(`<noscript>Please enable JavaScript</noscript>${IN_LINE}`)),
  ],
  [
    'waiting_room',
    'language chooser above',
    answerWith(bare(`<select><option>English</option><option>Deutsch</option></select>${IN_LINE}`)),
  ],
  [
    'waiting_room',
    'on another path of the shop',
    answerWith(bare(IN_LINE), {
      finalUrl: 'https://www.pokemoncenter.com/waiting-room',
      requestUrl: SHOP_URL,
    }),
  ],
]);
