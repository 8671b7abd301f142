import { expect, it } from 'vitest';
import { createBacklog, type Waiting } from './backlog';
import { createDestinationLimiter } from './destination-limiter';

const limiterOf = (slots: number, perDestination = 100) =>
  createDestinationLimiter({ slots, total: 100, perDestination, now: () => 0 });

function messages(destination: string | null, count: number, isRetry = false): Waiting[] {
  return Array.from({ length: count }, (_unused, number) => ({
    id: `${destination ?? 'none'}-${isRetry ? 'again' : 'first'}-${number}`,
    destination,
    isRetry,
  }));
}

const idsOf = (chosen: { id: string }[]) => chosen.map(({ id }) => id);

it('destinations take turns, a push service before hosts of one browser, first attempts before retries', () => {
  const backlog = createBacklog(limiterOf(16));
  backlog.add(messages('retried', 1, true));
  for (const host of ['a', 'b', 'c']) backlog.add(messages(host, 1));
  backlog.add(messages('service', 20));
  expect(idsOf(backlog.take(100))).toEqual([
    'service-first-0',
    'a-first-0',
    'b-first-0',
    'c-first-0',
    'service-first-1',
    'service-first-2',
    'service-first-3',
    'retried-again-0',
  ]);
  expect(backlog.size()).toBe(16);
});

it('destinations that answer go first, and messages without one need no slot', () => {
  const limiter = limiterOf(4);
  const backlog = createBacklog(limiter);
  limiter.begin('well')?.end('answered');
  backlog.add(messages('silent', 50));
  backlog.add(messages('well', 3));
  backlog.add(messages(null, 5));
  const chosen = idsOf(backlog.take(8));
  expect(chosen).toEqual([
    ...Array.from({ length: 5 }, (_unused, number) => `none-first-${number}`),
    'well-first-0',
    'silent-first-0',
    'well-first-1',
  ]);
});

it('an owner with many messages does not hold up the others', () => {
  const limiter = createDestinationLimiter({
    slots: 8,
    total: 8,
    perDestination: 4,
    perOwner: 1,
    now: () => 0,
  });
  const backlog = createBacklog(limiter);
  backlog.add(messages('service', 5).map((message) => ({ ...message, owner: 'many' })));
  backlog.add([{ id: 'other', destination: 'service', owner: 'one', isRetry: false }]);
  expect(idsOf(backlog.take(8))).toEqual(['service-first-0', 'other']);
});
