import { expect, it } from 'vitest';
import { MINUTE } from '../clock';
import { createFaultGuard } from './fault-guard';

function createFixture() {
  let now = Date.parse('2027-01-15T12:00:00Z');
  const guard = createFaultGuard({ now: () => now });
  const count = (host: string, how: 'accepted' | 'refused' | 'gone', times = 1) => {
    const found = [];
    for (let time = 0; time < times; time += 1) found.push(guard.count(host, how));
    return found;
  };
  return { start: now, count, pass: (ms: number) => void (now += ms) };
}

it('single refusals among accepted messages are about their subscriptions', () => {
  const { count } = createFixture();
  expect(count('a', 'refused', 2)).toEqual([null, null]);
  count('a', 'accepted', 100);
  expect(count('a', 'refused', 20).every((fault) => fault === null)).toBe(true);
});

it('refusals of most subscriptions are a fault of their service, with the time of the first', () => {
  const { count, pass, start } = createFixture();
  count('other', 'accepted', 100);
  count('a', 'refused', 2);
  pass(MINUTE);
  expect(count('a', 'refused')).toEqual([{ host: 'a', why: 'refused', since: start }]);
  expect(count('other', 'refused')).toEqual([null]);
});

it('a fault on this side affects all services, also those with few subscriptions', () => {
  const { count, start } = createFixture();
  for (const host of ['a', 'b']) expect(count(host, 'refused')).toEqual([null]);
  expect(count('c', 'refused')).toEqual([{ host: null, why: 'refused', since: start }]);
});

it('many subscriptions expire in a quiet year, and only nearly all at once are a fault', () => {
  const { count } = createFixture();
  count('a', 'accepted', 10);
  expect(count('a', 'gone', 30).every((fault) => fault === null)).toBe(true);
  expect(count('b', 'gone', 20).at(-1)).toMatchObject({ host: 'b', why: 'gone' });
});

it('the counts restart with the next alert', () => {
  const { count, pass } = createFixture();
  count('a', 'refused', 2);
  pass(10 * MINUTE);
  expect(count('a', 'refused')).toEqual([null]);
});
