import { endpoint } from '~/http/api/endpoint.server';

const stripeWebhook = endpoint({ name: 'webhooks', description: 'Events that Stripe sends' }, {});

export const loader = stripeWebhook;
export const action = stripeWebhook;
