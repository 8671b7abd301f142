import { endpoint } from '~/http/api/endpoint.server';

const payments = endpoint({ name: 'payments', description: 'Token packages, purchases and the balance' }, {});

export const loader = payments;
export const action = payments;
