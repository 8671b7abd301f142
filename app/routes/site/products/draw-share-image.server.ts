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
  /** The image of the product; null: none. */
  image: Buffer | null;
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

/** The side of the square on the right that holds the image of the product. */
const IMAGE_SIDE = 330;
const IMAGE_LEFT = SIZE.width - MARGIN - IMAGE_SIDE;

/** The image of the product, whole, on a white square with round corners. */
async function productImage(image: Buffer): Promise<{ input: Buffer; left: number; top: number }> {
  const card = (inner: number) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${inner}" height="${inner}"><rect width="100%" height="100%" rx="24" fill="#fff"/></svg>`,
    );
  const side = IMAGE_SIDE - 32;
  const whole = await sharp(image)
    .resize(side, side, { fit: 'contain', background: '#fff' })
    .png()
    .toBuffer();
  const input = await sharp(card(IMAGE_SIDE))
    .composite([{ input: whole, left: 16, top: 16 }])
    .png()
    .toBuffer();
  return { input, left: IMAGE_LEFT, top: 156 };
}

/** One text as an image. The text is Pango markup, so it is escaped; an empty one would fail. */
async function textImage(
  text: string,
  { size, colour, lines = 1, width }: { size: number; colour: string; lines?: number; width: number },
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
      width,
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
export function drawShareImage({
  title,
  state,
  stateWords,
  price,
  retailer,
  image,
}: ShareTexts): Promise<Buffer> {
  return oneAtATime(async () => {
    const isLong = title.length > (image === null ? 36 : 24);
    const colour = '#f3f4fa';
    const whole = SIZE.width - 2 * MARGIN;
    const width = image === null ? whole : whole - IMAGE_SIDE - 36;
    const fits = image === null ? 90 : 60;
    const [word, name, cost, shop, brand, shown] = await Promise.all([
      textImage(stateWords, { size: 38, colour: COLOURS[state], width }),
      textImage(shorten(title, { fits }), { size: isLong ? 62 : 80, colour, lines: isLong ? 3 : 2, width }),
      textImage(price, { size: 92, colour, width }),
      textImage(shorten(retailer, { fits: 26 }), { size: 38, colour: '#aab0c4', width: whole }),
      textImage(PRODUCT_NAME, { size: 38, colour, width: whole }),
      image === null ? null : productImage(image),
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
        ...(shown === null ? [] : [shown]),
      ])
      .png()
      .toBuffer();
  });
}
