import { foldText } from '../../waiting-room/parse/normalise-text';
import { organisationOf } from '../../waiting-room/fetch/web-address';
import type { StructuredData } from './offers';
import type { ProductBox } from './product-box';
import type { ProductReader } from './product-reader';

const SOLD_BY =
  /^(?:this (?:item|product) is )?(?:dispatche?[sd] from and |despatched and |delivered and |dispatched and |shipped and |fulfilled and )?(?:sold(?: (?:and|&) (?:dispatched|despatched|delivered|shipped|fulfilled|sent))?|offered|supplied|vendu|verkauft|verkocht|vendido|venduto|sprzedaje)(?: et expédié| und versand| en verzonden| y enviado| e spedito)? (?:by|par|durch|von|door|por|da|przez)[:\s]+(.{2,60}?)(?: (?:and|&) (?:dispatched|delivered|shipped|fulfilled|sent).*| \(.*|\.? (?:Fulfilled|Delivered|Dispatched|Returns).*)?\.?$/i;
const SELLER_LABEL =
  /^(?:sold(?: (?:and|&) \w+)? by|seller|marketplace seller|partner|verkäufer|verkauf durch|vendeur|vendu par|verkocht door|verkoper|vendedor|vendido por|venditore|venduto da|sprzedawca)[:\s]*$/i;
const LABELLED =
  /^(?:seller|marketplace seller|verkäufer|vendeur|verkoper|vendedor|venditore|sprzedawca):\s*(.{2,60})$/i;

/** Who sells the leading offer, as the box names it, or null. */
export function findSeller(
  _reader: ProductReader,
  box: ProductBox,
  _structured: StructuredData,
): string | null {
  let isLabelled = false;
  for (const { text } of box.lines) {
    if (isLabelled && text.length < 80) return text.trim();
    const named = SOLD_BY.exec(text)?.[1] ?? LABELLED.exec(text)?.[1];
    if (named !== undefined) return named.trim();
    isLabelled = SELLER_LABEL.test(text);
  }
  return null;
}

/** Whether a seller is the shop: its host or one of its names. */
export function isShopItself(
  seller: string,
  { host, names }: { host: string; names: readonly string[] },
): boolean {
  const plain = (text: string): string =>
    foldText(text)
      .replace(/\.(?:example|com|co\.uk|uk|de|fr|net|org|eu|shop|store)(?![a-z])/g, '')
      .replace(/(?:^|[^a-z])(?:ltd|limited|plc|inc|gmbh|llc|uk|eu|sarl|s\.a\.r\.l|the|www)(?![a-z])/g, ' ')
      .replace(/[^\p{L}\p{N}]+/gu, '');
  const [one, organisation] = [plain(seller), plain(organisationOf(host))];
  if (one === '' || /^(?:us|uns|nous|ourselves|shop|store)$/.test(one)) return true;
  if (
    organisation !== '' &&
    (one === organisation ||
      (Math.min(one.length, organisation.length) >= 4 &&
        (one.startsWith(organisation) || organisation.startsWith(one))))
  )
    return true;
  return names.some((name) => plain(name).length > 2 && plain(name) === one);
}
