import { endpoint } from '~/http/api/endpoint.server';
import { followCalls } from './calls/follow-calls.server';
import { productAdminCalls } from './calls/product-admin-calls.server';

const products = endpoint(
  { name: 'products', description: 'The products that we watch, and those that you follow' },
  { ...followCalls, ...productAdminCalls },
);

export const loader = products;
export const action = products;
