import type { CheckBand } from '#shared/monitor/read-status.server';
import { clockMinute } from './spoken-time';

/** Size of the picture's own coordinates; it is stretched to the card's width. */
export const STRIP = { width: 400, height: 64 } as const;

/** Bands differ in height as well as in colour, so that the picture reads without colour. */
const SHAPES: Record<CheckBand['verdict'], { top: number; height: number }> = {
  waiting_room: { top: 6, height: 52 },
  open: { top: 30, height: 28 },
  unknown: { top: 46, height: 12 },
};

/** Narrower ones could not be seen. */
const MIN_WIDTH = 3;

export interface StripBand {
  verdict: CheckBand['verdict'];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Merges neighbours that say the same; a band ends where the next begins. */
function merged(bands: readonly CheckBand[]): CheckBand[] {
  const result: CheckBand[] = [];
  for (const band of bands) {
    const last = result.at(-1);
    if (last?.verdict === band.verdict && Date.parse(band.from) <= Date.parse(last.to))
      result[result.length - 1] = { ...last, to: band.to };
    else result.push(band);
  }
  return result;
}

/** Lays bands out between two instants (epoch ms), left to right. */
export function layOutStrip(bands: readonly CheckBand[], fromMs: number, toMs: number): StripBand[] {
  const scale = STRIP.width / (toMs - fromMs);
  const place = (iso: string) => Math.min(STRIP.width, Math.max(0, (Date.parse(iso) - fromMs) * scale));
  return merged(bands).map(({ from, to, verdict }) => {
    const { top, height } = SHAPES[verdict];
    const start = place(from);
    const width = Math.max(MIN_WIDTH, place(to) - start);
    const x = Math.min(start, STRIP.width - width);
    return { verdict, x: round(x), y: top, width: round(width), height };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const WORDS: Record<CheckBand['verdict'], string> = {
  open: 'open',
  waiting_room: 'waiting room',
  unknown: 'unknown',
};

/** More spans than anyone would listen to are summed up. */
const SPOKEN_BANDS = 6;

/** The picture in words. */
export function describeStrip(bands: readonly CheckBand[]): string {
  const spans = merged(bands);
  if (spans.length === 0) return 'No checks of the shop in the last 12 hours.';
  const rooms = spans.filter(({ verdict }) => verdict === 'waiting_room').length;
  if (spans.length > SPOKEN_BANDS) {
    const last = spans.at(-1);
    return `The last 12 hours in ${spans.length} spans: the waiting room was up ${rooms === 1 ? 'once' : `${rooms} times`}; at the end, ${WORDS[last?.verdict ?? 'unknown']}.`;
  }
  const spoken = spans.map(
    ({ from, to, verdict }) => `${WORDS[verdict]} from ${clockMinute(from)} to ${clockMinute(to)}`,
  );
  return `The last 12 hours: ${spoken.join('; ')}.`;
}
