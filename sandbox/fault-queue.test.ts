import { expect, test } from 'vitest';
import { createFaultQueue, type FaultLife } from './fault-queue';

interface Named extends FaultLife {
  name: string;
}

test('faults are returned in order, each as often as its count, then none', () => {
  const queue = createFaultQueue<Named>();
  queue.set([{ name: 'a' }, { name: 'b', count: 2 }]);
  expect([1, 2, 3, 4].map(() => queue.take()?.name)).toEqual(['a', 'b', 'b', undefined]);
});

test('a persistent fault stays until the list is replaced', () => {
  const queue = createFaultQueue<Named>();
  queue.set([{ name: 'for good', persistent: true }]);
  expect([1, 2, 3].map(() => queue.take()?.name)).toEqual(['for good', 'for good', 'for good']);
  queue.set([]);
  expect(queue.take()).toBeUndefined();
});

test('a fault that does not match waits for a matching request', () => {
  const queue = createFaultQueue<Named>();
  queue.set([{ name: 'a' }, { name: 'b' }]);
  expect(queue.take((fault) => fault.name === 'b')?.name).toBe('b');
  expect(queue.list()).toEqual([{ name: 'a', count: 1 }]);
});
