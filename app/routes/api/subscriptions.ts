import { endpoint } from '~/http/api/endpoint.server';

const subscriptions = endpoint(
  { name: 'subscriptions', description: 'Plans and the member’s subscription' },
  {},
);

export const loader = subscriptions;
export const action = subscriptions;
