import { createRequire } from 'node:module';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { PRODUCT_NAME } from '#shared/brand';
import type { Availability } from '#shared/monitor/checks/verdict';
import { escapeHtml, shorten } from '#shared/text';

const require = createRequire(import.meta.url);

const SIZE = { width: 1200, height: 630 } as const;
const MARGIN = 84;

const COLOURS: Record<Availability, string> = {
  in_stock: '#7fe0b0',
  limited: '#7fe0b0',
  preorder: '#a9b4ff',
  out_of_stock: '#aab0c4',
  unknown: '#f0cf7a',
};

/** What the image says. */
export interface ShareTexts {
  title: string;
  state: Availability;
  stateWords: string;
  price: string;
  retailer: string;
}

/** A card of a binder page: fine border, a strip of foil. */
const background = (state: Availability) => `
<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}">
  <defs><linearGradient id="foil" x1="0" x2="1">
    <stop offset="0" stop-color="#9fdcec"/><stop offset=".25" stop-color="#b4efd0"/><stop offset=".45" stop-color="#f5f0b0"/>
    <stop offset=".65" stop-color="#f7cfa6"/><stop offset=".82" stop-color="#f3b6cf"/><stop offset="1" stop-color="#c9b8f5"/>
  </linearGradient></defs>
  <rect width="100%" height="100%" fill="#0d1020"/>
  <rect x="32" y="32" width="1136" height="566" rx="36" fill="#171b2e" stroke="#343a55" stroke-width="2"/>
  <rect x="${MARGIN}" y="84" width="160" height="10" rx="5" fill="url(#foil)"/>
  <circle cx="${MARGIN + 14}" cy="152" r="14" fill="${COLOURS[state]}"/>
</svg>`;

/** One text as an image. The text is Pango markup, so it is escaped; an empty one would fail. */
async function textImage(
  text: string,
  { size, colour, lines = 1 }: { size: number; colour: string; lines?: number },
): Promise<{ input: Buffer; width: number; height: number }> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}">${escapeHtml(text) || ' '}</span>`,
      // A font of one weight as a file: Pango, as sharp brings it, reads neither WOFF2 nor variable fonts.
      fontfile:
        require.resolve('@expo-google-fonts/bricolage-grotesque/700Bold/BricolageGrotesque_700Bold.ttf'),
      font: `Bricolage Grotesque Bold ${size}`,
      dpi: 72,
      rgba: true,
      width: SIZE.width - 2 * MARGIN,
      wrap: 'word-char',
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  const height = Math.min(info.height, Math.ceil(size * 1.3 * lines));
  const input = await sharp(data).extract({ left: 0, top: 0, width: info.width, height }).png().toBuffer();
  return { input, width: info.width, height };
}

/** Drawing takes some 30 ms of a core and 10 MB: one at a time. */
const oneAtATime = pLimit(1);

/** Draws the image for previews of links to a product's page: 1200 by 630 pixels, PNG. */
export function drawShareImage({ title, state, stateWords, price, retailer }: ShareTexts): Promise<Buffer> {
  return oneAtATime(async () => {
    const isLong = title.length > 36;
    const colour = '#f3f4fa';
    const [word, name, cost, shop, brand] = await Promise.all([
      textImage(stateWords, { size: 38, colour: COLOURS[state] }),
      textImage(shorten(title, { fits: 90 }), { size: isLong ? 62 : 80, colour, lines: isLong ? 3 : 2 }),
      textImage(price, { size: 92, colour }),
      textImage(shorten(retailer, { fits: 26 }), { size: 38, colour: '#aab0c4' }),
      textImage(PRODUCT_NAME, { size: 38, colour }),
    ]);
    return sharp(Buffer.from(background(state)))
      .composite([
        { input: word.input, left: MARGIN + 44, top: 152 - Math.round(word.height / 2) },
        { input: name.input, left: MARGIN, top: 206 },
        { input: cost.input, left: MARGIN, top: 548 - cost.height },
        {
          input: shop.input,
          left: Math.min(MARGIN + cost.width + 28, SIZE.width - MARGIN - shop.width),
          top: 548 - shop.height,
        },
        { input: brand.input, left: SIZE.width - MARGIN - brand.width, top: 84 },
      ])
      .png()
      .toBuffer();
  });
}
