import { foldText } from '../../../waiting-room/parse/normalise-text';
import { anyOf } from '../../../waiting-room/words/any-of';
import type { FoundPrice } from './price-text';

const FOR_NOTHING = 'free|kostenlose?[rs]?|gratis|gratuit[aeos]{0,2}|offerte?|darmow[ay]|fri';
const SENDING =
  'delivery|shipping|postage|versand|lieferung|livraison|envio|entrega|spedizione|consegna|verzending|bezorging|dostawa|wysylka|portes|frakt|fragt|leverans|levering';

/** Words directly before an amount that is not the current price. */
export const NOT_BEFORE = anyOf(
  '(?:^|[^a-z])(?:rrp|r\\.r\\.p\\.?|was|were|msrp|srp|list price|recommended(?: retail)?(?: price)?|previously|originally|original price(?: was)?|old price|before|compare at|typical price|usual price|normally|save|saving|savings|you save|deposit(?: of)?|delivery|shipping|postage|post|carriage|courier|p ?& ?p|packing|instal?ments?(?: of)?|klarna|clearpay|paypal|laybuy|(?:interest[\\s-]free )?payments? of|pay in \\d|(?:any |or )?\\d{1,2} for|\\d{1,4}\\+? (?:or|and) (?:more|over|above)|\\d ?x|\\d ?×|per month|monthly|spend|orders?|over|above|worth|value[d]?(?: at)?|ex\\.? ?vat|excl\\.?(?: vat| tax)?|excluding (?:vat|tax)|net|member(?:s|ship)?(?:.s)?(?: price| pay)?|clubcard(?: price)?|nectar(?: price)?|with (?:code|card|voucher)|(?:buy|get|order)(?: it)?(?: together)? with (?!confidence|paypal|google|apple|shop|one|1)[^£€$]{1,40}|together with [^£€$]{1,40}|(?:both|bundle) for|using code|subscribe(?: (?:&|and) save)?|trade[\\s-]?in|cash|store credit|sell(?: to us)?|we buy(?: for)?|pre-?owned|used|second hand|refurbished|graded|earn|points|per (?:pack|card|booster|item|unit)|minimum|(?:^|[^a-z])min|free|off|fee|charge|tax|vat|reserve price|bids?|we(?:.ll)? (?:pay|give)|holders|e-?book|kindle|digital|balance|remainder|(?:gift )?wrap(?:ping)?|donation|insurance|warranty|market(?: price| value)?|guide price|trend(?: price)?|average(?: price)?|estimated?(?: value| at)?|last sold(?: for)?|sold for|cardmarket|tcgplayer|ebay|elsewhere|other shops|up to|reward(?:s)?|cashback|more than|lowest price(?: in 30 days)?|in the last 30 days)(?: price)?(?: of| is| from| only| just)?$',
  '(?:定価|(?:メーカー)?希望小売価格|参考価格|通常価格|旧価格) ?[:：]?$',
  '(?:^|[^a-z])(?:uvp|empfohlene[rs]? (?:verkaufs|laden)?preis|statt|vorher|bisher|alter preis|ehemals|unverb\\w{0,20}(?: \\w{1,20}){0,2}|versand(?:kosten)?|zzgl\\.?|ab \\d{1,4} ?x|rate[n]?|sparen|ersparnis|netto|niedrigster preis(?: \\w{1,20}){0,5})$',
  '(?:^|[^a-z])(?:au lieu de|prix (?:conseille|barre|public|de reference)|avant|economisez|livraison|frais de port|antes|pvp(?:r)?(?: recomendado)?|ahorra|envio|prima|anziche|prezzo (?:di listino|consigliato|precedente)|risparmi|spedizione|van|adviesprijs|bespaar|verzendkosten|zamiast|stara cena|cena (?:katalogowa|regularna|sugerowana)|najnizsza cena(?: \\w{1,20}){0,4}|oszczedzasz|dostawa|antes de|de)$',
  // The minimum order for free delivery.
  `(?:^|[^a-z])(?:versandkostenfrei|portofrei|(?:${FOR_NOTHING}) (?:${SENDING})|(?:${SENDING}) (?:${FOR_NOTHING}))(?: [a-z]{1,15}){0,4}$`,
  '(?:^|[^a-z])(?:grundpreis|stuckpreis|(?:pro|per|je) stuck|anzahlung|preis fur mitglieder|prix (?:unitaire|au kilo|membres?|adherents?)|soit|dont|acompte|\\d ?fois|en \\d ?x|precio (?:por unidad|socios?|recomendado)|gastos de envio|\\d plazos de|\\d cuotas de|prezzo (?:unitario|soci)|spese di spedizione|rate da|acconto|stuksprijs|ledenprijs|aanbetaling|termijnen van|rata od|raty|\\d ?rat(?:y)? po|cena jednostkowa|wysylka od|zaliczka|(?:rek|ord|vejl)\\.? ?pris|lagsta pris(?: \\w{1,10}){0,3}|delbetala(?: fran)?|fragt|frakt|for(?:e)?|spar|spara|portes|prestacoes de|preco por unidade)$',
);
/** Words directly after such an amount. */
export const NOT_BEHIND = anyOf(
  '^[\\s()/-]*(?:rrp|ex\\.? ?(?:vat|tax)|excl|excluding|\\+ ?vat|plus vat|net(?:$|[^a-z])|per (?:\\d{1,3} ?)?(?:month|week|day|100|kg|g|ml|sheet|pack|card|booster|unit|item|piece)|/ ?(?:mo|month|week|pack|card|booster|unit|100|kg|piece)|a month|p/?m(?:$|[^a-z])|monthly|off(?:$|[^a-z])|(?:saving|saved|discount|cheaper)|delivery|shipping|postage|p ?& ?p|deposit|worth|for (?:members|\\d{1,4} months)|with (?:\\w{1,20} ){0,2}\\w{0,12}(?:card|code|points|membership|club|pass)(?:$|[^a-z])|member|x \\d|instal|interest|in store credit|(?:or |in )?credit|(?:now|today|up ?front|down),? (?:and|then|with)(?:$|[^a-z])|later|on (?:release|dispatch)|cash|trade|minimum|order|or more|gift|voucher)',
  '^[\\s()/-]*(?:uvp|zzgl\\.? |versand|pro (?:monat|stuck|packung|karte)|/ ?(?:monat|stuck|pack)|netto|rabatt|par mois|hors taxe|ht(?:$|[^a-z])|de (?:reduction|port|frais)|(?:l.unite|le booster|la carte|par booster|par carte)|al mes|al mese|per maand|per booster|miesiecznie|/ ?(?:mes|mese|maand|mies|mois|manad|md)|i manaden|pr\\.? md)',
);

/** Whether an amount in a text may be a price, rather than delivery, a saving or a minimum order. */
export function mayCost(text: string, prices: readonly FoundPrice[]): boolean {
  return prices.some(({ start, end }, at) => {
    const from = Math.max(prices[at - 1]?.end ?? 0, start - 60);
    const to = Math.min(prices[at + 1]?.start ?? text.length, end + 40);
    const lead = foldText(text.slice(from, start)).replace(/[\s:.–-]{1,5}$/, '');
    return !NOT_BEFORE.test(lead) && !NOT_BEHIND.test(foldText(text.slice(end, to)));
  });
}
