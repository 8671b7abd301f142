import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../clock';
import { createHostPauses } from './host-pauses';

function pausesWithClock() {
  let time = 1_000_000;
  const pauses = createHostPauses({ now: () => time });
  return {
    pauses,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

it('each refusal without a time begins a longer pause, up to two minutes', () => {
  const { pauses, pass } = pausesWithClock();
  const waits = Array.from({ length: 6 }, () => {
    const wait = pauses.begin('discord.com').end('blocked');
    pass(wait);
    return wait / SECOND;
  });
  expect(waits).toEqual([5, 15, 45, 120, 120, 120]);
});

it('a pause holds every request to its host and none to another', () => {
  const { pauses, pass } = pausesWithClock();
  pauses.begin('discord.com').end('blocked');
  pass(SECOND);
  expect(pauses.begin('discord.com').waitMs).toBe(4 * SECOND);
  expect(pauses.begin('ptb.discord.com').waitMs).toBe(0);
});

it('refusals of requests that were sent together begin one pause', () => {
  const { pauses } = pausesWithClock();
  const together = Array.from({ length: 20 }, () => pauses.begin('discord.com'));
  expect(together.map((request) => request.end('blocked'))).toEqual(together.map(() => 5 * SECOND));
});

it('after a pause one request is sent, and its answer releases the others', () => {
  const { pauses, pass } = pausesWithClock();
  pauses.begin('discord.com').end('blocked');
  pass(5 * SECOND);
  const probe = pauses.begin('discord.com');
  expect(probe.waitMs).toBe(0);
  expect(pauses.begin('discord.com').waitMs).toBe(2 * SECOND);
  probe.end('answered');
  expect(pauses.begin('discord.com').waitMs).toBe(0);
  expect(pauses.begin('discord.com').end('blocked')).toBe(5 * SECOND);
});

it('a request without a response neither ends nor prolongs the pauses', () => {
  const { pauses, pass } = pausesWithClock();
  pauses.begin('discord.com').end('blocked');
  pass(5 * SECOND);
  pauses.begin('discord.com').end('unknown');
  pass(2 * SECOND);
  expect(pauses.begin('discord.com').end('blocked')).toBe(15 * SECOND);
});

it('the limit of invalid requests pauses the host until its ten minutes are over', () => {
  const { pauses, pass } = pausesWithClock();
  for (let count = 1; count < 1_000; count += 1) expect(pauses.begin('discord.com').end('invalid')).toBe(0);
  pass(MINUTE);
  expect(pauses.begin('discord.com').end('invalid')).toBe(9 * MINUTE);
  pass(9 * MINUTE);
  expect(pauses.begin('discord.com').end('answered')).toBe(0);
  expect(pauses.begin('discord.com').end('invalid')).toBe(0);
});

it('a clock that is set back by days holds no pause', () => {
  const { pauses, pass } = pausesWithClock();
  pauses.begin('discord.com').end('blocked');
  pass(-60 * 24 * MINUTE);
  expect(pauses.begin('discord.com').waitMs).toBe(0);
});
