/**
 * How waiting rooms speak to the people in them, by language. Each phrase is a pattern on folded text (lower case,
 * no accents, one blank between words); a blank stands for a blank or a line break. The four kinds are the ones
 * that public waiting room templates show: that you are in line, your place or the people ahead, how long it may
 * take, and to keep the page open.
 */
export type WaitingKind = 'inLine' | 'place' | 'wait' | 'keepOpen';

/** Thanks for waiting: rooms say so, but so do error pages and downloads, so that it never speaks for the line alone. */
export const THANKS_FOR_WAITING: readonly string[] = [
  'thank(?:s| you) for (?:\\w+ ){0,2}?waiting',
  'danke (?:furs|fur das|fur ihr|dass sie) warten|merci (?:d.avoir (?:patiente|attendu)|de votre attente)',
  'gracias por esperar|grazie per l.attesa|bedankt voor het wachten|obrigad[oa] por (?:aguardar|esperar)',
  'dziekujemy za (?:cierpliwe )?oczekiwanie',
];

type Phrases = Readonly<Record<WaitingKind, readonly string[]>>;

export const EUROPEAN_PHRASES: Readonly<Record<string, Phrases>> = {
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
      'when (?:\\w+ ){1,6}(?:begins|starts|opens),? (?:\\w+ ){1,5}(?:assigned|given) (?:\\w+ ){0,3}?(?:place|position|number)',
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
      '(?:seite|fenster|tab|browser|browserfenster)(?: \\w+){0,4}? (?:nicht|geoffnet|offen|automatisch)',
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
      "page (?:sera|est|va|se|s')(?: ?\\w+){0,3}? (?:actualis|rafraich|recharg|mise a jour|automatiquement)|(?:s'actualise|se rafraichi|se recharge)\\w*",
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
};
