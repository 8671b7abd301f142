import { endpoint } from '~/http/api/endpoint.server';
import { followCalls } from './calls/follow-calls.server';
import { productAdminCalls } from './calls/product-admin-calls.server';
import { productCalls } from './calls/product-calls.server';

const products = endpoint(
  { name: 'products', description: 'The products that we watch, and those that you follow' },
  { ...productCalls, ...productAdminCalls, ...followCalls },
);

export const loader = products;
export const action = products;
