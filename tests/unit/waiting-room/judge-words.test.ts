import { answerWith, bare, judgeAll, ROOM_WORDS } from './judging-cases';

const WORDS: ReadonlyArray<readonly [language: string, body: string]> = [
  ['English', ROOM_WORDS],
  ['English with a curly apostrophe', '<h1>You’re in the queue!</h1><p>Don’t refresh this page.</p>'],
  [
    'English in split tags',
    '<h1>Y<b>ou</b> are <i>n</i>ow in <span>li</span>ne</h1><p>Your <em>place</em> in line<!-- x -->: <b>12</b></p>',
  ],
  [
    'English in capitals and entities',
    '<H1>YOU&#39;RE&nbsp;IN&nbsp;LINE</H1><P>ESTIMATED WAIT TIME&colon; 00:12:00</P>',
  ],
  ['English for a paused queue', '<h1>The queue is paused</h1><p>Your number in line: 812</p>'],
  [
    'English for a lobby',
    '<h1>You are in the lobby</h1><p>Keep this window open, the sale begins in 10:00.</p>',
  ],
  ['German', '<h1>Du bist in der Warteschlange</h1><p>Voraussichtliche Wartezeit: 8 Minuten</p>'],
  [
    'German, politely',
    '<p>Sie befinden sich in einem virtuellen Warteraum.</p><p>Bitte schließen Sie dieses Fenster nicht.</p>',
  ],
  ['French', '<h1>Vous êtes dans la file d&apos;attente virtuelle</h1><p>Temps d’attente estimé : 5 min</p>'],
  [
    'French about the people ahead',
    '<p>Il y a 1 204 personnes devant vous.</p><p>Ne fermez pas cette page.</p>',
  ],
  [
    'Spanish',
    '<h1>Estás en la fila virtual</h1><p>Tiempo estimado de espera: 14 minutos</p><p>No actualices la página.</p>',
  ],
  ['Italian', '<h1>Sei in coda</h1><p>Ci sono 300 persone davanti a te.</p>'],
  ['Dutch', '<h1>Je staat in de wachtrij</h1><p>Geschatte wachttijd: 3 minuten</p>'],
  ['Portuguese', '<h1>Você está na fila</h1><p>Seu lugar na fila: 55</p><p>Não feche esta janela.</p>'],
  ['Polish', '<h1>Jesteś w kolejce</h1><p>Szacowany czas oczekiwania: 10 minut</p>'],
  [
    'Japanese',
    '<h1>順番にご案内しております</h1><p>お客様の順番：１２３番目</p><p>予想待ち時間：約１０分</p>',
  ],
  [
    'Japanese, a waiting room',
    '<p>現在、待合室でお待ちいただいています。</p><p>このページを閉じないでください。</p>',
  ],
  ['Chinese', '<p>您正在排队</p><p>预计等待时间：5 分钟</p>'],
  ['Korean', '<p>현재 대기열에서 대기 중입니다.</p><p>예상 대기 시간: 3분</p>'],
  ['Swedish', '<h1>Du är nu i kön</h1><p>Beräknad väntetid: 9 minuter</p>'],
  ['Danish', '<h1>Du er nu i køen</h1><p>Forventet ventetid: 9 minutter</p>'],
  ['Czech', '<h1>Jste ve frontě</h1><p>Odhadovaná doba čekání: 6 minut</p>'],
  ['Turkish', '<h1>Şu anda sıradasınız</h1><p>Tahmini bekleme süreniz: 5 dakika</p>'],
  ['Russian', '<h1>Вы находитесь в очереди</h1><p>Примерное время ожидания: 5 минут</p>'],
  ['Arabic', '<h1>أنت الآن في قائمة الانتظار</h1><p>وقت الانتظار المقدر: 5 دقائق</p>'],
  ['Italian, politely', '<h1>Sala d’attesa</h1><p>Si prega di non chiudere o aggiornare questa pagina.</p>'],
  ['Italian to Lei', '<p>Lei è in coda. Ci sono 88 persone prima di Lei.</p>'],
  ['Spanish to usted', '<h1>Usted ha entrado en la fila</h1><p>Personas delante de usted: 93</p>'],
  ['Hebrew', '<h1>אתם בתור</h1><p>זמן המתנה משוער: 5 דקות</p>'],
  ['Hindi', '<h1>आप कतार में हैं</h1><p>अनुमानित प्रतीक्षा समय: 5 मिनट</p>'],
  ['Malay', '<h1>Anda berada dalam barisan</h1><p>Anggaran masa menunggu: 5 minit</p>'],
  ['English with thanks for waiting', '<h1>Thank you for waiting</h1><p>Estimated wait: 5 minutes</p>'],
  [
    'English below a brand header with one link',
    `<header><a href="/"><img src="/logo.svg" alt="Pokémon Center"></a><a href="/help">Help</a></header>${ROOM_WORDS}`,
  ],
  [
    'English above a footer of side matter',
    `${ROOM_WORDS}<footer><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/contact">Contact</a><a href="/imprint">Imprint</a></footer>`,
  ],
];

judgeAll(
  'a room known by its words',
  'waiting_room',
  WORDS.map(([language, body]) => [`speaks ${language}`, answerWith(bare(body))] as const),
);
