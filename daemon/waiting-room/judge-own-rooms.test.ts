import { answerWith, bare, judgeTable, SHOP_URL } from './judging-cases';
import { shopPage } from './site-pages';

const page = (...paragraphs: string[]): string =>
  bare(paragraphs.map((text, at) => (at === 0 ? `<h1>${text}</h1>` : `<p>${text}</p>`)).join(''));
const room = (name: string, ...paragraphs: string[]) =>
  ['waiting_room', name, answerWith(page(...paragraphs))] as const;

judgeTable('a home-made room in many languages', [
  room('English', 'You are in the queue', 'There are 1,204 people ahead of you', 'Do not close this tab'),
  room(
    'English, other words',
    'Hang tight, you’re in line!',
    'Your spot: #532',
    'We’ll take you to the store as soon as it’s your turn. Don’t refresh.',
  ),
  room(
    'Welsh',
    'Rydych chi yn y ciw',
    'Eich safle yn y ciw: 812',
    'Amser aros amcangyfrifedig: 12 munud',
    'Peidiwch â chau’r dudalen hon',
  ),
  room(
    'Welsh, other words',
    'Rydych nawr yn y rhes',
    'Mae 300 o bobl o’ch blaen chi',
    'Cadwch y dudalen hon ar agor',
  ),
  room(
    'German',
    'Du bist in der Warteschlange',
    'Vor dir sind noch 1.204 Personen',
    'Bitte schließe dieses Fenster nicht',
  ),
  room(
    'German, formal',
    'Sie sind im Warteraum',
    'Ihre Position: 88',
    'Voraussichtliche Wartezeit: 5 Minuten',
  ),
  room(
    'French',
    'Vous êtes dans la file d’attente',
    'Il y a 812 personnes devant vous',
    'Ne fermez pas cette page',
  ),
  room(
    'French, other words',
    'Salle d’attente virtuelle',
    'Votre position : 431',
    'Temps d’attente estimé : 12 minutes',
  ),
  room('Spanish', 'Estás en la cola virtual', 'Hay 812 personas delante de ti', 'No cierres esta página'),
  room(
    'Spanish, formal',
    'Usted está en la fila',
    'Su tiempo de espera estimado es de 12 minutos',
    'Mantenga esta ventana abierta',
  ),
  room('Italian', 'Sei in coda', 'Ci sono 812 persone davanti a te', 'Non chiudere questa pagina'),
  room('Dutch', 'Je staat in de wachtrij', 'Er zijn 812 mensen voor je', 'Sluit dit venster niet'),
  room(
    'Polish',
    'Jesteś w kolejce',
    'Liczba osób przed Tobą: 812',
    'Szacowany czas oczekiwania: 12 minut',
    'Nie zamykaj tej strony',
  ),
  room('Portuguese', 'Está na fila de espera', 'Pessoas à sua frente: 812', 'Não feche esta página'),
  room(
    'Japanese',
    '待合室',
    '現在のあなたの順番は 812 番目です',
    '予想待ち時間：約12分',
    'このページを閉じないでください',
  ),
  room('Chinese, simplified', '您正在排队', '您前面还有 812 人', '预计等待时间：12 分钟'),
  room('Chinese, traditional', '您目前正在排隊等候', '前面還有 812 人', '請勿關閉此頁面'),
  room('Korean', '대기열에 있습니다', '앞에 812명이 대기 중입니다', '이 페이지를 닫지 마세요'),
  room('Swedish', 'Du står i kö', '812 personer före dig', 'Stäng inte den här sidan'),
  room('Danish', 'Du er i køen', 'Der er 812 personer foran dig', 'Luk ikke denne side'),
  room('Norwegian', 'Du står i kø', 'Din plass i køen: 812', 'Ikke lukk denne siden'),
  room('Finnish', 'Olet jonossa', 'Edessäsi on 812 henkilöä', 'Älä sulje tätä sivua'),
  room('Turkish', 'Sıradasınız', 'Önünüzde 812 kişi var', 'Lütfen bu sayfayı kapatmayın'),
  room('Czech', 'Jste ve frontě', 'Před vámi je 812 lidí', 'Nezavírejte tuto stránku'),
  room('Arabic', 'أنت الآن في قائمة الانتظار', 'وقت الانتظار المقدر: 12 دقيقة', 'يرجى عدم إغلاق هذه الصفحة'),
]);

const IN_LINE =
  '<h1>You’re in the queue</h1><p>Your place in the queue: <strong>431</strong></p><p>Estimated wait: 12 minutes</p><p>Please keep this page open, you’ll be let in automatically.</p>';

judgeTable('a home-made room in other dress', [
  [
    'waiting_room',
    'pictures with alternative texts only',
    answerWith(
      bare(
        '<img src="a.png" alt="You are in the queue"><img src="b.png" alt="812 people ahead of you"><img src="c.png" alt="Please keep this page open">',
      ),
    ),
  ],
  [
    'waiting_room',
    'svg pictures with labels',
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
    'people ahead, no other word of a queue',
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
