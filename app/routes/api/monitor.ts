import { DEFAULT_WATCH_ID } from '#shared/brand';
import { endpoint } from '~/http/api/endpoint.server';
import { monitorCalls } from './calls/monitor-calls.server';

const monitor = endpoint(
  { name: 'monitor', description: 'The monitor of Pokemon Center UK' },
  monitorCalls({
    path: '/api/pokemon-center',
    idOf: (name) => name,
    watchIdOf: () => DEFAULT_WATCH_ID,
  }),
);

export const loader = monitor;
export const action = monitor;
