import type { AvailabilityDetail, ProductSign } from '#shared/monitor/checks/verdict';
import { anyOf } from '../../waiting-room/words/any-of';
import { wordsOf } from './product-names';
import { DATE, MONTH, lastDayIn } from './release-date';

/** What words say about the stock. */
export interface Wording {
  says: ProductSign['says'];
  detail: AvailabilityDetail | null;
}

const NO_LONGER_SOLD = anyOf(
  'discontinued|(?:we )?(?:do not|don.t|no longer) (?:sell|stock|supply|carry|make)(?: this)?|no longer (?:sold|stocked|made|produced|manufactured|in production|available(?! (?:for|to) (?:pre|home|deliver|order online)))|(?:has been|is|now) retired|end of (?:life|line)(?! (?:sale|price))|(?:will|won.t|will not) (?:not )?be (?:coming back|restocked|back in stock|returning)|not be coming back|no longer part of our range|been withdrawn|(?:removed|withdrawn|taken) (?:from|off) (?:our |the )?(?:range|sale|shelves|catalogue)|no longer (?:offered|listed|for sale|being (?:made|sold|produced))|(?:have|has|.ve|.s) stopped (?:selling|making|stocking)|(?:permanently|gone) (?:unavailable|for good)',
  'nicht mehr (?:im sortiment|im programm|erhaltlich|hergestellt|gefuhrt|verkauft|angeboten|produziert|vertrieben)|(?:aus dem|aus unserem) (?:sortiment|programm|handel)|(?:artikel|produkt)(?: \\w{1,20}){0,2} eingestellt|auslaufartikel nicht',
  'n.est plus (?:commercialise|vendu|fabrique|propose|au catalogue|en vente)|plus (?:commercialise|fabrique)|retire (?:de la vente|du catalogue)|(?:produit|article) (?:arrete|supprime|retire)|fin de (?:serie|vie)(?: du produit)?$',
  'descatalogado|ya no (?:se (?:vende|fabrica|comercializa|ofrece)|esta a la venta)|retirado de la venta|fuori (?:produzione|catalogo)|non piu in (?:vendita|produzione)|uit (?:het )?assortiment|(?:wordt|worden) niet meer (?:verkocht|geproduceerd|gemaakt|aangeboden)|uit (?:de verkoop|productie)|niet meer leverbaar|wycofan[yae]|juz nie (?:sprzedajemy|jest produkowan)|descontinuado|(?:har )?utgatt(?: ur)?|udgaet|utgatt|ukonceno|販売終了|生産終了',
);

const BACK_ORDER = anyOf(
  '(?:available |order |buy |item is |is |currently |now )?(?:on|to|for) back[\\s-]?order|back[\\s-]?order(?:ed|able| now| available| only)|back[\\s-]?order$|^back[\\s-]?orders?(?:$|[^a-z])|(?:ships|dispatched|despatched|sent|delivered) (?:with)?in \\d{1,2}(?: ?(?:-|to) ?\\d{1,2})? (?:weeks|months)|order (?:it )?now(?:,| and| -|\\.)? ?(?:and )?(?:we.ll |we will |it.s |will be )?(?:deliver|send|ship|dispatch|despatch)\\w{0,20} (?:it |to you )?(?:when|as soon as|once)|(?:ships|dispatched|sent|delivered) (?:when|once|as soon as) (?:it.s |it is )?(?:available|back in stock|in stock)|usually (?:dispatched|ships|sent)(?: within| in)? (?:\\d{1,4} to )?\\d{1,4} (?:weeks|months)|made to order|(?:special|supplier) order|(?:due|sourced|ordered|arrives|available|delivered|sent) (?:in )?(?:directly )?from (?:the|our|its) (?:\\w{1,20} )?(?:supplier|distributor|publisher|manufacturer|importer)s? (?:in|within) |(?:out of stock|no stock|not in stock|awaiting stock|re-?stocking)(?: |[,;:(–-]){1,4}(?:but )?(?:order now|orders? taken|(?:ships|dispatched|despatched|sent|delivered) (?:with)?in )|orders? (?:are )?taken, (?:the )?goods',
  'nachbestell(?:t|bar)|auf (?:nach)?bestellung|lieferbar in \\d{1,4} (?:wochen|monaten)|lieferzeit:? (?:ca\\.? )?\\d{1,4}(?:-\\d{1,4})? (?:wochen|monate)|(?:wird|ist) fur sie bestellt',
  'sur commande|reapprovisionnement ?[,:.;(–-]? ?(?:commandez|expedi\\w{1,4} (?:sous|dans|en)|livr\\w{1,4} (?:sous|dans|en))|disponible sous \\d{1,4} (?:semaines|mois)|bajo pedido|disponible para reserva|(?:disponibile )?su ordinazione|ordinabile|in nabestelling|nalevering|op bestelling|na zamowienie|nabestellen|na te bestellen|nabestelbaar|levertijd:? (?:ca\\.? )?\\d{1,3}(?: ?(?:-|a|tot) ?\\d{1,3})? (?:weken|maanden)|delai (?:de livraison )?:? ?\\d{1,3}(?: ?(?:-|a|ou) ?\\d{1,3})? (?:semaines|mois)|commandable|dostepny na zamowienie|sob encomenda|bestallningsvara|skaffevare|bestillingsvare|na objednavku|お取り寄せ',
);

const TELL_ME = anyOf(
  '(?:e-?mail|notify|tell|alert|warn|text|inform|remind|message|let) (?:me|us)(?: know)?(?: as soon as| when| once| if| about| of|$| by)|e-?mail when|(?:be|get) (?:notified|alerted|e-?mailed)|notify (?:when|me)|(?:in[\\s-]?stock|re-?stock|back[\\s-]in[\\s-]stock|stock|availability) (?:alert|notification|reminder|notify)s?|(?:register|express|show) (?:your |my )?interest|(?:join|add to|go on)(?: the| our)? (?:wait(?:ing)?[\\s-]?list|stock list)|wait(?:ing)?[\\s-]?list|(?:request|set|create|sign up for)(?: a| an)? (?:stock |restock |e-?mail )?alerts?|we.ll (?:e-?mail|let) you(?: know)?|keep me (?:posted|informed|updated)',
  'benachrichtig(?:en|ung|e)|(?:e-?mail|nachricht)(?: \\w{1,20})?,? (?:wenn|sobald) (?:wieder )?(?:verfugbar|lieferbar|auf lager)|informier(?:en|t) (?:sie )?(?:mich|werden)|erinner(?:n|e) (?:sie )?mich|sobald (?:wieder )?(?:verfugbar|lieferbar) (?:benachrichtigen|informieren)|verfugbarkeits(?:alarm|benachrichtigung)|auf die warteliste',
  'previe?n(?:ez|s)[\\s-]moi|alertez[\\s-]moi|m.(?:avertir|alerter|informer|prevenir)|(?:etre|soyez) (?:averti|alerte|prevenu|informe)|alerte (?:stock|disponibilite)|liste d.attente',
  'avis(?:a|e|ar)me|notif(?:icar|ique)me|notificarme|lista de espera|avvisami|avvertimi|notificami|lista d.attesa|houd me op de hoogte|(?:mail|informeer|waarschuw) mij|breng (?:me|mij) op de hoogte|wachtlijst|powiadom(?: mnie| o dostepnosci|ienie)|lista oczekujacych|avise-?me|bevaka|meddela mig|giv mig besked|varsle meg|ilmoita minulle|hlidat dostupnost|入荷(?:通知|お知らせ)|再入荷',
);

/** What is sold to members alone. */
const MEMBERS = anyOf(
  '(?:log|sign)(?:ged)?[\\s-]?in (?:or \\w{1,12} )?to (?:buy|order|purchase|shop|pre-?order|add|see (?:the |our )?prices?|view (?:the |our )?prices?)|(?:register|join|become a member|subscribe) to (?:buy|order|purchase)|(?:exclusive|exclusively|reserved|only available|available only|available exclusively|only(?: (?:on sale|sold|open|released))?) (?:to|for) (?:our )?(?:\\w{1,20} ){0,3}(?:members|subscribers|account holders|trade customers)(?:$|[^a-z])|(?:signed|logged)[\\s-]in \\w{1,20} only(?:$|[^a-z])|(?:members|subscribers|trade)[\\s-]only(?! (?:price|discount|offer|deal|point|perk|reward))|not (?:sold|available) to (?:other customers|the public|non-?members)|only be (?:bought|ordered|purchased|unlocked) by|(?:log|sign)[\\s-]?in to unlock',
  'nur fur (?:mitglieder|abonnenten)|(?:melden sie sich|bitte) (?:an|anmelden),? um zu (?:bestellen|kaufen)|anmelden (?:und|um zu) (?:kaufen|bestellen)|reserve aux (?:membres|abonnes|adherents)|connectez[\\s-]vous pour (?:acheter|commander)|inicia sesion para comprar|accedi per (?:acquistare|ordinare)|(?:log in|inloggen|meld je aan) om te (?:bestellen|kopen)',
);

const BALLOT = anyOf(
  '(?:enter|join|in|by|for)(?: (?:the|our|this))? (?:ballot|raffle|draw|lottery|prize draw)|ballot|raffle|(?:request|apply for|get)(?: an?| your)? invit(?:e|ation)|by invit(?:e|ation)(?: only)?|invit(?:e|ation)[\\s-]only|verlosung|tirage au sort|sorteo|sorteggio|loting|losowani|sorteio|抽選',
);

const STORES = '(?:store|stores|shop|shops|branch|branches)';
/** What is sold in shops alone. */
const STORE_ALONE = anyOf(
  `(?:in[\\s-]?${STORES}|${STORES}|collection|click (?:and|&) collect|pick[\\s-]?up)(?: purchase)? only|only (?:available )?(?:in|at|from)(?: our| selected| your local| the)*(?: \\w{1,20}){0,2} ${STORES}|exclusive(?:ly)? (?:to|in|available in)(?: our)? ${STORES}|available (?:to buy )?in[\\s-]?${STORES}(?: only)?$|(?:buy|purchase|sold|available) (?:only )?in[\\s-]${STORES}(?:$|[.!])|not sold (?:online|(?:on|through|in) (?:the|our|this) (?:web ?(?:site|store|shop)|site|online (?:store|shop)))|(?:not|un)[\\s-]?available (?:online|to order online|for (?:home )?delivery|to buy online)`,
  'nur (?:in der filiale|im markt|im laden|vor ort|in unseren? (?:filialen?|markten|laden)|abholung|zur abholung)|online nicht (?:verfugbar|erhaltlich|bestellbar)|(?:uniquement|seulement|exclusivement) (?:disponible )?en magasin|indisponible en ligne|(?:solo|unicamente|disponible solo) en tiendas?|solo in (?:negozio|punto vendita)|(?:alleen|enkel|uitsluitend) in de winkel|niet online (?:leverbaar|verkrijgbaar)|tylko w (?:sklepie|sklepach)|(?:apenas|so) na loja|endast i butik|kun i butik',
);
const STORE = anyOf(
  `(?:click (?:and|&) collect|collect(?:ion|ing)?|pick[\\s-]?up|in[\\s-]${STORES}|(?:selected|nearby|local|our|your|other|some|\\d{1,4}|check|at|from) ${STORES}|reserve (?:and|&) collect|^[a-z'\\s-]{2,30} ${STORES}(?=:))(?:$|[^a-z])`,
  'filial|abhol|(?:^|[^a-z])markt|magasins?(?:$|[^a-z])|retrait|tiendas?(?:$|[^a-z])|recoger|negozi|ritiro|winkels?(?:$|[^a-z])|afhalen|w sklepach|odbior|butik',
);
/** The delivery to the customer, whose state counts. */
const HOME = anyOf(
  '(?:home |standard |online |free )?deliver(?:y|ed|ing)|(?:^|[^a-z])online(?:$|[^a-z])|ship(?:s|ping|ped)|dispatch|despatch|lieferung|versand|livraison|envio|consegna|spedizione|bezorg|levering|dostaw|wysylk|entrega',
);

const OUT = anyOf(
  'sold[\\s-]?(?:out|through)|^sold(?:[.!]?$| (?:for |at )?[£€$])|(?:sold|bought|taken|claimed|grabbed|got) (?:the |our )?(?:very )?last(?:$|[^a-z])|last (?:one|copy|box|unit|item) (?:has |was |is |just |now ){0,3}(?:sold|gone|bought|taken|claimed)|(?:^|we have )none$|(?:every|each) (?:\\w{1,20} ){1,3}(?:claimed|taken|sold)(?:$|[^a-z])|off sale(?:$|[^a-z])|between print runs|(?:waiting for|awaiting) (?:(?:a|the|more|another|our) )?(?:\\w{1,20} )?(?:stock|re-?print|delivery|shipment|supplies|copies|more)(?:$|[^a-z])|^(?:closed|ended|out|on hold|display only)[.!]?$|(?:reserved|held|put aside) for (?:another|other|someone)|s o l d o u t|^oos$|(?:none|nothing|zero) (?:remaining|left)(?:$|[^a-z])|(?:we|we.ve|have|has|they|they.ve) (?:just )?(?:sold (?:all|every|the last)|(?:ran|run) out)(?:$|[^a-z])|in stock ?[?:]{0,2} ?(?:no|none|false|0|[✗✘✕✖❌])$|^[✗✘✕✖❌] ?(?:in stock|available)|(?:in[\\s-]?stock|available|availability|stock|status|quantity|qty)(?: [a-z]{1,12}){0,2} ?[:?] ?(?:no|none|nil|out|false|unavailable|0|✗|✘|✕)[.!]?$|nil stock|in stock (?:again )?soon|(?:drop|auction|listing|lot|ordering|order window|draw|ballot|raffle|lottery|entry|entries|registration)s?(?: has| have| is| are)?(?: now)? (?:ended|closed|over|expired|finished)(?:$|[^a-z])|(?:not|isn.t|no longer)(?: currently)? (?:for sale|eligible for purchase)|(?:^|just |you |you.ve )missed (?:it|out|this)(?:$|[^a-z])|^too late[.!]?$|100 ?% (?:claimed|sold|taken|gone)|in (?:other|someone|another)\\S{0,4}(?: \\S{1,12}){0,2} (?:baskets?|carts?|bags?)(?:$|[^a-z])|been archived|awaiting (?:a )?re-?stock|out[\\s-]of[\\s-]stock|(?:not|never|nothing|isn.t|is not|no longer|none|currently no|nil)(?: currently| presently| yet)? (?:left )?in[\\s-]?stock|no (?:more )?stock|(?:^|[^\\d.,])0 (?:items? |units? |pieces? )?(?:in stock|available|left|in stock now)|stock(?: level)?: ?(?:0(?:$|[^\\d.,])|none|no(?:$|[^a-z]))|out[\\s-]of[\\s-]print|(?:awaiting|waiting for) (?:more )?stock|temporarily (?:out|unavailable|not available)|(?:currently|presently|momentarily|now|sorry,?|sold and|is|are|product|item|delivery:?) (?:is )?(?:currently )?(?:unavailable|not available)|(?:not|isn.t|aren.t)(?: currently| yet| presently)? available|^unavailable$|no longer available|unable to (?:sell|order|buy)|(?:can.t|cannot|can not) be (?:ordered|bought|purchased)|out of ?stock|fully (?:allocated|booked)|all (?:gone|claimed|taken|allocated|redeemed)(?:$|[^a-z])|(?:article|product|item|stock|supply|supplies) (?:is |are )?exhausted|have been claimed|(?:^|[^a-z])gone(?:$|!)|(?:pre-?orders?|orders?|sales?|allocation) (?:(?:are|is|have|has|now|been) ){0,2}(?:closed|full|ended|filled|over(?! [a-z£$€\\d])|sold out|at capacity)|back (?:in stock )?soon|^back in the new year|(?:more|stock|re-?stock|re-?print|(?:next|new) (?:delivery|shipment|batch|stock))(?: is| are)? (?:coming|due|arriving|expected)(?: soon| on| in|$| \\d)|restock(?:ing|ed)? soon|unavailable (?:online|for delivery)|unavailable(?: to order| right now| at the moment| for purchase)?$',
  'ausverkauft|vergriffen|(?:leider |derzeit |momentan |zur ?zeit |aktuell )?nicht (?:mehr )?(?:auf lager|am lager|vorratig|lieferbar|verfugbar|lagernd|bestellbar|auf vorrat)|nicht zur verfugung|kein(?:e)? (?:bestand|lagerbestand|ware)|nicht lieferbar',
  'epuise|(?:en )?rupture(?: de stock| temporaire)?|indisponible|(?:plus|pas|non|actuellement pas)(?: actuellement)? (?:disponible|en stock)|(?:en (?:cours de )?|bientot en )reapprovisionnement|victime de son succes|stock epuise|hors stock',
  'agotad[oa]|sin (?:stock|existencias)|no (?:esta )?(?:disponible|hay stock|hay existencias)|fuera de (?:stock|existencias)|esaurit[oa]|non (?:e |piu )?(?:disponibile|in magazzino)|terminat[oa](?:$|[.!])|scorte esaurite',
  'uitverkocht|(?:niet|tijdelijk niet|helaas niet|momenteel niet)(?: meer)?(?: \\w{1,20})? (?:(?:op|in) voorraad|leverbaar|beschikbaar)|niet (?:meer )?(?:op|uit) voorraad|geen voorraad',
  'wyprzedan[yea]|(?:produkt |towar |chwilowo |obecnie )?niedostepn[yae]|brak (?:w magazynie|towaru|na stanie|produktu)|esgotad[oa]|indisponivel|sem (?:stock|estoque)|fora de (?:stock|estoque)',
  'slutsal[dt]|slut i lager|εξαντλ|μη διαθεσιμ|nedostupn[eay]|vypredan[eay]|nu este disponibil|rasprodan|(?:ej|inte|finns ej) i lager|udsolgt|ikke pa lager|utsolgt|loppuunmyyty|ei (?:varastossa|saatavilla)|vyprodan[oy]|neni skladem|nie je na sklade|nincs (?:raktaron|keszleten)|elfogyott|stoc epuizat|indisponibil|tukendi|stokta yok|нет в наличии|распродано|売り切れ|売切れ|品切れ|在庫(?:切れ|なし|無し)|完売|품절|售罄|缺货',
);

const HERE =
  '(?:the |your |mainland |selected |chosen |delivery |current |this )*(?:uk|u\\.k\\.?|united kingdom|great britain|gb|britain|england|country|region|location|area|territory|address)(?:$|[^a-z])';
const ELSEWHERE =
  '(?:the )?(?:us|usa|u\\.s\\.(?:a\\.)?|united states|north america|canada|eu|european union|europe|germany|france|japan|australia)';
/** What is not sold to customers in Britain. */
const NOT_TO_US = anyOf(
  `(?:cannot|can.t|not|unable to|don.t|doesn.t|won.t|isn.t|no)(?: \\w{1,20}){0,3} (?:ship(?:s|ped|ping)?|deliver(?:s|ed|y)?|sen[dt]|post(?:ed)?|dispatch(?:ed)?|sold|sell|available|purchase)(?: (?!outside)\\w{1,20}){0,4} (?:to|in|within) ${HERE}`,
  `(?:ships?|shipping|deliver(?:s|y|ed)?|available|sold|posted)(?: \\w{1,20}){0,3} (?:to|in|within) ${ELSEWHERE}(?: and canada)?(?: addresses| customers| residents)? only|only (?:ship|deliver|available|sold|post|sell)\\w{0,3}(?: \\w{1,20}){0,3} (?:to|in|within) ${ELSEWHERE}(?:$|[^a-z])`,
  'kein(?:e)? (?:versand|lieferung)(?: \\w{1,20}){0,2} (?:nach|in) (?:das )?(?:grossbritannien|vereinigte[sn]? konigreich|uk|england)|(?:pas|ne)(?: \\w{1,20}){0,3} (?:livr|expedi)\\w{1,6}(?: \\w{1,20}){0,4} (?:au royaume-uni|en grande-bretagne|votre pays)',
);
/** What is not sold abroad. */
const ABROAD = new RegExp(
  `(?:in|to|within|outside) (?:the us(?:$|[^a-z])|(?!us(?:$|[^a-z]))${ELSEWHERE}(?:$|[^a-z]))|^(?:international|overseas|worldwide)(?:$|[^a-z])`,
);
/** A shop that takes no orders now. */
const HELD = anyOf(
  'no orders (?:shall|will|can|may) be|(?:not|cannot|can.t|unable to|aren.t)(?: \\w{1,20}){0,2} (?:tak(?:e|ing)|accept(?:ing)?|process(?:ing)?|fulfil\\w{0,6}) (?:\\w{1,20} ){0,2}orders(?! (?:over|by|via|on|from|for|below|under))|(?:order(?:s|ing)?|checkout|sales|purchas(?:es|ing)|buying) (?:\\w{1,20} ){0,3}(?:is|are|has been|have been) (?:currently |now |temporarily )?(?:paused|suspended|disabled|switched off|turned off|on hold)|you (?:cannot|can.t|can not) (?:order|buy|purchase)(?: this| it| here| online| anything)? (?:at the moment|now|right now|today|until|yet)|(?:shop|store|site|website|webshop) has (?:now |permanently )?(?:closed|shut)',
);

const SOON = anyOf(
  'coming (?:very )?soon|not (?:yet )?(?:been )?released(?: yet)?|not yet (?:available|on sale|released|open)|not (?:on sale|released|open|launched) yet|available soon|launching (?:soon|on|in)|(?:drops|launches|unlocks|goes live|opens) (?:(?:in|on|at) |(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d)|^(?:public |general )?sale (?:starts|opens|begins) (?:in|on|at) |releasing soon|pre-?orders? (?:open|opening|start|available|live|launch)\\w{0,20} (?:soon|on|at|from)|goes on sale|on sale (?:from|on|soon)|demnachst|bald (?:verfugbar|erhaltlich|da)|in kurze|bientot(?: disponible)?|a venir|prochainement|proximamente|muy pronto|prossimamente|in arrivo|presto disponibile|binnenkort|verwacht$|wkrotce|zapowiedz|em breve|kommer snart|kommt bald|tulossa|pripravujeme|近日(?:発売|公開)|発売予定$',
);

/** A day from which the product is sold or sent. */
const RELEASE = anyOf(
  `(?:releas(?:es|ed|ing)|out|due(?: for release| in stock| to be released| in)?|launch(?:es|ing)|available|expected(?: to (?:ship|arrive|be released))?|ships?(?: from| on)?|dispatched|despatched|in stock|arriv(?:es|ing)|release date:?|street date:?|erscheint|erscheinungsdatum:?|sortie(?: prevue)?:?|lanzamiento:?|uscita(?: prevista)?:?|verschijnt|premiera:?|(?:wieder )?(?:lieferbar|verfugbar|erhaltlich)|disponible|disponibile|leverbaar|beschikbaar|dostepn[yea]|versand|expedie|verzending) ${DATE}`,
);
/** Pre-orders are taken now, also when the release is "coming soon". */
const PRE_ORDER_NOW = anyOf(
  'pre[\\s-]?orders? (?:it |yours |here )?(?:now|today)(?! (?:closed|sold|full))|pre[\\s-]?orders? (?:(?:is|are) )?(?:now )?open(?! (?:soon|on|at|from|in|to|next|this|later|\\d))(?:$|[^a-z])|(?:available|open) (?:now )?(?:for|to) pre[\\s-]?order',
  'jetzt vorbestell|precommandez|reserva(?:r)? (?:ahora|ya)|prenota ora|nu (?:pre-?bestellen|reserveren)|予約(?:受付中|する|注文)',
);
const PRE_ORDER = anyOf(
  'pre[\\s-]?order(?:s|ed|ing)?(?:$|[^a-z])|pre[\\s-]?sale(?:$|[^a-z])|pre[\\s-]?purchase',
  'vorbestell(?:en|ung|bar|er|t|artikel)?(?:$|[^a-z])|jetzt vorbestellen|precommand(?:e|er|es)|en pre-?commande|(?:pre-?venta|pre-?compra|reserva(?:r)?(?: ahora| ya)?$)|pre-?ordin[ae]|in prevendita|prenota(?: ora)?$|preordine|pre-?bestel|reserveer nu|(?:nu )?reserveren$|reservez|reserver(?: maintenant)?$|(?:jetzt )?reservieren$|przedsprzedaz|zamow przed premiera|pre-?venda|forhandsbok|forbestall|forudbestil|forhandsbestil|ennakkotilaa|predobjedn|予約(?:受付|注文|する)|预售|預購|사전 ?예약|предзаказ',
);

const FEW = anyOf(
  '(?:only|just|last|hurry,?(?: only)?|less than|fewer than|under) (?:the )?(?:last )?(?:\\d{1,2}|one|two|three|four|five|a few|few|couple)(?: more| items?| units?| copies| pieces?| of these)?(?: are| is)? (?:left|remaining|in stock|available|to go)|(?:^|[^\\d.,])(?:[1-5]|(?<![a-z])(?:one|two|three)) (?:items? |units? |only )?(?:left|remaining)|(?:^|[^\\d.,])\\d{1,2} left in stock|low (?:in )?stock|limited (?:stock|availability|quantit(?:y|ies))(?! (?:\\w{1,20} )?(?:produced|made|printed|worldwide|per))|(?:very )?few (?:left|remaining)|last (?:few|one|ones|remaining|item|items|piece|pieces)(?:$|[^a-z])|almost (?:gone|sold out)|nearly (?:gone|sold out)|running low|stock is low|^1 in stock|hurry,? (?:only|just)',
  '(?:nur )?noch (?:\\d{1,2}|wenige|ein|zwei|drei)(?: \\w{1,20})?(?: auf lager| verfugbar| vorratig| stuck| lieferbar|$)|(?:nur )?wenige (?:exemplare|stuck|artikel)|geringer bestand|(?:letzte[rs]?|restliche) (?:stuck|exemplare?|artikel|chance|verfugbare)|nur noch wenig|fast ausverkauft|knapper? (?:bestand|vorrat)',
  '(?:plus que|il ne reste (?:plus )?que|seulement) \\d{1,2}|derniere?s? (?:articles?|pieces?|exemplaires?|disponibles?|unites?)|quelques (?:exemplaires|pieces)|il (?:n.en )?reste (?:plus que )?\\d{1,2}|stock (?:limite|faible)|bientot epuise',
  '(?:solo|ultim[oa]s?|quedan?|quedan solo|solo quedan?)(?: \\w{1,20})? \\d{1,2}(?: unidad| en stock|$|[^\\d])|ultim[ao]s (?:unidades|articulos|piezas|existencias|ejemplares)|pocas (?:unidades|existencias)|pochi (?:pezzi|articoli)|poche unita|(?:solo|ultimi|rimangono|ne restano)(?: \\w{1,20})? \\d{1,2}(?: pezz| disponibil|$|[^\\d])|ultim[aeio] (?:pezz|articol|disponibil|copi|unita|rimast)[a-z]{0,4}|disponibilita limitata',
  '(?:nog )?(?:maar|slechts) \\d{1,2}(?: \\w{1,20})?|nog \\d{1,2} (?:op voorraad|stuks|beschikbaar)|laatste (?:stuks|exempla)|bijna uitverkocht|beperkte voorraad|beperkt (?:op voorraad|leverbaar)|(?:ostatni[ea]?|zostal[oay]?(?: tylko)?|tylko)(?: \\d{1,2})? (?:sztuk|szt|egzemplarz)|niski stan|ultimas (?:unidades|pecas)|apenas \\d{1,2}|fa kvar|endast \\d{1,2}|kun \\d{1,2} (?:pa lager|tilbage|igjen)|posledni (?:kus|kusy)|残り(?:わずか|\\d)',
);

const IN = anyOf(
  '(?:^|[^a-z])in[\\s-]?stock(?:$|[^a-z])|(?:^|[^a-z])(?:available (?:now|today|online|immediately|for (?:home )?delivery|to (?:order|buy)|for (?:purchase|dispatch|despatch|immediate))|ready (?:to (?:ship|dispatch|despatch|go)|for (?:dispatch|despatch)))|^available$|availability: ?(?:yes|available|in stock|now)|available$|stock(?: level)?: ?(?:[1-9]\\d{0,5}|yes|high|good|available)(?:$|[^\\d.,])|(?:[1-9]\\d{0,4})\\+? (?:items? |units? |pieces? )?(?:available|in stock)|(?:plenty (?:available|left|in stock|of stock)|^plenty$|high stock|good stock|stock available)|leaves (?:us )?today',
  '(?:^|[^a-z])(?:auf|an|am) lager|lagernd|vorratig|(?:sofort |jetzt |online )?(?:lieferbar|verfugbar)|auf vorrat|sofort versandfertig|lieferzeit:? (?:ca\\.? )?\\d(?:-\\d)? (?:werk)?tage?',
  '(?:^|[^a-z])en stock|disponible(?: immediatement| en ligne|$|[^a-z])|expedie sous|hay existencias|en existencias|(?:prodotto |subito )?disponibile|disponibilita immediata|pronta consegna|in magazzino|op voorraad|in voorraad|uit voorraad leverbaar|(?:direct |wel )?leverbaar|beschikbaar|w magazynie|(?:produkt |towar )?dostepn[yea](?:$|[^a-z])|na stanie|wysylka (?:w )?24|em (?:stock|estoque)|disponivel|(?:finns |(?:^|[^a-z]))i lager|pa lager|varastossa|skladem|na sklade|raktaron|keszleten|in stoc|stokta|в наличии|在庫(?:あり|有り)|재고 ?있음|有货|現貨|现货',
);

const IF = anyOf(
  '(?:^|[^a-z])(?:if|when|once|whenever|as soon as|until|unless|wenn|sobald|falls|bis|si|quand|lorsque|des que|cuando|en cuanto|quando|appena|als|zodra|wanneer|gdy|jesli|kiedy|assim que)(?:$|[^a-z])',
);
/** The end of a text that tells of the past: "this set was". */
const PAST =
  /(?:^|[^a-z])(?:was|were|had been|have been|used to be|never|rarely|seldom|hardly ever|last (?:seen|known)|previously|last time(?: (?:it|they|these|we))?|etai(?:t|ent)|war|waren|fue|estaba|era|byl[aoy]?)(?: [a-z]{1,12}){0,2}[ -]?.?$/;
/** Behind "sold out": how fast it was, or where. */
const QUICKLY =
  /^ ?\? |^(?:の|と|に)?(?:な(?:る|った|り))?(?:際|場合|時|次第)|^ (?:(?:in|within) (?:just |only |under |a few |less than |the first )?(?:\d{1,3} )?(?:seconds?|minutes?|hours?|days?|no time|record)|very fast|fast|quickly|instantly|everywhere|elsewhere|at (?:launch|most|other|the big))/;
/** A day to come, behind words such as "back in stock". */
const LATER = `(?:in|on|by|from|around|next|this|early|mid|late|at the end|end|within|towards?|later|shortly|soon|again|ab|am|im|le|fin|debut|mi|en|el|il|a|op|vanaf|od|${MONTH})(?:$|[^a-z])`;
/** What is expected is not there: "we expect it back in stock", "back in stock in March". */
const EXPECTED = new RegExp(
  `(?:will|should|expect(?:ed|ing|s)?|hop(?:e|ing)|due|awaiting|to be|are getting)(?: [a-z]{1,12}){0,3} (?:in stock|available)(?:$|[^a-z])(?! (?:at|for) (?:your|collection))|back in stock ${LATER}|(?:wieder|de retour|de nouveau|weer|di nuovo|de nuevo|ponownie) (?:auf lager|lieferbar|verfugbar|en stock|disponible|disponibile|op voorraad|leverbaar|dostepny) ${LATER}|(?:voraussichtlich|verwacht|previst[oa]) (?:wieder )?(?:ab |am |vanaf )?`,
);
/** Before words such as "in stock": "no more available", "zero in stock". */
const NONE_OF =
  /(?:^|[^a-z])(?:no|zero|nil|none|nothing)(?: (?:more|further|copies|units|items|boxes|packs|left|are|is|currently|now|of|these|them)){0,3} ?$/;
/** A filter, a date of the past, or the stock of others. */
const NOT_NOW =
  /in[\s-]stock only|last in stock:? \d|in stock (?:\w{1,20} ){0,3}ago(?:$|[^a-z])|in stock (?:at|with) (?:\d{1,4}|other|these|our suppliers?|(?:the |our )?suppliers?)(?:$|[^a-z])/;
/** What else may be "available" or "in stock" beside a product. */
const OTHER_SUBJECT =
  /(?:^|[^a-z])(?:gift|finance|credit|klarna|paypal|clearpay|wrap(?:ping)?|spares?|parts|rule ?books?|instructions?|pdf|downloads?|guides?|demo|samples?|trial|colou?rs|sizes|styles|returns?|warranty|insurance|quotes?|discounts?|trade|part exchange|support|apps?|videos?|accessor(?:y|ies)|matching|other|also|replacements?|subscriptions?|memberships?|vouchers?|tracking|express|next[ -]day|same[ -]day|instal(?:l?ments?)?|layaway|lay-?by|wholesale|bulk|sleeves|binders?|refills?|customer service|live chat)(?:$|[^a-z])/;
const GENERAL = anyOf(
  '^(?:everything|anything|nothing)(?:$|[^a-z])(?!.{0,30}(?:sold out|out of stock|unavailable))|pre-?orders (?:never|always|ship|will|may|can|cannot|placed|charged|over|with|are (?:charged|sent|shipped|dispatched|not|final|guaranteed|billed|held))(?:$|[^a-z])|(?:all|most|some|any|our|many|of|on|for) (?:\\w{1,20} )?(?:items|products|orders|goods|lines)|(?<!last )(?<!\\d )items? (?:that are )?in stock|in[\\s-]stock (?:items|products|orders|goods|lines|date|alternatives?|titles|picks|favou?rites|now in|et dans|in derselben)|en stock et |(?:lines|products|titles|designs|games) (?:are |always )?in stock|(?:orders|items) (?:placed|in stock) before|alle artikel|tous les articles|stock (?:levels|photo|image|check|availability)(?: \\w{1,20}){0,3} (?:may|can|are)',
);

const BUY = anyOf(
  '^(?:\\+ ?)?(?:add(?: (?:item|this|product|\\d{1,4}|one|it|all))?(?: \\w{1,20})? (?:to|into) (?:my |your |the |shopping )*(?:cart|basket|bag|trolley|order)|add(?:$| [-|·•]? ?[£€$])|buy(?: (?:it|this|one|new|me|online|item))*(?: now| online| today)?(?:$|[^a-z])|purchase(?: now)?$|order(?: (?:it|online|this))*(?: now| today| online)?$|get it now$|(?:put )?in(?:to)? (?:my |the )?(?:basket|bag|trolley)$|buy (?:and|&) checkout$|i(?:.d| would)? (?:want|like) to buy(?: this(?: item)?)?$)',
  '^(?!(?:go|back|view|continue|return|proceed|see|check|head|jump|items?|already|added|nothing|what|save|saved|move|moved)(?: |$))[a-z]{2,12}(?: [a-z]{1,12}){0,2} (?:in|into|to) (?:(?:my|your|the|our) )?(?:shopping )?(?:cart|basket|bag|trolley)$',
  '(?:^|[^a-z])add to (?:my |your )?(?:cart|basket|bag|trolley)(?:$|[^a-z])|(?:^|[^a-z])buy (?:it )?now(?:$|[^a-z])',
  'in den (?:waren|einkaufs)(?:korb|wagen)|zum warenkorb hinzufugen|in (?:den )?(?:korb|warenkorb)|^(?:jetzt |sofort )?(?:kaufen|bestellen)$',
  'ajouter (?:au|a mon|a votre|dans (?:le|mon)) (?:panier|sac|caddie)|^(?:acheter|commander)(?: maintenant)?$|^au panier$',
  '(?:anadir|agregar|meter|anade)(?: \\w{1,20})? (?:al|a la|a mi|en el) (?:carrito|carro|cesta|bolsa)|^comprar(?: ahora| ya)?$|aggiungi al(?: tuo)? carrello|^(?:acquista|compra)(?: ora| subito)?$|metti nel carrello',
  '(?:in|toevoegen aan|voeg toe aan|plaats in)(?: (?:de|mijn|je|uw))? (?:winkelwagen|winkelmand(?:je)?|mandje)|^(?:bestel(?:len)?|koop)(?: (?:nu|direct))?$|(?:dodaj |wloz )?do koszyka|^(?:kup|zamow)(?: teraz)?$|(?:adicionar|colocar) (?:ao|na|no) (?:carrinho|cesto|sacola)',
  'lagg (?:i|till i) (?:varukorg|kundvagn|korg)(?:en)?|^kop(?: nu)?$|(?:laeg|tilfoj|leg) (?:i|til) (?:kurv|indkobskurv)(?:en)?|^kob(?: nu)?$|legg i (?:handlekurv|kurv)(?:en)?|^kjop(?: na)?$|lisaa (?:ostos)?koriin|^osta(?: nyt)?$|(?:pridat |vlozit )?do kosik[ua]|^koupit$|kosarba|adauga in cos|sepete ekle|в корзину|купить|カートに(?:入れる|追加)|かごに入れる|購入する|今すぐ購入|장바구니|加入(?:购物车|購物車)|立即(?:购买|購買)',
);

const CHOOSE = anyOf(
  '^(?:please )?(?:select|choose|pick)(?: (?:a|an|your|the|some|product|from|all|one))*(?: (?:option|size|variant|variation|colou?r|design|style|version|edition|character|language|quantity|set|box|type|model)s?)?(?:$|[^a-z])|(?:view|see|select|choose) options|^make a (?:selection|choice)|(?:option|variante|ausfuhrung|variation|grosse|farbe)(?: \\w{1,20})? (?:wahlen|auswahlen)|bitte (?:wahlen|auswahlen)|^choisi(?:r|ssez)|^selectionne(?:r|z)|^(?:elige|elegir|selecciona)|^(?:scegli|seleziona)|^(?:kies|selecteer)|^wybierz|^(?:escolha|selecione)|^valj|^vaelg|^velg|^vyberte|選択',
);

/** A shop that sells nothing itself. */
const ONLY_OTHERS =
  '(?:all|these) (?:\\w{1,20} )?offers (?:\\w{1,20} ){0,3}(?:by|from) (?:\\w{1,20} ){0,4}sellers|(?:^| )is a marketplace(?:$|[^a-z])|(?:private|professional|individual|independent) sellers|(?:niet|nicht|not|non|pas) (?:door|von|by|da|par) (?:ons|uns|us|noi|nous)(?:$|[^a-z])';
const SOLD_BY_OTHERS = anyOf(ONLY_OTHERS);
const OTHER_SELLERS = anyOf(
  '(?:see|view|show)(?: all)? (?:buying options|(?:other )?sellers|offers from)|available from (?:these|other|third[\\s-]party|marketplace|our) (?:sellers?|partners?)|(?:sold|offered|supplied|fulfilled|shipped|dispatched)(?: only)? by (?:a |our |one of our )?(?:third[\\s-]part(?:y|ies)|marketplace|partner|other sellers)|marketplace (?:seller|item|product|offer)|(?:only )?(?:available )?(?:from|by) third[\\s-]party sellers|featured offers? (?:not|un)available|no featured offers',
  ONLY_OTHERS,
);

const USED = anyOf(
  '(?:^|[^a-z])(?:pre-?(?:owned|loved|used)|used|second[\\s-]?hand|refurb(?:ished)?|renewed|ex[\\s-]display|open[\\s-]box|graded|played condition)(?:$|[^a-z])|gebraucht|generaluberholt|occasion(?:$|[^a-z])|reconditionne|segunda mano|reacondicionado|usat[oa](?:$|[^a-z])|ricondizionato|tweedehands|uzywan[yae]|usad[oa](?:$|[^a-z])|begagnad|brugt(?:$|[^a-z])|中古',
);
const NEW = anyOf(
  '(?:^|[^a-z])(?:brand )?new(?:$|[^a-z])|(?:^|[^a-z])neu(?:$|[^a-z])|neuf|nuev[oa]|nuov[oa]|nieuw|now[yae](?:$|[^a-z])',
);

/** Labels whose values are names of the shop's own: "Categories: Tins, In Stock Now". */
const LABELS =
  /(?:^|[^a-z])(?:categor(?:y|ies)|tags?|collections|kategorien?|schlagworte?|categories|categorias?|categorie|filed under|posted in) ?:/;
const LONG_LINE = 160;
const FIRST_SENTENCE = /^[^.!?]{6,50}[.!](?= )/;
/** WooCommerce: in stock, and more may be ordered. */
const MAY_BE_BACK_ORDERED = / ?\(?(?:can be|also available on) back-?order(?:ed)?\)?/;

/** Not yet gone: "nearly sold out". */
const ALMOST =
  /(^|[^a-z])(?:almost|nearly|fast|bijna|bientot|presque|casi|quasi|prawie|quase) (?:all )?(?:sold[\s-]?out|gone|out of stock|ausverkauft|vergriffen|uitverkocht|epuise|agotad[oa]|esaurit[oa]|wyprzedan[yea]|esgotad[oa])/;
const SENT_PRE_ORDERS =
  /pre-?orders? (?:have|has|are|were) (?:now |all |already ){0,2}(?:been )?(?:shipped|sent|dispatched|despatched|delivered|fulfilled)/;

/**
 * What a line beside the product says about its stock, or null. `text` is folded. Questions, conditions ("when it is back
 * in stock") and general sentences about the shop say nothing, and neither does a release that lies before `today`
 * (`YYYY-MM-DD`).
 */
export function readStockLine(line: string, today: string | null = null): Wording | null {
  if (line.length < 2) return null;
  // A text may begin with it: "Coming soon! The pins …".
  const lead = line.length > 90 ? FIRST_SENTENCE.exec(line)?.[0] : undefined;
  const said = lead === undefined ? null : readStockLine(lead, today);
  if (said !== null || line.length > LONG_LINE) return said;
  const text = line
    .replace(MAY_BE_BACK_ORDERED, '')
    .replace(SENT_PRE_ORDERS, '')
    .replace(ALMOST, '$1few left');
  if (NO_LONGER_SOLD.test(text)) {
    if (IF.test(text.slice(0, 20)) || EARLIER.test(text.slice(0, NO_LONGER_SOLD.exec(text)?.index)))
      return null;
    return { says: 'discontinued', detail: null };
  }
  if (BACK_ORDER.test(text) && !/(?:^|[^a-z])(?:no|not) /.test(text))
    return { says: 'preorder', detail: 'backorder' };
  if (text.endsWith('?') || LABELS.test(text)) return null;
  if (MEMBERS.test(text)) return { says: 'out_of_stock', detail: null };
  if (STORE_ALONE.test(text)) return { says: 'out_of_stock', detail: 'in_store_only' };
  if (BALLOT.test(text)) return { says: 'out_of_stock', detail: 'ballot' };
  if (TELL_ME.test(text))
    return OF_PRICE.test(text) && !/stock|avail/.test(text) ? null : { says: 'out_of_stock', detail: null };
  if (refusesOrders(text) || NOT_TO_US.test(text)) return { says: 'out_of_stock', detail: null };
  if (GENERAL.test(text)) return null;
  const isOut = OUT.test(text);
  if (isOut && ABROAD.test(text)) return null;
  if (isOut && STORE.test(text) && HOME.test(text)) {
    // "Sold out in store, available online": the delivery counts.
    const ofDelivery = text.split(/[.;,|–—]/, 6).filter((part) => HOME.test(part) && !STORE.test(part));
    if (/online only|only online/.test(text)) return null;
    if (ofDelivery.length > 0 && ofDelivery[0] !== text)
      return readStockLine((ofDelivery[0] ?? '').trim(), today);
  }
  if (STORE.test(text) && !HOME.test(text)) {
    // A shop far away: it says nothing about what can be ordered.
    return !isOut && (IN.test(text) || FEW.test(text) || /available (?:in|at|from|for)/.test(text))
      ? { says: 'nothing', detail: 'in_store_only' }
      : null;
  }
  if (
    isOut &&
    /back (?:in stock )?soon|more (?:stock )?(?:coming|due|arriving|expected)/.test(text) &&
    !/out of|sold|unavail/.test(text)
  )
    return IF.test(text) ? null : { says: 'out_of_stock', detail: null };
  if (isOut)
    return isConditional(text, OUT) || NOT_THE_PRODUCT.test(beforeStock(text) ?? '')
      ? null
      : {
          says: 'out_of_stock',
          detail: /^coming soon|not (?:yet )?released/.test(text) ? 'coming_soon' : null,
        };
  const day = today === null ? null : lastDayIn(text);
  const isOver = today !== null && day !== null && day <= today;
  // "In stock. Dispatched on 28 November" is about the delivery.
  if (/^in stock(?: now)?[.,;!-]/.test(text) && !PRE_ORDER.test(text))
    return FEW.test(text) ? { says: 'limited', detail: 'low_stock' } : { says: 'in_stock', detail: null };
  if (PRE_ORDER_NOW.test(text) && !isConditional(text, PRE_ORDER_NOW))
    return { says: 'preorder', detail: 'release' };
  if (SOON.test(text))
    return isOver || text.length > 90 || IF.test(text)
      ? null
      : { says: 'out_of_stock', detail: 'coming_soon' };
  if (PRE_ORDER.test(text))
    return isConditional(text, PRE_ORDER) ? null : { says: 'preorder', detail: 'release' };
  if (RELEASE.test(text) && !isOver)
    return isConditional(text, RELEASE) ? null : { says: 'preorder', detail: 'release' };
  if (FEW.test(text)) return isConditional(text, FEW) ? null : { says: 'limited', detail: 'low_stock' };
  if (NOT_NOW.test(text)) return null;
  const inStock = IN.exec(text);
  if (inStock === null || isConditional(text, IN)) return null;
  if (OTHER_SUBJECT.test(text.slice(0, inStock.index + 1))) return null;
  if (NONE_OF.test(text.slice(0, inStock.index))) return { says: 'out_of_stock', detail: null };
  // "Na sklade: 0 ks"
  if (
    /^ ?[:(] ?0(?![\d.,])/.test(text.slice(inStock.index + inStock[0].trimEnd().replace(/[:(]$/, '').length))
  )
    return { says: 'out_of_stock', detail: null };
  if (EXPECTED.test(text)) return isOver ? null : { says: 'out_of_stock', detail: null };
  return inStock.index <= 40 ? { says: 'in_stock', detail: null } : null;
}

/** What is sold or offered beside a product. A stock, a warehouse or a supplier is not among them: without those there is none of the product. */
const THING =
  /^(?:sleeve|binder|play ?mat|mat|dice|bundle|ticket|tin|blister|deck|pack|booster|box|case|display|collection|single|poster|figure|plush|bag|guide|chat|point|reward|voucher|code|discount|finance|wrap|insurance|price|rate|offer|deal|promotion)(?:e?s)?$/;
/** Kinds of a product, which are another one beside such a word. */
const EDITION = /^(?:edition|version|cop(?:y|ies)|print|printing)s?$/;
const OF_EDITION =
  /^(?:japanese|korean|chinese|german|french|italian|spanish|portuguese|polish|dutch|signed|numbered|deluxe|collector.?s?|hardback|paperback|digital)$/;
const OF_SALE =
  /(?:black friday|cyber|christmas|january|easter|summer|spring|winter|autumn|weekend|holiday|clearance) sale (?:is |has |now ){0,2}(?:ended|over|finished|closed)|sale (?:is |has |now ){0,2}(?:ended|over|finished)[ .,;:!-]{1,4}(?:back|prices?|now) /;
/** The subject of a sentence, its verb, and what stands between the verb and the refusal. */
const SUBJECT = /^([^.,;:!?–—|]{1,80}?)(?: (is|are|has|have|was|were)(?: [a-z]{1,12}){0,2})?$/;

/**
 * Whether a refusal is about something else than the product by its own grammar: "The Japanese edition is out of stock", "Our
 * summer sale has ended". In doubt it is not. `words`: those of the product's name.
 */
export function refusesOther(text: string, words: ReadonlySet<string>): boolean {
  if (OF_SALE.test(text)) return true;
  const before = (beforeStock(text) ?? '').trim();
  const subject = SUBJECT.exec(before)?.[1]?.replace(
    / (?:of|on) (?:this|the) (?:set|series|range|item)$/,
    '',
  );
  if (
    subject === undefined ||
    /(?:^|[^a-z])(?:this|these|your|it|we|every|each|all|both)(?:$|[^a-z])/.test(subject)
  )
    return false;
  if (EARLIER.test(before)) return true;
  const all = [...wordsOf(subject)];
  const foreign = all.filter((word) => !words.has(word) && !words.has(word.replace(/e?s$/, '')));
  const head = all.at(-1) ?? '';
  if (THING.test(head)) return foreign.length * 2 >= all.length;
  return EDITION.test(head) && foreign.some((word) => OF_EDITION.test(word));
}

/** A service beside the product, or an earlier product, that is not available. */
const EARLIER =
  /(?:previous|old|older|former|earlier|first|1st) (?:\w{1,20} )?(?:edition|version|print(?:ing)?|run|batch|model|release|series|wave)|wave (?:1|one)(?:$|[^\d])/;
const NOT_THE_PRODUCT = new RegExp(
  `(?:gift|wrap(?:ping)?|finance|credit|klarna|clearpay|paypal|express|next[ -]day|same[ -]day|saturday|engraving|insurance|warranty|tracking|discounts?|vouchers?)(?:$|[^a-z])|${EARLIER.source}`,
);

/** Whether a refusal says when the product comes. */
export function expectsStock(text: string): boolean {
  return EXPECTED.test(text) || RELEASE.test(text);
}

/** Whether a line says that the shop takes no orders now. */
export function refusesOrders(text: string): boolean {
  return text.length <= LONG_LINE && HELD.test(text) && !IF.test(text.slice(0, 20));
}

/** Whether a condition stands before the words ("we tell you if it is out of stock"), or they tell of the past. */
function isConditional(text: string, words: RegExp): boolean {
  const match = words.exec(text);
  const at = match?.index ?? 0;
  const end = at + (match?.[0].length ?? 0);
  return (
    IF.test(text.slice(0, at + 1)) ||
    PAST.test(text.slice(Math.max(0, at - 40), at + 1)) ||
    QUICKLY.test(text.slice(end, end + 40))
  );
}

/** What stands before words about stock: "Single pack" of "Single pack Sold out". Null without such words. */
export function beforeStock(text: string): string | null {
  const match = OUT.exec(text) ?? IN.exec(text) ?? PRE_ORDER.exec(text);
  return match === null ? null : text.slice(0, match.index);
}

/** Whether a label begins with a name and then refuses it: "Single pack Sold out". */
export function refusesNamed(text: string): boolean {
  return OUT.test(text) && /\p{L}{3}/u.test(beforeStock(text) ?? '');
}

/** Whether a text only offers news about the stock: "Restock alerts". Beside a button that sells, it refuses nothing. */
export function isStockAlert(text: string): boolean {
  return TELL_ME.test(text) && !OUT.test(text);
}

/** Buttons for more than the product, or for something beside it: "Add both to basket", "Add gift wrap". */
const SEVERAL =
  /^(?:\+ ?)?(?:add|buy|get) (?:both|all (?:\d|two|three|four|items|products|selected)|these|them|selected|bundle|the bundle|set together|together|\d{1,2} items)(?:$|[^a-z])|^(?:add|buy)(?: \w{1,12}){0,3} (?:gift|wrap(?:ping)?|protection|warranty|insurance|cover|voucher|vouchers|sleeves|accessor(?:y|ies)|samples?|donation|carbon)(?:$|[^a-z])|^buy (?:on|from|at|in|gift|a gift|more|back|similar|another|other|(?:the |a )?(?:digital|e-?book|pdf|app|ticket|code|subscription|membership)s?)(?:$|[^a-z])|(?:enquiry|inquiry|quote|sell|buylist|sample|trade(?:[\s-]in)?) (?:cart|basket|bag|list)(?:$|[^a-z])/;

/** What a button or its like offers. `nothing`: a choice is missing first. Null: it is about something else. */
export function readButton(text: string): Wording | null {
  if (text.length < 2 || text.length > 100) return null;
  if (MEMBERS.test(text)) return { says: 'out_of_stock', detail: null };
  if (
    /wish ?list|favou?rites?|merkzettel|compare|reviews?|newsletter|log ?in|sign ?in|subscribe(?! (?:and|&) save)/.test(
      text,
    )
  )
    return null;
  if (SEVERAL.test(text)) return null;
  if (BALLOT.test(text)) return { says: 'out_of_stock', detail: 'ballot' };
  if (BACK_ORDER.test(text)) return { says: 'preorder', detail: 'backorder' };
  if (TELL_ME.test(text) && OF_PRICE.test(text) && !/stock|avail/.test(text)) return null;
  const refused = OUT.test(text) || TELL_ME.test(text) || /^(?:unavailable|not available)/.test(text);
  if (refused && !/^(?:add|buy)/.test(text)) return { says: 'out_of_stock', detail: null };
  if (SOON.test(text)) return { says: 'out_of_stock', detail: 'coming_soon' };
  if (STORE_ALONE.test(text)) return { says: 'out_of_stock', detail: 'in_store_only' };
  if (STORE.test(text) && !BUY.test(text)) return null;
  if (PRE_ORDER.test(text) || RELEASE.test(text)) return { says: 'preorder', detail: 'release' };
  if (CHOOSE.test(text)) return { says: 'nothing', detail: null };
  if (BUY.test(text))
    return refused ? { says: 'out_of_stock', detail: null } : { says: 'in_stock', detail: null };
  return null;
}

/** Friendly words on the button of a form that fills the basket: "Get it", "Grab yours", "Yes please". */
const TAKE =
  /^(?:yes|get|grab|bag|snap|take|claim|i(?:'ll| will)? (?:want|need|take|have)|want|gimme|treat|nab|secure|own|pick|pop|put|throw|collect|adopt|catch|shop|order|purchase|buy|add)(?:$|[^a-z])/;
const TAKE_NOTHING =
  /(?:^|[^a-z])(?:back|notif\w{0,8}|alert\w{0,3}|updates?|help|quote|advice|directions?|info|more|details?|news|early|access|voucher|code|points|later|gift|list|in touch|insurance|protection|warranty|wrap\w{0,5}|sleeves?|in store)(?:$|[^a-z])/;

/** Whether a text is about alerts of the price. */
const OF_PRICE = /(?:price|cheaper|reduced|on sale)(?:$|[^a-z])/;

/** What the label of a button offers that fills the basket by its form. Null: the label may mean anything. */
export function readBasketButton(text: string): Wording | null {
  if (text.length < 2 || text.length > 40) return null;
  if (TAKE_NOTHING.test(text) || SEVERAL.test(text) || (STORE.test(text) && !HOME.test(text))) return null;
  return TAKE.test(text) ? { says: 'in_stock', detail: null } : null;
}

const ENQUIRY = anyOf(
  '(?:en|in)quir(?:e|y|ies)|(?:contact|call|ring|phone|message|email|whatsapp|ask) (?:us|to (?:buy|order)|in[\\s-]?store|for (?:price|stock|availability))|request (?:a )?(?:quote|price|callback)|get a quote|(?:price|available) on (?:request|application)|(?:visit|find) (?:us|a stockist|your (?:local|nearest) (?:store|shop|stockist))|where to buy|(?:place|make) (?:a |your )?bid|book (?:a|an) (?:visit|appointment)|swap|trade for|^request(?:$| (?:this|it|one|item|stock|access|a (?:copy|restock|reprint)))|^(?:watch|follow|track)(?:$| (?:this|it|the|item|product|stock|price|drop)s?(?:$|[^a-z]))|^vote(?:$|[^a-z])|(?:see|view|shop|find|browse|discover) (?:the |our )?(?:similar|alternatives?|other|related)|find (?:it )?(?:in|a|at) (?:a )?(?:store|shop|branch|retailer)|check (?:\\w{1,12} ){0,3}(?:stores?|shops?|stock)(?:$|[^a-z])|(?:log|sign)[\\s-]?in(?:$|[^a-z])|buy (?:from|at|on|via) (?!us)|archive',
  'anfragen?$|auf anfrage|nous contacter|sur demande|consultar (?:precio|disponibilidad)|contattaci|su richiesta|op aanvraag|neem contact op|zapytaj',
);

/** Whether a button only leads to a talk with the shop: "Enquire now". */
export function isEnquiry(text: string): boolean {
  return text.length <= 60 && ENQUIRY.test(text);
}

/** Whether a button keeps a product for later. */
export function isWishList(text: string): boolean {
  return /wish|favou?rite|watch ?list|save (?:it )?for later|merkzettel|merken/.test(text);
}

/** Whether a button takes bids. */
export function isBid(text: string): boolean {
  return /(?:^|[^a-z])bid(?:$|[^a-z])/.test(text);
}

/** Whether an option of a choice is none: "Choose a design". `text` is folded. */
export function isNoChoice(text: string): boolean {
  return (
    text === '' ||
    CHOOSE.test(text) ||
    /^-+$|^-+ ?(?:select|choose|please|bitte|choisir|kies|wahl)/.test(text)
  );
}

/** Whether a line says that others sell the product, and not the shop. */
export function namesOtherSellers(text: string): boolean {
  return text.length <= LONG_LINE && OTHER_SELLERS.test(text);
}

/** Whether a line says that the shop sells nothing itself: "all offers below are by private sellers". */
export function namesOnlyOtherSellers(text: string): boolean {
  return text.length <= LONG_LINE && SOLD_BY_OTHERS.test(text);
}

/** Whether a text names goods that were used before. */
export function namesUsed(text: string): boolean {
  return USED.test(text);
}

/** Whether a text says that goods are new. */
export function namesNew(text: string): boolean {
  return NEW.test(text.replace(/pre-?used|as new|like new/g, ''));
}

/** The availability of schema.org, Open Graph and shop systems in one word, or null. */
export function readAvailabilityTerm(value: unknown): Wording | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const term = lastPartOf(value)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return TERMS.get(term) ?? null;
}

const term = (says: Wording['says'], detail: Wording['detail'], words: string): Array<[string, Wording]> =>
  words.split(' ').map((word) => [word, { says, detail }]);

const TERMS: ReadonlyMap<string, Wording> = new Map([
  ...term(
    'in_stock',
    null,
    'instock onlineonly available availableonline instockonline inventoryavailable yes high highstock sellable buyable orderable inventoryinstock availablefororder availablefordelivery',
  ),
  ...term(
    'limited',
    'low_stock',
    'limitedavailability lowstock low limited limitedstock lastitems lastremainingitems almostsoldout fewleft limitedquantity',
  ),
  ...term('preorder', 'release', 'preorder presale preorderable availableforpreorder preorders prerelease'),
  ...term(
    'preorder',
    'backorder',
    'backorder backordered backorderable onbackorder madetoorder availableonbackorder availabletobackorder',
  ),
  ...term(
    'out_of_stock',
    null,
    'outofstock soldout oos notavailable unavailable nostock outofstockonline noinventory notinstock reserved temporarilyoutofstock temporarilyunavailable currentlyunavailable notorderable notsellable noton sale zerostock outstock',
  ),
  ...term('out_of_stock', 'coming_soon', 'comingsoon notyetavailable notreleased'),
  ...term('out_of_stock', 'in_store_only', 'instoreonly storeonly availableinstore instore collectiononly'),
  ...term('discontinued', null, 'discontinued endoflife nolongeravailable retired delisted'),
]);

/** The name behind the last `/`, `#` or `:`. */
export function lastPartOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#'), name.lastIndexOf(':')) + 1);
}
