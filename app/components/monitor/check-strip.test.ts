import { expect, test } from 'vitest';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import type { CheckBand } from '#shared/monitor/read-status.server';
import { bandsSince, describeStrip, HEIGHTS, STRIP } from './check-strip';
import { placeBands } from '~/components/ui/bands';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const band = (verdict: CheckBand['verdict'], fromMinutes: number, toMinutes: number): CheckBand => ({
  verdict,
  from: toIso(NOON + fromMinutes * MINUTE),
  to: toIso(NOON + toMinutes * MINUTE),
  responseMs: 400,
});

/** The bands as they are drawn between two times. */
const layOutStrip = (bands: CheckBand[], fromMs: number, toMs: number) =>
  placeBands(bandsSince(bands, fromMs), { width: STRIP.width, durationMs: toMs - fromMs });

test('bars are at their time, and a waiting room is the highest', () => {
  const [open, room] = layOutStrip(
    [band('open', -120, -60), band('waiting_room', -59, 0)],
    NOON - 2 * HOUR,
    NOON,
  );
  expect(open).toMatchObject({ x: 0, width: 200 });
  expect(HEIGHTS.waiting_room).toBeGreaterThan(HEIGHTS.open);
  expect((room?.x ?? 0) + (room?.width ?? 0)).toBeCloseTo(STRIP.width);
});

test('a single check is visible, also at the very end', () => {
  const [only] = layOutStrip([band('unknown', 0, 0)], NOON - 12 * HOUR, NOON);
  expect(only?.width).toBeGreaterThan(2);
  expect((only?.x ?? 0) + (only?.width ?? 0)).toBeLessThanOrEqual(STRIP.width);
});

test('what began before the chart is clipped at its edge', () => {
  const [open] = layOutStrip([band('open', -180, -60)], NOON - 2 * HOUR, NOON);
  expect(open).toMatchObject({ x: 0, width: 200 });
});

test('the chart has a text description', () => {
  expect(describeStrip([])).toBe('No checks of the shop in the last 12 hours.');
  expect(describeStrip([band('open', -120, -30), band('waiting_room', -29, 0)])).toBe(
    'The last 12 hours: shop open from 10:00 to 11:30; waiting room from 11:31 to 12:00.',
  );
});

test('a day with many changes is summarised', () => {
  const bands = Array.from({ length: 8 }, (_, i) =>
    band(i % 2 === 0 ? 'open' : 'waiting_room', -80 + i * 10, -75 + i * 10),
  );
  expect(describeStrip(bands)).toBe(
    'The last 12 hours in 8 spans: the waiting room was open 4 times; at the end, waiting room.',
  );
});
