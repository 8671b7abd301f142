import { z } from 'zod';
import { pushFaultSchema, type Push } from '../push/push';
import { checkInput, clearCommand, faultsCommand, getCommand, type Command } from './command';

const newSubscriptions = z.strictObject({ count: z.int().min(1).max(20_000).default(1) });

/** The commands of the push service. */
export const pushCommands = (push: Push): Command[] => [
  getCommand('/control/push/subscriptions', () => ({ subscriptions: push.subscriptions() })),
  {
    method: 'POST',
    path: '/control/push/subscriptions',
    run(value) {
      const { count } = checkInput(newSubscriptions, value);
      return { status: 201, value: { subscriptions: Array.from({ length: count }, push.subscribe) } };
    },
  },
  getCommand('/control/push/messages', () => ({ messages: push.messages() })),
  clearCommand('/control/push/messages', 'messages', push.clear),
  faultsCommand('/control/push/faults', pushFaultSchema, push),
];
