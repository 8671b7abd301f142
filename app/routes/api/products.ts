import { endpoint } from '~/http/api/endpoint.server';
import { followCalls } from './calls/follow-calls.server';

const products = endpoint(
  { name: 'products', description: 'The products that we watch, and those that you follow' },
  followCalls,
);

export const loader = products;
export const action = products;
