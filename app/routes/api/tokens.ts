import { endpoint } from '~/http/api/endpoint.server';

const tokens = endpoint({ name: 'tokens', description: 'Tokens and proxies of the desktop app' }, {});

export const loader = tokens;
export const action = tokens;
