import { z } from 'zod';
import { pushFaultSchema, type Push } from '../push/push';
import type { Command } from './command';
import { checkOrder } from './read-order';

const newSubscriptions = z.strictObject({ count: z.int().min(1).max(20_000).default(1) });
const pushFaults = z.strictObject({ faults: z.array(pushFaultSchema).max(1_000) });

/** The commands of the push service. */
export function pushCommands(push: Push): Command[] {
  return [
    {
      method: 'GET',
      pattern: '/control/push/subscriptions',
      run: () => ({ value: { subscriptions: push.subscriptions() } }),
    },
    {
      method: 'POST',
      pattern: '/control/push/subscriptions',
      run(value) {
        const { count } = checkOrder(newSubscriptions, value);
        return { status: 201, value: { subscriptions: Array.from({ length: count }, push.subscribe) } };
      },
    },
    {
      method: 'GET',
      pattern: '/control/push/messages',
      run: () => ({ value: { messages: push.messages() } }),
    },
    {
      method: 'DELETE',
      pattern: '/control/push/messages',
      run() {
        push.clear();
        return { value: { messages: [] } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/push/faults',
      run(value) {
        push.setFaults(checkOrder(pushFaults, value).faults);
        return { value: { faults: push.faults() } };
      },
    },
  ];
}
