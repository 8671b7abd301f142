import type { ParsedPage } from '../parse/parsed-page';
import { MISSING_NAME, MISSING_SENTENCE, TRADE_ONLY } from '../words/refusal-words';
import type { SignInput, SignRule } from './sign-rule';

/** A missing page says so before anything else, such as products that it recommends. In letters. */
const FIRST_WORDS = 300;
/** Maximum length of what a page says beside its sign-in form, in letters. */
const SIGN_IN_LENGTH = 600;
const NAME_LENGTH = 90;

/** Pages of the site in the shop's frame that do not show the shop: a missing page with status 200, a mere sign-in. */
export const REFUSAL_SIGNS: readonly SignRule[] = [
  {
    id: 'missing-page',
    pointsTo: 'error',
    role: 'plain',
    weight: 60,
    source:
      'Missing pages that shop systems answer with status 200: the name, the first sentence or the heading',
    find: (input) => missingPage(input),
  },
  {
    id: 'trade-sign-in',
    pointsTo: 'error',
    role: 'plain',
    weight: 50,
    source: 'Wholesale shops show goods only after a sign-in; what they have is not visible here',
    find: ({ page, shop }) => {
      if (shop.prices > 0 || shop.ownLinks >= 5 || shop.ownLength > SIGN_IN_LENGTH) return null;
      return TRADE_ONLY.exec(`${page.title}\n${page.ownText}`)?.[0] ?? null;
    },
  },
  {
    id: 'sign-in-alone',
    pointsTo: 'error',
    role: 'plain',
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
];

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
