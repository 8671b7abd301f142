import sharp from 'sharp';
import { Readable } from 'node:stream';
import { inTransaction } from '#shared/database/transaction';
import { addMedia } from '#shared/news/media/add-media.server';
import type { StorageContext } from '#shared/storage/upload-records';

const WIDTH = 1280;
const HEIGHT = 720;

/** Colours of a drawing: table, sleeve, and two inks. */
const PALETTES = [
  ['#1d2340', '#2c3560', '#8fd3c9', '#f2c879'],
  ['#f1e9da', '#fffaf0', '#3b47c4', '#c8553d'],
  ['#123c3a', '#1d5450', '#f4e3b2', '#7fd1ae'],
  ['#e7ecf6', '#ffffff', '#27408b', '#e0a458'],
  ['#3a1f2e', '#55304a', '#f3b6c0', '#9ad0ec'],
] as const;

/** An SVG of sleeved cards on a table, free of any game's artwork. `number` chooses the colours and the arrangement. */
function drawing(number: number): string {
  const [table, sleeve, ink, accent] = PALETTES[number % PALETTES.length] ?? PALETTES[0];
  const count = 3 + (number % 3);
  const cards = Array.from({ length: count }, (_, place) => {
    const x = WIDTH / 2 + (place - (count - 1) / 2) * 210;
    const turn = (place - (count - 1) / 2) * (6 + (number % 4) * 2);
    const lift = ((place * 37 + number * 53) % 5) * 14 - 28;
    const marked = place === number % count;
    return `<g transform="translate(${x} ${HEIGHT / 2 + lift}) rotate(${turn})">
      <rect x="-130" y="-182" width="260" height="364" rx="22" fill="${sleeve}" stroke="${ink}" stroke-opacity="0.35" stroke-width="3"/>
      <rect x="-104" y="-154" width="208" height="196" rx="12" fill="${marked ? accent : ink}" fill-opacity="${marked ? 0.9 : 0.22}"/>
      <circle cx="0" cy="-56" r="${46 + (number % 3) * 10}" fill="none" stroke="${marked ? table : accent}" stroke-width="10"/>
      <rect x="-104" y="66" width="150" height="14" rx="7" fill="${ink}" fill-opacity="0.55"/>
      <rect x="-104" y="96" width="196" height="10" rx="5" fill="${ink}" fill-opacity="0.3"/>
      <rect x="-104" y="118" width="172" height="10" rx="5" fill="${ink}" fill-opacity="0.3"/>
    </g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="${table}"/>${cards.join('')}</svg>`;
}

/** Adds a drawing to each article as an admin's upload would, without changing the article's date. */
export async function addDemoImages(context: StorageContext, articleIds: readonly string[]): Promise<void> {
  const { db, storage } = context;
  for (const [number, articleId] of articleIds.entries()) {
    const png = await sharp(Buffer.from(drawing(number)))
      .png()
      .toBuffer();
    const received = await storage.receive(Readable.from(png), {
      accepted: { 'image/png': png.byteLength },
      signal: new AbortController().signal,
    });
    if (received.kind !== 'received') throw new Error(`could not store a demo image: ${received.kind}`);
    await addMedia(context, {
      articleId,
      file: { ...received, originalName: `cards-${number + 1}.png` },
      altText: 'A drawing of sleeved cards, fanned out on a table',
      actor: { userId: null },
    });
    await inTransaction(db, (trx) =>
      trx
        .updateTable('articles')
        .set((row) => ({ updated_at: row.ref('created_at') }))
        .where('id', '=', articleId)
        .execute(),
    );
  }
}
