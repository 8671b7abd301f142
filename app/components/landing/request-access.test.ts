import { expect, test } from 'vitest';
import type { SignedIn } from '~/components/site/site-facts';
import { accessCallOf } from './request-access';

const signedIn = (changes: Partial<SignedIn>): SignedIn => ({
  id: 'a',
  name: 'Ash',
  avatarUrl: null,
  admin: false,
  beta: 'none',
  ...changes,
});

test.each([
  ['a visitor', null, 'Request Beta Access', '/?auth=login'],
  ['a member without beta access', signedIn({}), 'Request Beta Access', '/dashboard'],
  ['a member who has requested it', signedIn({ beta: 'requested' }), 'See Your Request', '/dashboard'],
  ['an approved member', signedIn({ beta: 'approved' }), 'Go to Your Dashboard', '/dashboard'],
  ['an admin', signedIn({ admin: true }), 'Open the Admin Dashboard', '/dashboard'],
])('%s is offered the next step', (_who, viewer, name, href) => {
  expect(accessCallOf(viewer)).toMatchObject({ name, href });
});

test('members who have beta access are not asked to request it', () => {
  for (const viewer of [signedIn({ beta: 'approved' }), signedIn({ admin: true })])
    expect(JSON.stringify(accessCallOf(viewer))).not.toMatch(/ask|request/i);
});
