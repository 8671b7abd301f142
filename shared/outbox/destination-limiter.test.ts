import { expect, it } from 'vitest';
import { SECOND } from '../clock';
import {
  createDestinationLimiter,
  type AttemptEnd,
  type DestinationLimits,
  type LimitedAttempt,
} from './destination-limiter';

function createFixture(limits: Partial<DestinationLimits> = {}) {
  let time = 0;
  const limiter = createDestinationLimiter({
    slots: 20,
    total: 60,
    perDestination: 10,
    now: () => time,
    ...limits,
  });
  const begin = (destination: string, owner?: string) => limiter.begin(destination, owner);
  /** Begins as many attempts as are allowed, at most `most`. */
  function beginAll(destination: string, most = 1_000): LimitedAttempt[] {
    const begun: LimitedAttempt[] = [];
    while (begun.length < most) {
      const attempt = begin(destination);
      if (attempt === null) break;
      begun.push(attempt);
    }
    return begun;
  }
  const endAll = (attempts: LimitedAttempt[], how: AttemptEnd) => attempts.forEach(({ end }) => end(how));
  /** Lets a destination answer until it has its largest window. */
  function prove(destination: string): void {
    for (let round = 0; round < 5; round += 1) endAll(beginAll(destination), 'answered');
  }
  return { limiter, begin, beginAll, endAll, prove, pass: (ms: number) => void (time += ms) };
}

it('a destination gets few attempts until it answers, then more with each answer', () => {
  const { beginAll, endAll } = createFixture();
  const sizes: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const begun = beginAll('fast');
    sizes.push(begun.length);
    endAll(begun, 'answered');
  }
  expect(sizes).toEqual([4, 8, 10, 10]);
});

it('a destination that stops answering gets no more attempts, and leaves its slots to the others', () => {
  const { begin, beginAll, prove, pass } = createFixture({ slots: 10 });
  prove('stuck');
  prove('well');
  expect(beginAll('stuck')).toHaveLength(10);
  expect(begin('well')).toBeNull();
  pass(SECOND);
  expect(begin('stuck')).toBeNull();
  expect(beginAll('well')).toHaveLength(10);
});

it('a destination with some slow answers continues while its other answers arrive', () => {
  const { begin, beginAll, prove, pass } = createFixture();
  prove('mixed');
  beginAll('mixed', 5);
  pass(SECOND / 2);
  begin('mixed')?.end('answered');
  pass(SECOND);
  expect(begin('mixed')).not.toBeNull();
});

it('any number of destinations that never answer leaves half of the slots to those that do', () => {
  const { begin, beginAll, prove, pass } = createFixture();
  prove('well');
  let silent = 0;
  const silence = () => {
    let begun = 0;
    while (begun < 100 && begin(`silent-${silent}`) !== null) {
      begun += 1;
      silent += 1;
    }
    return begun;
  };
  expect(silence()).toBe(10);
  expect(beginAll('well')).toHaveLength(10);
  pass(SECOND);
  // Slow attempts have left their slots, but not the total.
  expect(silence()).toBe(10);
  pass(SECOND);
  expect(silence()).toBe(10);
  pass(SECOND);
  expect(silence()).toBe(0);
});

it('a destination is paused after failures in a row, longer each time, and tried with one attempt', () => {
  for (const [how, limit] of [
    ['silent', 3],
    ['busy', 5],
  ] as const) {
    const { begin, beginAll, endAll, prove, pass } = createFixture();
    prove('failing');
    for (let failed = 0; failed < limit; failed += 1) begin('failing')?.end(how);
    expect(begin('failing'), how).toBeNull();
    for (const pause of [2, 4, 8, 15, 15]) {
      pass(pause * SECOND - 1);
      expect(begin('failing'), how).toBeNull();
      pass(1);
      const probes = beginAll('failing');
      expect(probes).toHaveLength(1);
      endAll(probes, how);
    }
    pass(15 * SECOND);
    begin('failing')?.end('answered');
    expect(beginAll('failing')).toHaveLength(2);
  }
});

it('failures of attempts that ran at the same time begin one pause', () => {
  const { begin, beginAll, endAll, prove, pass } = createFixture();
  prove('failing');
  endAll(beginAll('failing'), 'silent');
  pass(2 * SECOND);
  expect(begin('failing')).not.toBeNull();
});

it('an attempt that sent nothing does not affect its destination', () => {
  const { limiter, begin } = createFixture();
  for (let count = 0; count < 20; count += 1) begin('unknown')?.end('unused');
  expect(limiter.isProven('unknown')).toBe(false);
  expect(begin('unknown')).not.toBeNull();
});

it('one owner has few attempts over all destinations', () => {
  const { begin } = createFixture({ perOwner: 2 });
  const first = begin('one', 'owner');
  expect(begin('two', 'owner')).not.toBeNull();
  expect(begin('three', 'owner')).toBeNull();
  expect(begin('three', 'other')).not.toBeNull();
  first?.end('silent');
  expect(begin('three', 'owner')).not.toBeNull();
});
