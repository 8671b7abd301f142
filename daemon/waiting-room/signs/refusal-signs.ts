import type { ParsedPage } from '../parse/parsed-page';
import { signRules, type SignInput } from './sign-rule';
import { anyOf } from '../words/any-of';

/** Names of a page in place of a missing one, in a title or heading. Anchored, for "404 Not Found T-shirt". */
const MISSING_NAME = new RegExp(
  `^(?:(?:error|http|fehler|erreur|errore|erro|fout|blad|fel|fejl|feil)?[ :#]{0,2}404[ :.,!-]{0,4})?(?:(?:sorry|oops|oh no|whoops|uh oh|hoppla|oups|ups|ops|vaya)[ ,.!:-]{1,4})?(?:${
    anyOf(
      '(?:(?:the|this|that|requested|your) ){0,2}(?:page|url|product|item|article)(?: (?:was|is|could|can))? ?(?:not|cannot|can.t|couldn.t|wasn.t)(?: be)? found|not found|(?:missing page|page missing|page unavailable|page (?:is not|isn.t|not) available)|404(?: (?:error|page))?|error 404',
      '(?:(?:diese|die|angeforderte) ){0,2}(?:seite|artikel|produkt)(?: (?:wurde|konnte|kann))?(?: leider)? nicht gefunden(?: werden)?|nicht gefunden|fehler 404',
      '(?:cette )?(?:page|produit|article) (?:est )?(?:introuvable|non trouvee?|inexistante?)|erreur 404',
      '(?:pagina|producto) no (?:encontrad[ao]|disponible)|(?:pagina|prodotto) non (?:trovat[ao]|disponibile)|errore 404|pagina niet gevonden|(?:pagina|produto) nao encontrad[ao]',
      '(?:nie znaleziono (?:strony|produktu)|strona nie (?:istnieje|zostala znaleziona))|sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|ble ikke funnet|findes ikke|finnes ikke)|sivua ei (?:loytynyt|loydy)',
      'strank[au] (?:nenalezena|nebyla nalezena|neexistuje|sa nenasla)|az oldal nem talalhato|pagina nu (?:a fost gasita|exista)|sayfa bulunamadi|страница не (?:найдена|существует)|сторінку не знайдено|η σελιδα δεν βρεθηκε',
      '(?:お探しの|ご指定の|この)?(?:ページ|商品)(?:は|が)(?:見つかりません(?:でした)?|存在しません|ありません)|페이지를 ?찾을 수 없습니다|(?:页面|頁面|网页)(?:不存在|未找到|找不到)|找不到(?:该|此|您要的)?(?:页面|頁面|网页)',
    ).source
  })?[ .!?…)-]{0,4}(?:\\(?404\\)?)?$`,
);

/** Sentences with which a site says that it does not have the requested page. They are about the page, not a product. */
const MISSING_SENTENCE = anyOf(
  '(?:can.t|cannot|can not|could not|couldn.t|unable to|didn.t|not able to)(?: seem to)? (?:find|locate) (?:the|that|this|your) (?:\\w+ )?(?:page|url)|(?:the |that |this )?page (?:that )?you(?: are|.re| were|.ve)? (?:looking for|requested|tried|trying|after|seeking)|requested (?:page|url) (?:was|could|cannot|can|does|is|has)|(?:this|that|the) page (?:does not|doesn.t|no longer|may have|might have|has)(?: been)? (?:exists?|moved|removed|deleted|gone)|page can.?t be found|nothing (?:was )?found at this (?:location|address)',
  '(?:angeforderte|gesuchte|aufgerufene|gewunschte) (?:seite|url)|seite(?: \\w+){0,3}? (?:existiert|nicht gefunden|nicht mehr vorhanden)|(?:konnen|konnten)(?: \\w+){0,3}? seite(?: \\w+){0,3}? nicht finden',
  'page(?: \\w+){0,5}? (?:n.existe (?:pas|plus)|n.a pas (?:ete trouvee|pu etre trouvee)|est introuvable)|page (?:demandee|recherchee|que vous (?:cherchez|recherchez|demandez))',
  'pagina(?: \\w+){0,5}? (?:no (?:existe|se encuentra|ha sido encontrada|esta disponible)|non (?:esiste|e stata trovata|e (?:piu )?disponibile)|bestaat (?:niet|helaas)|nao (?:existe|foi encontrada)|(?:kon|kan)(?: \\w+)? niet)|no (?:encontramos|hemos encontrado|podemos encontrar) (?:la|esta|esa) pagina|pagina (?:che (?:stai cercando|cerchi)|que (?:buscas|procura|estas buscando)|die je zoekt)',
  'stron[ay](?:,? [\\w,]+){0,4}? nie (?:istnieje|zostala znaleziona)|nie ma takiej strony|sidan(?: \\w+){0,4}? (?:finns inte|hittades inte|kunde inte)|siden(?: \\w+){0,4}? (?:findes ikke|finnes ikke|blev ikke fundet)|etsimaasi sivua',
  'お探しのページ|ご指定のページ|(?:ページ|url)(?:は|が)[^。\\n]{0,12}(?:見つかりません|存在しません|削除された)|요청하신 페이지|찾으시는 페이지|您(?:要|所)?(?:访问|查找|请求)的(?:页面|网页)',
);

/** Wording of a shop that shows its goods only to dealers or members who sign in. */
const TRADE_ONLY = anyOf(
  '(?:^|[^a-z])trade (?:customers?|accounts?|only|log ?-?in|sign ?-?in|portal|members)|(?:retailers?|stockists?|resellers?|dealers?|members|wholesale(?: customers)?|registered (?:customers|users|members)) only|wholesale (?:account|log ?-?in|sign ?-?in|portal)|(?:^|[^a-z])b2b(?:$|[^a-z])|(?:log|sign) ?-?in (?:to|before) (?:see|seeing|view|viewing|browse|access|order from) (?:our |the |this |all )?(?:products?|catalogue?|range|shop|store|web ?site|site)(?:$|[^a-z])|(?:site|shop|store|catalogue|portal) is (?:only |exclusively )?for (?:registered |approved |our )?(?:trade|retailers?|dealers?|businesses|members)|approved (?:retailers|stockists|dealers|customers)|become a (?:stockist|reseller|dealer)',
  '(?:fach)?handler(?:-| )?(?:log ?-?in|portal|bereich|zugang|shop)|(?:nur|ausschliesslich)(?: \\w+){0,4}? (?:\\w*handler\\w*|gewerbe\\w*|gewerbliche\\w*|wiederverkaufer\\w*|geschaftskunden|firmenkunden|unternehmer\\w*)|gewerbliche kunden',
  'reserve(?:e|s)? (?:aux|exclusivement) (?:\\w+ )?(?:professionnels|revendeurs|membres|detaillants)|(?:espace|acces) (?:pro|professionnels?|revendeurs?)(?:$|[^a-z])|(?:solo|exclusivo) para (?:profesionales|distribuidores|mayoristas|tiendas|empresas)|acceso (?:profesional|mayoristas?|distribuidores)',
  'riservat[oa] (?:ai|a|esclusivamente) (?:\\w+ )?(?:rivenditori|professionisti|negozi\\w*|aziende)|area (?:rivenditori|riservata)|(?:alleen|uitsluitend) voor (?:zakelijke|wederverkopers|winkeliers|bedrijven|dealers)|dealer ?(?:log ?-?in|portaal)|tylko dla (?:firm|partnerow|hurtownikow|sklepow)|strefa (?:partnera|b2b)',
  '(?:会員|法人|業者|卸|取引先)(?:様|様のみ|会員)?(?:専用|限定)|회원 ?전용|仅限(?:会员|经销商)',
);

/** A missing page says so before anything else, such as products that it recommends. In letters. */
const FIRST_WORDS = 300;
/** Maximum length of what a page says beside its sign-in form, in letters. */
const SIGN_IN_LENGTH = 600;
const NAME_LENGTH = 90;

/** Pages of the site in the shop's frame that do not show the shop: a missing page with status 200, a mere sign-in. */
export const REFUSAL_SIGNS = signRules({ pointsTo: 'error', role: 'plain' }, [
  {
    id: 'missing-page',
    weight: 60,
    source:
      'Missing pages that shop systems answer with status 200: the name, the first sentence or the heading',
    find: (input) => missingPage(input),
  },
  {
    id: 'trade-sign-in',
    weight: 50,
    source: 'Wholesale shops show goods only after a sign-in; what they have is not visible here',
    find: ({ page, shop }) => {
      if (shop.prices > 0 || shop.ownLinks >= 5 || shop.ownLength > SIGN_IN_LENGTH) return null;
      return TRADE_ONLY.exec(`${page.title}\n${page.ownText}`)?.[0] ?? null;
    },
  },
  {
    id: 'sign-in-alone',
    weight: 40,
    source: 'A sign-in without a basket, a search or goods around it: nothing of the shop is seen',
    find: ({ page, shop }) =>
      page.asksPassword &&
      shop.basket === null &&
      !shop.search &&
      shop.prices === 0 &&
      shop.ownLinks < 5 &&
      shop.ownLength <= SIGN_IN_LENGTH
        ? 'a password field'
        : null,
  },
]);

/** The words with which a page says that the requested page does not exist, or null. */
function missingPage({ page, shop }: SignInput): string | null {
  const first = page.ownText.slice(0, FIRST_WORDS);
  const sentence = MISSING_SENTENCE.exec(first)?.[0] ?? null;
  if (sentence !== null || shop.prices > 0) return sentence;
  return namesOf(page).find((name) => MISSING_NAME.test(name)) ?? null;
}

/** The parts of the title and the first headings: a title also has the name of the site. */
function namesOf({ title, headings }: ParsedPage): string[] {
  return [...title.split(/ [|·:-] /), ...headings.slice(0, 2)]
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= NAME_LENGTH);
}
