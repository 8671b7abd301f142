/**
 * The wording of waiting rooms, by language. Each phrase is a pattern for folded text (lower case, no accents, one space
 * between words); a space also matches a line break. The four kinds are those of public waiting room templates: you are
 * in line, your place or the people ahead, the time to wait, and keep the page open.
 */
export type WaitingKind = 'inLine' | 'place' | 'wait' | 'keepOpen';

/** Thanks for waiting. Error pages and downloads say so as well, so these words alone are no evidence of a waiting room. */
export const THANKS_FOR_WAITING: readonly string[] = [
  'thank(?:s| you) for (?:\\w+ ){0,2}?waiting',
  'danke (?:furs|fur das|fur ihr|dass sie) warten|merci (?:d.avoir (?:patiente|attendu)|de votre attente)',
  'gracias por esperar|grazie per l.attesa|bedankt voor het wachten|obrigad[oa] por (?:aguardar|esperar)',
  'dziekujemy za (?:cierpliwe )?oczekiwanie',
];

type Phrases = Readonly<Record<WaitingKind, readonly string[]>>;

/** The languages in which waiting room services offer templates, and related languages. */
export const WAITING_PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    inLine: [
      "you(?: are|'re|re|'ve been| have been)(?: now| currently| all| still| already| next| set)*(?: placed| put| moved| added| waiting| standing)?(?: up)? (?:in|into|to) (?:\\w+ ){0,3}?(?:line|queue|queueing|waiting[- ]?room|lobby|pre-?queue)",
      '(?:placed|put|moved|added) you in(?:to)? (?:\\w+ ){0,3}?(?:line|queue|waiting[- ]?room)|your turn (?:is|will)',
      '(?:waiting|standing) in (?:\\w+ ){0,2}?(?:line|queue)',
      '(?:welcome to|this is) (?:\\w+ ){0,2}?(?:waiting room|queue|lobby)',
      'thank(?:s| you) for queu?e?ing',
      '(?:queue|line|waiting room) (?:is|has been)(?: currently| temporarily| now)? paused',
      "(?:nearly|almost|not yet|wait(?:ing)? for) your turn|it(?:'ll| will) be your turn",
      '(?:joined|entered) the (?:\\w+ )?(?:queue|line|waiting room)',
      'using a virtual queue to limit',
      "you(?:'ll| will)(?: \\w+)? be (?:let in|admitted|allowed in|sent through)",
      "(?:sale|event|drop|launch|queue) (?:has not|hasn't|is not|isn't)(?: yet)? (?:begun|started|opened|open)(?: yet)?",
    ],
    place: [
      '(?:number|place|position|spot) in (?:\\w+ ){0,2}?(?:line|queue)',
      'when (?:\\w+ ){1,6}(?:begins|starts|opens),? (?:\\w+ ){1,5}(?:assigned|given|gets?|receives?) (?:\\w+ ){0,3}?(?:place|position|number)',
      '(?:people|users|visitors|customers|fans|shoppers|others|persons|trainers|guests)(?: \\w+){0,3}? (?:ahead of|in front of|before) you',
      '(?:ahead of|in front of) you[^a-z0-9]{0,4}\\d|\\d[\\d,. ]{0,9} (?:people |users |visitors )?ahead|(?:people|users|visitors|fans|shoppers) ahead',
      '(?:queue|line|my|your|serving|current) (?:position|number|place|spot|turn)[^a-z0-9]{0,4}(?:is )?[^a-z0-9]{0,3}\\d',
      "(?:advances past your|my|your) position in the line|you(?:'re| are)(?: now| currently)? (?:number |no\\.? |#) ?\\d",
      "you(?:'re| are)(?: now| currently)? \\d[\\d,.]*(?:st|nd|rd|th)? in (?:the )?(?:line|queue)",
    ],
    wait: [
      '(?:estimated|expected|approximate|approx\\.?|average|current|your|remaining|anticipated)(?: \\w+)? wait(?:ing)?(?: time)?',
      'wait(?:ing)? time ?(?:is|:|of|-|~|≈|\\d)|estimated time ?(?:remaining|left|until|to|:)|time (?:remaining|left)|(?:expected|estimated) (?:arrival|entry) time',
      'wait(?:ing)?[^\\d.!?\\n]{0,25}\\d+ ?(?:min|hour|sec)',
    ],
    keepOpen: [
      "(?:do not|don't|never|avoid|without) (?:close|leav|refresh|reload|exit)\\w*(?: \\w+){0,5}? (?:page|window|tab|browser|line|queue)",
      "(?:do not|don't|no need to)(?: hit)? (?:refresh|reload)|(?:refreshing|closing|leaving|reloading) (?:this|the|your) (?:page|window|tab|browser)",
      '(?:keep|leave|stay on|remain on) (?:\\w+ ){0,3}?(?:page|window|tab|browser|screen)',
      'page will(?: \\w+)? (?:refresh|reload|update)|(?:refresh|reload|update)(?:s|es)? automatically|automatically (?:refresh|reload|update)',
    ],
  },
  de: {
    inLine: [
      '(?:sind|bist|seid|befinde(?:n|st|t)|steh(?:en|st|t)|warte(?:n|st|t)|wurde(?:n|st|t)?|haben|sie|du)(?: \\w+){0,4}? (?:in|im)(?: \\w+){0,2}? (?:warteschlange|warteraum|wartezimmer|schlange|wartebereich|wartesaal)',
      'willkommen (?:im|in der|in unser\\w+)(?: \\w+)? (?:warteraum|warteschlange|wartezimmer)',
      'warteschlange (?:ist|wurde)(?: \\w+){0,2}? (?:pausiert|angehalten)',
      '(?:gleich|bald|fast|in kurze)(?: \\w+)? (?:an der reihe|dran)',
      'in (?:die|eine)(?: virtuelle)? (?:warteschlange|schlange) (?:gestellt|eingereiht|aufgenommen)',
      '(?:verkauf|event|veranstaltung|aktion) hat noch nicht (?:begonnen|angefangen)',
    ],
    place: [
      '(?:platz|position|nummer|wartenummer|stelle)(?: \\d+)? in der (?:\\w+ )?(?:warteschlange|schlange|reihe)',
      '(?:personen|nutzer|benutzer|besucher|kunden|leute|andere|fans|menschen|trainer)(?: \\w+){0,3}? vor (?:ihnen|dir|euch)',
      'vor (?:ihnen|dir|euch)(?: \\w+){0,4}? ?:? ?\\d|wartenummer|warteposition|(?:ihr|dein)e? (?:platz|position|nummer) ?:? ?\\d',
    ],
    wait: [
      '(?:voraussichtlich|geschatzt|ungefahr|verbleibend|erwartet|aktuell|ihr|dein)e?[rn]?(?: \\w+)? wartezeit',
      'wartezeit ?(?:betragt|:|ca|von|liegt|\\d)|wartezeit[^\\d.!?\\n]{0,30}\\d+ ?(?:min|stunde|sek)|noch (?:etwa |ca\\. ?|rund |ungefahr )?\\d+ ?(?:min|stund)',
    ],
    keepOpen: [
      '(?:seite|fenster|tab|browser|browserfenster)(?: \\w+){0,4}? (?:nicht(?! (?:gefunden|verfugbar|erreichbar|vorhanden|mehr|angezeigt))|geoffnet|offen|automatisch)',
      '(?:schliess|aktualisier|verlass|lade)\\w* (?:sie )?(?:\\w+ ){0,3}?(?:seite|fenster|browser|browserfenster|tab)(?: \\w+){0,3}? nicht',
      'nicht (?:neu ?zu ?laden|neu laden|aktualisieren|schliessen|verlassen)',
    ],
  },
  fr: {
    inLine: [
      "(?:vous etes|tu es|vous avez ete|vous attendez|vous patientez|vous voila|vous vous trouvez)(?: \\w+){0,4}? (?:dans|en)(?: \\w+){0,2}? (?:file|queue|salle d'attente)",
      "bienvenue dans (?:la|notre) (?:file|salle) d'attente|file d'attente(?: virtuelle)? (?:est )?(?:en pause|suspendue)",
      "(?:bientot|presque) votre tour|attendez votre tour|vous faites(?: \\w+)? la queue|(?:vente|evenement) n'a pas encore (?:commence|debute)",
    ],
    place: [
      "(?:place|position|numero|rang) (?:dans la (?:file|queue)|en file)|numero d'attente",
      '(?:personnes|utilisateurs|visiteurs|clients|internautes)(?: \\w+){0,3}? (?:devant|avant) (?:vous|toi)',
      '(?:devant|avant) vous[^a-z0-9]{0,4}\\d|(?:votre|ta) (?:position|place|numero)(?: est)?[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      "(?:temps|duree|delai) d'attente(?: \\w+)? ?(?:estime|prevu|approximati|restant|moyen|actuel|est|:|\\d)",
      "attente estimee|temps (?:restant )?estime|(?:temps|duree|delai) d'attente[^\\d.!?\\n]{0,25}\\d",
    ],
    keepOpen: [
      '(?:ne (?:fermez|quittez|rafraichissez|actualisez|rechargez|ferme|quitte) pas|ne pas (?:fermer|quitter|actualiser|rafraichir|recharger))',
      '(?:gardez|laissez|conservez|garde|laisse|restez sur) (?:\\w+ ){0,2}?(?:page|fenetre|onglet)',
      "page (?:sera |est |va |se |s')(?:\\w+ ){0,3}?(?:actualis|rafraich|recharg|mise a jour|automatiquement)|(?:s'actualise|se rafraichi|se recharge)\\w*",
    ],
  },
  es: {
    inLine: [
      '(?:estas|esta|se encuentra|te encuentras|has? sido|esperando|sigues|has? (?:entrado|ingresado)|(?:le|te) (?:ha|han|hemos) puesto|ya estas)(?: \\w+){0,4}? (?:en|a)(?: \\w+){0,2}? (?:fila|cola|sala de espera|linea de espera)',
      'bienvenid[oa]s? a (?:la|nuestra) (?:sala de espera|fila|cola)|(?:fila|cola)(?: virtual)? (?:esta|ha sido)(?: \\w+)? (?:en pausa|pausada|detenida)',
      '(?:casi|pronto) (?:es|sera) tu turno|espera(?:r|ndo)? (?:a que sea )?(?:tu|su) turno|(?:venta|evento) (?:aun|todavia) no ha (?:comenzado|empezado)',
    ],
    place: [
      '(?:lugar|posicion|puesto|numero|turno) (?:actual )?en (?:la |esta )?(?:fila|cola|linea)',
      '(?:personas|usuarios|visitantes|clientes|gente)(?: \\w+){0,3}? (?:delante|antes|por delante)',
      '(?:delante de|antes que) (?:ti|usted|tu)[^a-z0-9]{0,4}\\d|(?:tu|su) (?:posicion|lugar|numero|turno)(?: es)?[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      'tiempo (?:de espera )?(?:estimado|aproximado|previsto|restante)|espera estimada',
      'tiempo de espera ?(?::|es|de|\\d)|tiempo de espera[^\\d.!?\\n]{0,25}\\d',
    ],
    keepOpen: [
      'no (?:cierre|actualice|recargue|abandone|refresque|salga)(?:s|n)?|sin (?:cerrar|recargar|actualizar)',
      '(?:mantenga|manten|mantene|deje|deja|permanezca en|permanece en) (?:\\w+ ){0,3}?(?:pagina|ventana|pestana)',
      '(?:pagina|ventana) se (?:actualiz|recarg|refresc)',
    ],
  },
  it: {
    inLine: [
      "(?:sei|lei e|ti trovi|si trova|siete|e stato|e stata|sei stato|sei stata|stai aspettando|stai attendendo)(?: \\w+){0,4}? (?:in|nella)(?: \\w+){0,2}? (?:coda|fila|sala d'attesa|sala di attesa|lista d'attesa)",
      "benvenut[oaie] (?:in|nella|alla)(?: \\w+)? (?:sala d'attesa|sala di attesa|coda)|coda (?:e|e stata)(?: \\w+)? (?:in pausa|sospesa)",
      '(?:quasi|presto) il tuo turno|attendi il tuo turno|(?:vendita|evento) non e ancora (?:iniziat|cominciat)',
    ],
    place: [
      '(?:posto|posizione|numero) (?:in|nella) (?:coda|fila)',
      '(?:persone|utenti|visitatori|clienti)(?: \\w+){0,3}? (?:davanti|prima)',
      '(?:davanti a|prima di) (?:te|lei|voi)[^a-z0-9]{0,4}\\d|(?:la tua|sua|tua) posizione(?: e)?[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      "(?:tempo (?:di |d')attesa|attesa)(?: \\w+)? (?:stimat|previst|approssimativ)|tempo (?:stimato|previsto|rimanente)",
      "tempo (?:di |d')attesa ?(?::|e |\\d)|tempo (?:di |d')attesa[^\\d.!?\\n]{0,25}\\d",
    ],
    keepOpen: [
      'non (?:chiuder|aggiorn|ricaric|abbandon|lasci|usci|chiuda)\\w*|senza (?:chiudere|ricaricare|aggiornare)',
      '(?:tieni|mantieni|lascia|tenga|mantenga|tenere|lasciare|rimani su) (?:\\w+ ){0,2}?(?:pagina|finestra|scheda)',
      '(?:pagina|finestra) (?:si|verra|sara)(?: \\w+){0,2}? (?:aggiorn|ricaric)',
    ],
  },
  nl: {
    inLine: [
      '(?:je|u|jij|jullie) (?:staat|bent|bevindt|wacht|zit|sta)(?: \\w+){0,4}? in (?:\\w+ ){0,2}?(?:wachtrij|rij|wachtkamer|wachtruimte)',
      '(?:staat|bent|bevindt)(?: \\w+){0,3}? in (?:\\w+ ){0,2}?(?:wachtrij|rij|wachtkamer|wachtruimte)',
      'welkom in (?:\\w+ ){0,2}?(?:wachtkamer|wachtrij|wachtruimte)|wachtrij is(?: \\w+)? (?:gepauzeerd|stilgezet)',
      '(?:bijna|zo|straks)(?: \\w+)? aan de beurt|(?:verkoop|evenement) is nog niet (?:begonnen|gestart)',
    ],
    place: [
      '(?:plaats|plek|positie|nummer) in (?:de|deze) (?:\\w+ )?(?:wachtrij|rij)|wachtrijnummer',
      '(?:mensen|personen|gebruikers|bezoekers|wachtenden|klanten|anderen)(?: \\w+){0,3}? voor (?:je|u|jou)',
      'voor (?:je|u|jou)[^a-z0-9]{0,4}\\d|(?:je|jouw|uw) (?:plaats|positie|nummer)(?: is)?[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      '(?:geschatte|verwachte|resterende|huidige|je|jouw|uw)(?: \\w+)? wachttijd',
      'wachttijd ?(?::|is|bedraagt|\\d)|wachttijd[^\\d.!?\\n]{0,25}\\d',
    ],
    keepOpen: [
      '(?:sluit|ververs|vernieuw|verlaat|herlaad) (?:\\w+ ){0,3}?(?:pagina|venster|scherm|tabblad|browser)(?: \\w+){0,2}? niet',
      '(?:houd|laat|blijf op) (?:\\w+ ){0,2}?(?:pagina|venster|tabblad|browser|scherm)',
      '(?:pagina|scherm) (?:wordt|vernieuwt|ververst)(?: \\w+){0,2}? ?(?:automatisch|vernieuwd|ververst)|niet (?:te )?(?:sluiten|vernieuwen|verversen|verlaten)',
    ],
  },
  pt: {
    inLine: [
      '(?:esta|estas|foi|entrou|encontra-se|se encontra|aguardando|agora)(?: \\w+){0,4}? (?:na|em|numa|uma|a)(?: \\w+){0,2}? (?:fila|sala de espera)',
      'bem-vind[oa]s? a (?:nossa )?(?:sala de espera|fila)|fila(?: virtual)? (?:esta|foi)(?: \\w+)? (?:pausada|em pausa|suspensa)',
      '(?:quase|em breve)(?: \\w+){0,2}? (?:sua|tua) vez|aguarde (?:a )?sua vez|(?:venda|evento) ainda nao (?:comecou|iniciou)',
    ],
    place: [
      '(?:lugar|posicao|numero|senha) (?:atual )?na (?:fila|lista)',
      '(?:pessoas|usuarios|utilizadores|visitantes|clientes)(?: \\w+){0,3}? (?:a|na) (?:sua |tua )?frente|(?:pessoas|usuarios|clientes) antes de',
      '(?:sua|tua) posicao(?: e)?[^a-z0-9]{0,4}\\d|(?:sua|tua) frente[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      'tempo (?:de espera )?(?:estimado|aproximado|previsto|restante)|espera estimada',
      'tempo de espera ?(?::|e |\\d)|tempo de espera[^\\d.!?\\n]{0,25}\\d',
    ],
    keepOpen: [
      'nao (?:fech|atualiz|recarregu|saia|abandon)\\w*|sem (?:fechar|recarregar|atualizar)',
      '(?:mantenha|deixe|mantem|permaneca) (?:\\w+ ){0,2}?(?:pagina|janela|aba|guia|separador)',
      'pagina (?:sera|ira|vai|e|se)(?: \\w+){0,2}? ?(?:atualiz|recarreg)|pagina (?:atualiza|recarrega)',
    ],
  },
  pl: {
    inLine: [
      '(?:jestes|jestescie|znajdujesz sie|znajduja sie|czekasz|stoisz|oczekujesz|zostales|zostalas|masz)(?: \\w+){0,4}? (?:w|do|we)(?: \\w+){0,2}? (?:kolejce|kolejki|poczekalni)',
      'witamy w (?:\\w+ )?(?:poczekalni|kolejce)|kolejka (?:jest|zostala)(?: \\w+)? wstrzymana|poczekaj na swoja kolej|(?:sprzedaz|wydarzenie) jeszcze sie nie rozpocz',
    ],
    place: [
      '(?:miejsce|pozycja|numer) w (?:\\w+ )?kolejce|przed (?:toba|panstwem|panem|pania)',
      '(?:twoja|twoje|twoj) (?:pozycja|miejsce|numer)[^a-z0-9]{0,4}\\d',
    ],
    wait: [
      '(?:szacowany|przewidywany|szacunkowy|orientacyjny|pozostaly|twoj) czas',
      'czas oczekiwania ?(?::|to|wynosi|\\d)',
    ],
    keepOpen: [
      'nie (?:zamyka|odswieza|opuszcza|wychod|wylacza)\\w*',
      '(?:pozostaw|zostaw|miej|trzymaj|pozostan na) (?:\\w+ ){0,3}?(?:stron|okn|kart)\\w*',
      'strona (?:\\w+ ){0,3}?automatycznie|automatycznie (?:sie )?odswie',
    ],
  },
  cy: {
    inLine: [
      '(?:rydych|rwyt|ydych|chi|wyt ti|ti)(?: \\w+){0,5}? (?:yn|mewn|i)(?: \\w+){0,2}? (?:ciw|cuddfan|rhes|llinell|ystafell aros|lobi)',
      "croeso i(?:'r| ein)? (?:ciw|ystafell aros|lobi)|(?:ciw|ystafell aros) (?:wedi ei |wedi'i )?(?:oedi|seibio)|eich tro (?:chi|nesaf)",
    ],
    place: [
      '(?:safle|lle|rhif)(?: \\w+)? (?:yn|mewn) (?:\\w+ )?(?:ciw|rhes|llinell)',
      "o'(?:ch|th) blaen|(?:eich|dy) (?:safle|rhif|lle)[^a-z0-9]{0,4}\\d",
    ],
    wait: ["amser aros|(?:amcangyfrif|disgwyliedig)\\w* (?:o'r )?(?:amser|aros)"],
    keepOpen: [
      "peidiwch a(?:'i| |g |'r )?(?:chau|cau|adnewyddu|gadael|ail-?lwytho)|paid a (?:chau|gadael)",
      '(?:cadwch|gadewch|cadwa) (?:\\w+ ){0,2}?(?:tudalen|dudalen|ffenestr|tab)|(?:tudalen|dudalen) (?:\\w+ ){0,3}?(?:adnewyddu|diweddaru|ail-?lwytho)',
    ],
  },
  ga: {
    inLine: ['(?:ta tu|ta sibh|tusa)(?: \\w+){0,4}? (?:sa|i)(?: \\w+)? (?:scuaine|chiu|seomra feithimh)'],
    place: ['(?:ait|uimhir|ionad) (?:\\w+ )?sa (?:scuaine|chiu)|(?:romhat|os do chomhair)'],
    wait: ['am feithimh|tréimhse feithimh'],
    keepOpen: ['na (?:dun|fag|athnuaigh)|coinnigh (?:\\w+ ){0,3}?oscailte'],
  },
  ca: {
    inLine: [
      '(?:ets|sou|esteu|estas|esta|us trobeu|et trobes)(?: \\w+){0,4}? (?:a|en)(?: \\w+){0,2}? (?:cua|sala d.espera)',
    ],
    place: [
      '(?:lloc|posicio|numero) a la cua|(?:persones|usuaris)(?: \\w+){0,2}? (?:davant|abans)|(?:posicio|lloc)[^a-z0-9]{0,4}\\d',
    ],
    wait: ["temps d'espera|espera estimada"],
    keepOpen: [
      'no (?:tanqu|actualitz|abandon|recarregu)\\w*|(?:mant(?:en|in)\\w*|deix\\w+) (?:\\w+ ){0,2}?(?:pagina|finestra)',
    ],
  },
  hrSrSl: {
    inLine: [
      '(?:nalazite se|cekate|sada ste|ste|vi ste|si)(?: \\w+){0,4}? (?:u|v)(?: \\w+){0,2}? (?:redu|cekaonici|cakalnici|vrsti)',
      '(?:налазите се|чекате|сада сте)(?: [^\\s.!?]+){0,4}? у (?:реду|чекаоници)',
    ],
    place: [
      '(?:mjesto|mesto|pozicija|broj|stevilka)(?: \\w+)? (?:u|v) (?:redu|vrsti)|(?:ispred|pred) (?:vas|vama|vami|tobom)|испред вас',
    ],
    wait: [
      '(?:procijenjeno|procenjeno|predvideno|ocenjeni|predvideni|preostalo) (?:vrijeme|vreme|cas)|(?:vrijeme|vreme|cas) cekanja|cas cakanja|време чекања',
    ],
    keepOpen: [
      'ne(?:mojte)? (?:zatvar|zatvor|osvjezav|osvezav|napust|zapir|zaprite)\\w*|stranica ce se (?:\\w+ )?(?:osvjez|osvez)\\w*|не затварајте',
    ],
  },
  bg: {
    inLine: [
      '(?:вие сте|намирате се|чакате|в момента сте)(?: [^\\s.!?]+){0,4}? (?:на|в) (?:[^\\s.!?]+ )?(?:опашка|чакалня)',
    ],
    place: ['(?:място|номер|позиция)(?: [^\\s.!?]+){0,2}? (?:в|на) опашка|преди вас|пред вас'],
    wait: ['време за (?:из)?чакване|(?:очаквано|приблизително) време'],
    keepOpen: ['не (?:затваряйте|обновявайте|напускайте)'],
  },
  lt: {
    inLine: ['(?:jus|jusu|esate|laukiate|stovite)(?: \\w+){0,4}? (?:eileje|eile|laukiamajame)'],
    place: ['(?:vieta|numeris|pozicija) eileje|(?:pries|priesais) jus'],
    wait: ['laukimo (?:laikas|trukme)|numatomas (?:\\w+ )?laikas'],
    keepOpen: ['ne(?:uzdarykite|atnaujinkite|isjunkite)'],
  },
  lv: {
    inLine: ['(?:jus|atrodaties|gaidat|esat)(?: \\w+){0,4}? (?:rinda|gaidistelpa|uzgaidamaja)'],
    place: ['(?:vieta|numurs) rinda|pirms jums|prieksa jums'],
    wait: ['gaidisanas (?:laiks|ilgums)'],
    keepOpen: ['ne(?:aizveriet|atjaunojiet|pametiet)'],
  },
  et: {
    inLine: ['(?:olete|oled|ootate)(?: \\w+){0,4}? (?:jarjekorras|ooteruumis|ootejarjekorras)'],
    place: ['(?:koht|number) jarjekorras|(?:teie|sinu) ees'],
    wait: ['oote(?:aeg|aega)|eeldatav (?:\\w+ )?aeg'],
    keepOpen: ['arge (?:sulgege|varskendage|lahkuge)|ara (?:sulge|varskenda)'],
  },
  fa: {
    inLine: ['(?:شما)[^.\\n]{0,24}(?:صف|اتاق انتظار)|اتاق انتظار|در صف (?:هستید|انتظار)'],
    place: ['(?:شماره|جایگاه|نوبت)[^.\\n]{0,12}(?:صف|شما)|نفر[^.\\n]{0,12}(?:جلوتر|قبل از شما)|جلوتر از شما'],
    wait: ['زمان (?:تقریبی )?انتظار|زمان تخمینی'],
    keepOpen: ['(?:صفحه|مرورگر|پنجره)[^.\\n]{0,16}(?:نبندید|تازه نکنید)'],
  },
  tl: {
    inLine: ['(?:nasa|nakapila)(?: \\w+){0,3}? (?:pila|waiting room)|nakapila (?:ka|kayo|ka na)'],
    place: ['(?:pwesto|numero|posisyon)(?: \\w+){0,3}? sa pila|nauuna sa (?:iyo|inyo)|una sa iyo'],
    wait: ['oras ng paghihintay|tinatayang (?:\\w+ )?(?:oras|paghihintay)'],
    keepOpen: ['huwag (?:\\w+ )?(?:isara|i-?refresh|umalis)'],
  },
  sv: {
    inLine: [
      '(?:du|ni) (?:ar|star|befinner dig|vantar|har placerats)(?: \\w+){0,4}? i (?:\\w+ )?(?:kon|ko|vantrummet|vantrum)(?:$|[^a-z])',
      'valkommen till (?:\\w+ )?(?:vantrummet|kon)',
    ],
    place: [
      '(?:plats|nummer|position) i kon|konummer',
      '(?:personer|anvandare|besokare|kunder)(?: \\w+){0,3}? (?:fore|framfor) dig',
    ],
    wait: [
      '(?:beraknad|uppskattad|forvantad|ungefarlig|aterstaende)(?: \\w+)? vantetid',
      'vantetid ?(?::|ar|\\d)',
    ],
    keepOpen: [
      '(?:stang|ladda om|uppdatera|lamna) inte|inte (?:stanga|uppdatera|lamna|ladda om)',
      '(?:hall|lat|behall) (?:\\w+ ){0,2}?(?:sidan|fonstret|fliken|webblasaren)',
      'sidan (?:uppdateras|laddas)',
    ],
  },
  daNo: {
    inLine: [
      '(?:du|i|dere) (?:er|star|befinder dig|venter|er blitt|er blevet)(?: \\w+){0,4}? i (?:\\w+ )?(?:koen|ko|ventevaerelset|venterommet|venterum)(?:$|[^a-z])',
      'velkommen til (?:\\w+ )?(?:koen|ventevaerelset|venterommet)',
    ],
    place: [
      '(?:plads|plass|nummer|position|posisjon) i koen|konummer',
      '(?:personer|brugere|brukere|besogende|kunder)(?: \\w+){0,3}? (?:foran|for) (?:dig|deg)|foran (?:dig|deg)',
    ],
    wait: [
      '(?:forventet|estimeret|estimert|anslaet|anslatt|beregnet)(?: \\w+)? ventetid',
      'ventetid\\w* ?(?::|er|\\d)',
    ],
    keepOpen: [
      '(?:luk|lukk|opdater|oppdater|genindlaes|forlad|forlat) (?:\\w+ ){0,2}?ikke|ikke (?:luk|opdater|oppdater|forla|genindlaes)\\w*',
      '(?:hold|la|lad) (?:\\w+ ){0,2}?(?:siden|vinduet|fanen)',
      'siden (?:opdateres|oppdateres)',
    ],
  },
  fi: {
    inLine: [
      '(?:olet|odotat|sinut on)(?: \\w+){0,3}? (?:jonossa|odotushuoneessa|jonoon|virtuaalijonossa)|tervetuloa (?:jonoon|odotushuoneeseen)',
    ],
    place: ['(?:paikkasi|numerosi|sijaintisi|sijoituksesi) jonossa|jononumero|ede(?:ll|ss)a(?:si|nne)'],
    wait: ['(?:arvioitu|odotettu)(?: \\w+)? odotusaika|odotusaika\\w* ?(?::|on|\\d)'],
    keepOpen: [
      'ala (?:sulje|paivita|poistu|lataa)|pida (?:\\w+ ){0,2}?(?:sivu|ikkuna|valilehti)|sivu paivittyy',
    ],
  },
  csSk: {
    inLine: [
      '(?:jste|nachazite se|cekate|stojite|ste|nachadzate sa|byli jste)(?: \\w+){0,4}? (?:ve?|vo|do)(?: \\w+){0,2}? (?:front|cekarn|poradi|rade|radu|cakarn)\\w*|vitejte v (?:\\w+ )?(?:cekarne|fronte)',
    ],
    place: [
      '(?:misto|miesto|pozice|pozicia|poradi|poradie|cislo) (?:ve?|vo) (?:\\w+ )?(?:fronte|rade)|pred vami',
    ],
    wait: ['(?:odhadovan|predpokladan|priblizn)\\w+(?: \\w+)? (?:doba|cas)|(?:doba|cas) (?:cekani|cakania)'],
    keepOpen: [
      '(?:nezavirejte|neobnovujte|neopoustejte|nezatvarajte|neopustajte)|stranka(?: \\w+){0,3}? automaticky|nechte (?:\\w+ ){0,2}?(?:stranku|okno)',
    ],
  },
  hu: {
    inLine: ['sorban (?:all|van|vagy)|varosorban|varoteremben|varakozik a sorban|udvozoljuk a varo'],
    place: ['(?:helye|helyed|sorszama|sorszamod|pozicioja)(?: \\w+)? (?:a )?sorban|on elott'],
    wait: ['(?:becsult|varhato)(?: \\w+)? (?:varakozasi )?ido|varakozasi ido'],
    keepOpen: ['ne (?:zarja|frissitse|hagyja|csukja|toltse)|oldal(?: \\w+){0,2}? frissul'],
  },
  ro: {
    inLine: [
      '(?:sunteti|esti|va aflati|te afli|asteptati|ati fost)(?: \\w+){0,4}? (?:in|la)(?: \\w+)? (?:coada|rand|sala de asteptare)',
    ],
    place: [
      '(?:locul|pozitia|numarul)(?: \\w+){0,2}? (?:in|la) (?:coada|rand)|inaintea (?:dvs|dumneavoastra|ta)',
    ],
    wait: ['timp(?:ul)?(?: \\w+)? (?:de asteptare|estimat)'],
    keepOpen: ['nu (?:inchide|reimprospata|parasi|reincarca)\\w*|pagina se va (?:reincarca|actualiza)'],
  },
  tr: {
    inLine: [
      '(?:sirada|kuyrukta|bekleme odasinda)(?:siniz|sin|yiz| bekliyorsunuz)|(?:siraya|kuyruga) (?:alindiniz|girdiniz)|sanal (?:sira|kuyruk|bekleme odasi)',
    ],
    place: ['(?:siradaki|kuyruktaki|sira) (?:yeriniz|konumunuz|numaraniz|numarasi)|onunuzde'],
    wait: ['tahmini(?: \\w+)? (?:sure|bekleme)|bekleme sure'],
    keepOpen: [
      '(?:sayfayi|pencereyi|sekmeyi)(?: \\w+){0,2}? (?:kapatma|yenileme|acik tut)\\w*|otomatik olarak (?:yenilen|guncellen)\\w*',
    ],
  },
  id: {
    inLine: [
      '(?:anda|kamu)(?: \\w+){0,4}? (?:dalam|di)(?: \\w+)? (?:antrean|antrian|barisan|giliran|ruang tunggu|bilik menunggu)|selamat datang di (?:ruang tunggu|antrean)',
    ],
    place: ['(?:nomor|nombor|posisi|kedudukan|urutan)(?: \\w+)? (?:antrean|antrian|anda)|di depan anda'],
    wait: ['(?:perkiraan|estimasi|anggaran)(?: \\w+)? (?:tunggu|menunggu)|masa menunggu'],
    keepOpen: [
      'jangan (?:tutup|menutup|refresh|muat (?:ulang|semula)|menyegarkan|tinggalkan)|otomatis (?:memuat|menyegarkan|diperbarui)|(?:dimuat ulang|diperbarui|disegarkan)(?: secara)? otomatis',
    ],
  },
  ruUk: {
    inLine: [
      '(?:вы|ти|ви)(?: [^\\s.!?]+){0,4}? (?:в|у)(?: [^\\s.!?]+){0,2}? (?:очереди|черзі|зале ожидания|комнате ожидания|залі очікування)|добро пожаловать в (?:зал|комнату) ожидания',
    ],
    place: ['(?:место|номер|позиция|місце)(?: [^\\s.!?]+)? (?:в|у) (?:очереди|черзі)|перед вами'],
    wait: [
      '(?:примерное|ожидаемое|расчетное|предполагаемое|оставшееся|приблизительное|орієнтовний) (?:время|час)|время ожидания|час очікування',
    ],
    keepOpen: [
      'не (?:закрывайте|обновляйте|покидайте|закривайте|оновлюйте)|автоматически обнов|(?:обновится|обновляется|оновиться) автоматич',
    ],
  },
  el: {
    inLine: ['(?:ειστε|βρισκεστε|περιμενετε)(?: [^\\s.!?]+){0,4}? (?:ουρα|αιθουσα αναμονης|σειρα)'],
    place: ['(?:θεση|αριθμος|σειρα)(?: [^\\s.!?]+){0,2}? στην ουρα|μπροστα (?:σας|απο εσας)'],
    wait: ['χρονος αναμονης'],
    keepOpen: ['μην (?:κλεισετε|κλεινετε|ανανεωσετε|ανανεωνετε|φυγετε)'],
  },
  ja: {
    inLine: [
      '順番待ち|順番にご案内|順番を?お待ち|お並び(?:いただ|頂|になって)|並んで(?:い|お)|待ち行列|待機列|待合室|ウェイティングルーム|待機(?:室|ルーム|中)|列に(?:並|入)|キューに(?:入|並|追加)|仮想行列|(?:販売|イベント|抽選)は?まだ(?:開始|始ま)',
    ],
    place: [
      '(?:あなた|お客様|現在)の?(?:待ち)?(?:順番|順位|番号|整理番号|位置)|待ち(?:順位|番号|順番)|前に(?:お並び|お待ち|待って|並んで|いる)|待ち人数|(?:あなた|お客様)の前|\\d+ ?人(?:待ち|が)|\\d+ ?番目|整理番号|受付番号',
    ],
    wait: ['(?:予想|推定|目安|見込み|おおよその)[^。\\n]{0,4}(?:待ち|待機)?時間|待ち時間|待機時間'],
    keepOpen: [
      '(?:ページ|画面|ウィンドウ|ブラウザー?|タブ)[^。\\n]{0,16}(?:閉じ(?:ない|ず)|開いたまま|更新(?:しない|せず)|再読み込み(?:しない|せず)|離れない)|(?:自動的に|自動で)[^。\\n]{0,12}(?:更新|再読み込み|リロード|切り替わ|移動)|閉じないで|(?:閉じ|更新し)たり',
    ],
  },
  zh: {
    inLine: [
      '(?:您|你)[^。\\n]{0,6}(?:排队|排隊)|(?:正在|已)(?:排队|排隊)|(?:排队|排隊)(?:中|等候|等待)|等候室|等待室|虚拟(?:队列|排队)|虛擬(?:隊列|排隊)|(?:队列|隊列)中',
    ],
    place: [
      '排在|前面(?:还有|還有|有)|前方(?:还有|還有|有)|(?:您|你)的?(?:位置|排队号|号码|排隊號碼|順位|序号)|(?:队列|隊列|排队|排隊)(?:位置|编号|號碼)',
    ],
    wait: [
      '(?:预计|预估|估计|預計|預估|估計)[^。\\n]{0,4}(?:等待|等候|排队|排隊|时间|時間)|(?:等待|等候|排队|排隊)(?:时间|時間)',
    ],
    keepOpen: [
      '(?:请勿|请不要|不要|請勿|請不要)(?:关闭|刷新|离开|關閉|重新整理|離開|重新載入)|(?:自动|自動)(?:刷新|更新|重新整理|跳转|跳轉|进入|進入)',
    ],
  },
  ko: {
    inLine: ['대기열|대기실|대기 ?중|줄을? ?서|순서를? ?(?:기다|대기)|접속 ?대기'],
    place: [
      '(?:대기|현재) ?(?:순번|순서|번호|인원|자 ?수)|앞에 ?\\d|(?:고객님|회원님|내) ?(?:앞|순번|대기 ?번호)|앞(?:에|의) ?대기',
    ],
    wait: ['(?:예상|남은) ?(?:대기)? ?시간|대기 ?시간'],
    keepOpen: [
      '새로 ?고침 ?(?:하시면|하면)|(?:새로 ?고침|페이지를? ?(?:닫|나가|벗어나)|창을? ?닫|브라우저를? ?닫)[^.\\n]{0,16}(?:마|않)|자동으로 ?(?:새로|이동|접속|갱신|연결)',
    ],
  },
  th: {
    inLine: ['(?:คุณ|ท่าน)[^\\n]{0,20}(?:ในคิว|เข้าคิว|ต่อคิว|รอคิว)|อยู่ในคิว|ห้องรอ'],
    place: ['ลำดับ(?:ของคุณ|ที่|คิว)|คิวที่|หมายเลขคิว|(?:ก่อน|ข้าง)หน้าคุณ'],
    wait: ['(?:ระยะ)?เวลา(?:ที่ต้อง)?รอ'],
    keepOpen: ['(?:อย่า|ห้าม|ไม่ต้อง)(?:ปิด|รีเฟรช|ออก)|(?:รีเฟรช|โหลด)[^\\n]{0,12}อัตโนมัติ'],
  },
  vi: {
    inLine: ['(?:ban|quy khach)(?: \\w+){0,3}? (?:trong|vao) (?:\\w+ )?(?:hang (?:cho|doi)|phong cho)'],
    place: ['(?:vi tri|so thu tu|so)(?: \\w+){0,3}? (?:hang (?:cho|doi))|(?:truoc|phia truoc) ban'],
    wait: ['thoi gian (?:cho|doi)'],
    keepOpen: ['(?:khong|dung)(?: \\w+)? (?:dong|tai lai|lam moi|roi)|tu dong (?:lam moi|tai lai|cap nhat)'],
  },
  he: {
    inLine: ['(?:אתם|אתה|את|הנכם|הינך|נמצאים|ממתינים)[^.\\n]{0,24}(?:בתור|חדר)|חדר המתנה|תור וירטואלי'],
    place: ['(?:לפניכם|לפניך) (?:בתור|\\d)|(?:מספר|מקום|מקומך|מקומכם)[^.\\n]{0,10}בתור'],
    wait: ['זמן ה?המתנה'],
    keepOpen: ['(?:אל|נא לא|אין) (?:ל?סגור|תסגרו|תסגור|ל?רענן|תרעננו|תרענן)'],
  },
  hi: {
    inLine: ['(?:कतार|लाइन) में|प्रतीक्षा कक्ष'],
    place: ['आपसे (?:आगे|पहले)|(?:कतार|लाइन) में आपका'],
    wait: ['(?:प्रतीक्षा|इंतज़ार|इंतजार)(?: का)? समय'],
    keepOpen: ['(?:पेज|पृष्ठ|विंडो|टैब)[^।\\n]{0,12}(?:बंद|रीफ्रेश|रिफ्रेश|रीफ़्रेश)[^।\\n]{0,6}(?:न|मत)'],
  },
  ar: {
    inLine: [
      '(?:انت|أنت|انتم|أنتم)[^.\\n]{0,20}(?:الانتظار|الطابور|الصف|قائمة)|غرفة الانتظار|قائمة الانتظار|طابور الانتظار',
    ],
    place: ['(?:رقمك|مكانك|موقعك|دورك|ترتيبك) في|امامك|أمامك'],
    wait: ['(?:وقت|مدة|زمن) الانتظار'],
    keepOpen: ['لا تغلق|عدم (?:اغلاق|إغلاق|تحديث)|(?:تحديث|تحميل)[^.\\n]{0,20}تلقائي'],
  },
};
