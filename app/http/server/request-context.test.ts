import { expect, test } from 'vitest';
import { noteAccount, requestLogFields, runInRequest } from './request-context.server';

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['', ''],
])('log lines of a request from "%s" name the network "%s"', (clientAddress, network) => {
  runInRequest({ method: 'GET', clientAddress, id: 'one' }, () => {
    expect(requestLogFields()).toEqual({ requestId: 'one', network });
    noteAccount('an account');
    expect(requestLogFields()).toEqual({ requestId: 'one', network, accountId: 'an account' });
  });
  expect(requestLogFields()).toEqual({});
});
