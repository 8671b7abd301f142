import { anyOf } from './any-of';

/** Labels of a buy button, also of a sold-out product. */
export const BUY_BUTTON = anyOf(
  'add (?:item )?to (?:my |your |shopping )?(?:cart|basket|bag|trolley)',
  'buy (?:it )?now|pre-?order|sold out|out of stock|notify me|email me when',
  'in den (?:warenkorb|einkaufswagen)|zum warenkorb|jetzt kaufen|vorbestellen|ausverkauft|nicht (?:verfugbar|vorratig)',
  'ajouter (?:au|a mon|a votre) (?:panier|sac)|acheter|precommander|epuise|rupture de stock',
  '(?:anadir|agregar|meter) (?:al|a la|a mi) (?:carrito|cesta|bolsa)|comprar|agotado|sin existencias|reservar ahora',
  'aggiungi al(?: tuo)? (?:carrello)|acquista|preordina|esaurito|non disponibile',
  '(?:in|toevoegen aan)(?: (?:mijn|je))? (?:winkelwagen|winkelmand|winkelmandje)|bestel(?:len)? nu|nu kopen|uitverkocht',
  '(?:adicionar|colocar) (?:ao|na|no) (?:carrinho|cesto|sacola)|esgotado|indisponivel|pre-venda',
  '(?:dodaj )?do koszyka|kup teraz|wyprzedane|niedostepny|zamow',
  'lagg (?:i|till i) (?:varukorg|kundvagn|korg)|kop nu|slutsald|laeg i (?:kurv|indkobskurv)|kob nu|udsolgt',
  'legg i (?:handlekurv|kurv)|kjop|utsolgt|lisaa (?:ostos)?koriin|osta nyt|loppuunmyyty',
  '(?:pridat |vlozit )?do kosik[ua]|koupit|vyprodano|vypredane|kosarba|megveszem|elfogyott|adauga in cos|cumpara|stoc epuizat',
  'sepete ekle|satin al|tukendi|в корзину|купить|нет в наличии|в кошик|προσθηκη στο καλαθι|αγορα',
  'カートに(?:入れる|追加)|かごに入れる|購入する|今すぐ(?:購入|買う)|予約する|売り切れ|品切れ|在庫(?:切れ|なし)|入荷',
  '장바구니(?:에)? ?(?:담기|추가)?|구매하기|바로 ?구매|품절|加入(?:购物车|購物車|购物袋)|立即(?:购买|購買)|售罄|缺货|缺貨',
  '(?:place|complete|confirm|submit)(?: your| my)? order|pay now|^(?:proceed to |secure |go to )?check ?out(?: now| securely)?$|zahlungspflichtig|(?:zur|zu) kasse|jetzt bezahlen|(?:passer|valider) (?:la|ma|votre) commande|payer(?:$|[^a-z])',
  '(?:realizar|finalizar|tramitar|confirmar)(?: el| mi| o)? (?:pedido|compra)|pagar(?:$|[^a-z])|(?:procedi|vai) al pagamento|paga ora|(?:afrekenen|bestelling plaatsen)|zaloz zamowienie|ご?注文(?:を確定|手続き)|レジに進む|결제하기|去结算|提交订单',
  'tambah(?:kan)? ke keranjang|beli sekarang|أضف إلى (?:السلة|العربة)|اضف الى السلة|اشتر الان',
  '(?:find|get|buy|book|see|select) (?:your )?tickets|book (?:now|a (?:seat|place))|(?:choose|select) (?:your )?seats|tickets? (?:kaufen|buchen|sichern|kopen|bestellen)|(?:acheter|reserver) (?:des |mes |vos )?(?:billets|places)|comprar entradas|acquista biglietti|kup bilety?|チケットを?(?:購入|申し込)',
);

/** Texts of a link that buys or orders what the page shows, on the site or at a payment service. */
export const BUY_LINK = anyOf(
  '^(?:buy|order|pre-?order|reserve|shop)(?: (?:it|now|here|online|today))*$|^(?:jetzt )?(?:kaufen|bestellen|vorbestellen)$|^(?:acheter|commander|precommander|reserver)$|^(?:comprar|pedir|reservar)(?: ahora)?$|^(?:acquista|compra|ordina)(?: ora)?$|^(?:koop|bestel)(?: nu)?$|^(?:kup|zamow)(?: teraz)?$|^(?:購入|注文|予約)(?:する)?$',
);

/** Text or path of a link to the basket. */
export const BASKET = anyOf(
  '(?:^|[^a-z])(?:my |your |shopping )?(?:cart|basket|bag|trolley|checkout)(?:$|[^a-z])',
  'warenkorb|einkaufswagen|(?:^|[^a-z])(?:kasse|panier|carrito|cesta|carrello|sacola|carrinho|cesto)(?:$|[^a-z])',
  'winkelwagen|winkelmand|koszyk|varukorg|kundvagn|indkobskurv|handlekurv|handlevogn|ostoskori|kosik|kosar(?:$|[^a-z])',
  'cos de cumparaturi|sepet(?:im|e)?(?:$|[^a-z])|корзин|кошик|καλαθι|カート|買い物かご|장바구니|购物车|購物車|keranjang|السلة|سلة',
);

/** Text or path of a link to the customer's account. */
export const ACCOUNT = anyOf(
  '(?:^|[^a-z])(?:log ?-?in|sign ?-?in|my ?-?account|account|register|wishlist|favourites|favorites)(?:$|[^a-z])',
  'anmelden|(?:mein|kunden) ?-?konto|merkzettel|wunschliste|connexion|mon ?-?compte|se connecter|mi ?-?cuenta|iniciar ?-?sesion',
  'accedi|il mio account|inloggen|mijn ?-?account|minha ?-?conta|entrar|moje ?-?konto|zaloguj|logga in|mina sidor|log ind|min konto',
  'logg inn|kirjaudu|prihlasit|muj ucet|bejelentkezes|contul meu|giris yap|hesabim|войти|личный кабинет|συνδεση',
  'ログイン|マイページ|会員登録|로그인|마이페이지|登录|登錄|登入|我的账户|masuk|تسجيل الدخول',
);

/** Pages that every site links to, waiting rooms included, so they are no evidence of a shop. */
export const SIDE_MATTER = anyOf(
  'privacy|cookie|(?:^|[^a-z])(?:terms|legal|imprint|impressum|agb|faq|help|hilfe|contact|kontakt|support|status)(?:$|[^a-z])',
  'accessib|datenschutz|barrierefrei|nutzungsbedingungen|mentions-? ?legales|confidentialite|conditions|aide(?:$|[^a-z])',
  'privacidad|aviso-? ?legal|terminos|ayuda|contacto|privacidade|termos|ajuda|contato|termini|condizioni|assistenza|contatti|aiuto',
  'voorwaarden|klantenservice|regulamin|prywatnosc|pomoc|integritet|villkor|kundservice|personvern|vilkar|tietosuoja',
  '利用規約|プライバシー|お問い合わせ|ヘルプ|개인정보|이용약관|隐私|隱私|条款|帮助|leave-? ?(?:the-? ?)?(?:line|queue)',
);

/** An amount of money: a currency's sign or name beside a number. */
export const PRICE =
  /(?:[£$€¥₩₹₺₽₪]|(?:^|[^a-z])(?:eur|gbp|usd|cad|aud|chf|pln|sek|nok|dkk|jpy|rp|r\$))[ \n]?\d[\d.,']{0,11}|\d[\d.,' ]{0,11}(?:[£$€¥₩₹₺₽₪円元원]|[ \n]?(?:eur|gbp|usd|chf|zl|kr|kc|ft|lei|tl|руб|грн)(?:$|[^a-z]))/g;

/** Placeholder texts of a page before its scripts have filled it. */
export const PLACEHOLDER =
  /(?:please )?(?:enable|activate|turn on) javascript[^\n]{0,80}|javascript (?:is )?(?:required|disabled)[^\n]{0,80}|loading[^\n]{0,20}|please wait[^\n]{0,20}|skip to (?:main )?content|wird geladen|chargement|cargando|caricamento|laden|ladowanie|読み込み中|加载中|로딩 ?중/g;

/** Wording of a failed page, in a line or two. */
export const FAILURE = anyOf(
  '(?:unexpected|internal|technical|server) (?:error|problem|fault|issue)|error (?:has |just )?(?:occurred|happened)|something (?:has gone|went) wrong|(?:could not|couldn.t|unable to) (?:load|process|complete) (?:this|the|your) (?:page|request)',
  'fehler ist aufgetreten|(?:etwas|da) ist (?:etwas )?schief ?gelaufen|erreur (?:inattendue |technique )?(?:est survenue|s.est produite)|(?:ha ocurrido|se ha producido) un error|algo salio mal|si e verificato un errore|qualcosa e andato storto|er is (?:een fout|iets mis)|wystapil blad|ocorreu um erro|エラーが発生|오류가 발생|发生错误|出错了',
);

/** Wording of a parked domain: for sale or expired. */
export const PARKED_DOMAIN = anyOf(
  '(?:this|the) (?:web )?(?:domain|web ?address|website)(?: name)?(?: [\\w.-]{3,80})? (?:is|may be|might be|could be)(?: now| currently)? (?:for sale|parked|available for (?:sale|purchase))',
  '(?:this|the|your) domain(?: name)?(?: [\\w.-]{3,80})? (?:has|is) (?:expired|suspended|pending)|(?:buy|own|get|lease|acquire|purchase) this domain|make an offer on this domain|inquire about this domain|domain (?:name )?(?:for sale|parked|parking|expired)',
  '[a-z0-9-]{2,63}\\.(?:com|net|org|shop|store|co\\.uk|uk|de|fr|eu|io|jp)(?: domain)? (?:is|may be|might be|could be)(?: now)? (?:for sale|parked|available (?:for|to)(?: \\w+){0,2} (?:purchase|buy|sale|lease|acquire)|expired)',
  '(?:diese |die )?domain(?: [\\w.-]{3,80})? (?:steht|ist|zum|zu) (?:zum verkauf|zu verkaufen|verkauf|geparkt|abgelaufen)|(?:ce|le) (?:nom de )?domaine(?: [\\w.-]{3,80})? est (?:a vendre|en vente|expire|parque)',
  '(?:este )?dominio (?:esta |e |es )?(?:en venta|a la venta|in vendita|a venda|scaduto|expirado|caducado)|deze domein(?:naam)? is te koop|domeinnaam te koop|domena (?:jest )?na sprzedaz|domena wygasla|このドメインは|此域名|域名(?:出售|到期)',
);

/** Wording of a captive portal: a network page that requires a sign-in, a consent or a payment. */
export const NETWORK_PORTAL = anyOf(
  '(?:^|[^a-z])(?:wi-?fi|wlan|hot ?spot)(?:$|[^a-z])|(?:guest|public|hotel|visitor|campus|conference) (?:network|internet)|internet (?:access|log ?-?in|sign ?-?in|zugang|gratuit|gratis)|(?:acces|acceso|accesso|toegang|dostep|zugang)(?: \\w+){0,2} internet|captive portal|network (?:log ?-?in|sign ?-?in|access|authentication)',
);
/** Labels of a captive portal's buttons. */
export const GO_ONLINE = anyOf(
  '(?:go|get|be|gehen|aller|naviga[a-z]{0,6}) (?:online|connected)|connect(?:$|[^a-z])|accept(?:$|[^a-z])|agree(?:$|[^a-z])|log ?-?in|sign ?-?in|room number|voucher|access code|(?:free|buy|start|continue|browse|surf)(?: \\w+){0,3}(?:$|[^a-z])',
  'verbinden|einloggen|anmelden|akzeptier|se connecter|connexion|accepter|conectar|aceptar|connetti|accetta|accedi|verbind|akkoord|polacz|akceptuj|接続|连接|同意',
);

/** Labels so specific that the page's title need not name a network. */
export const CONNECT =
  /^(?:accept (?:and|&) )?(?:connect|go online|get online|start browsing|access (?:the )?internet|verbinden|jetzt surfen|se connecter a internet|conectar|connetti|verbind)(?:$|[^a-z])/;

/** Requests for patience or notices of high demand: at most a hint of a waiting room. */
export const PATIENCE = anyOf(
  'please (?:wait|be patient|bear with us)|thank you for your patience|(?:high|heavy|unusual|a lot of|increased) (?:volume|traffic|demand)|very busy|hold tight',
  'bitte (?:\\w+ )?(?:warten|geduld)|geduld|hohe[sr]? (?:andrang|nachfrage|verkehr)|(?:veuillez|merci de) (?:bien )?(?:patienter|attendre)|votre patience|forte affluence',
  'por favor,? esper|su paciencia|tu paciencia|alta demanda|attend(?:ere|i|a)(?: prego)?|la tua pazienza|pazienza|even (?:geduld|wachten)|je geduld|grote drukte',
  'aguarde|sua paciencia|prosimy (?:o cierpliwosc|czekac|poczekac)|za cierpliwosc|vanligen vanta|talamod|vent venligst|vennligst vent|odota|cekejte|prosim pockejte|lutfen bekleyin|подождите|ожида',
  'お待ち(?:ください|下さい)|混み合って|混雑|アクセスが集中|请(?:稍候|等待|耐心)|請(?:稍候|等待|耐心)|기다려|잠시만|mohon (?:tunggu|bersabar)|يرجى الانتظار',
);

/** Wording of a maintenance page: neither a shop nor a waiting room. */
export const MAINTENANCE = anyOf(
  'maintenance|(?:be|are|come) (?:right )?back (?:soon|shortly|later|online)|(?:be|are) right back|under construction|temporarily (?:unavailable|closed|offline)|routine upgrade|upgrade in progress|(?:shop|store|site|website) is(?: currently)? being (?:updated|upgraded|improved)|store is closed',
  'wartung(?:sarbeiten|smodus)?(?:$|[^a-z])|voruber ?gehend nicht (?:erreichbar|verfugbar)|gleich wieder (?:da|fur)',
  'momentanement indisponible|de retour (?:bientot|dans)|travaux (?:de|en)',
  'mantenimiento|volvemos (?:pronto|enseguida)|manutenzione|torniamo (?:presto|subito)|onderhoud|zo (?:weer )?terug',
  'manutencao|voltamos (?:logo|em breve)|konserwac|prace (?:serwisowe|techniczne)|przerw[ay] techniczn',
  'underhall|vedligeholdelse|vedlikehold|huolto|udrzb|karbantartas|mentenanta|bakim (?:calisma|modu)|bakimda|технически[ехи]|обслуживани|συντηρηση',
  'メンテナンス|점검 ?(?:중|안내)|维护|維護|pemeliharaan|صيانة',
);

/** Titles and headings of error pages and server default pages. */
export const ERROR_PAGE = anyOf(
  '^(?:error|http(?: status)?)[ :]*(?:4\\d\\d|5\\d\\d)(?:$|[^0-9])|^[45]\\d\\d *(?:$|[|:.,!]| - |error|page|not|bad|gateway|service|internal|too many|forbidden|unauthori|server|backend|first byte|time-?out|timed|unavailable|access|request|origin)',
  '^(?:error|sorry!?|oh no!?|whoops!?)$|^(?:oops|page not found|not found|bad gateway|service unavailable|gateway time-?out|internal server error|too many requests|something went wrong|application error|site not found|account suspended|default web site page)',
  '^(?:forbidden|unauthorized)(?:$| *[|:.,!]| - )',
  '^(?:welcome to nginx|apache2? .{0,20}default page|index of /|it works|iis windows server|test page for|domain default)',
);
