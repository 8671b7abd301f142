import { expect, it } from 'vitest';
import { findLockfileFaults } from './check-lockfile.mjs';

it('a download address is a fault', () => {
  const packages = {
    '': {},
    'node_modules/left': { version: '1.0.0', resolved: 'https://packages.example/left.tgz' },
  };
  expect(findLockfileFaults({ packages })).toEqual(['node_modules/left names a download address.']);
});

it('an optional package without an entry is a fault, wherever the entry belongs', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { '@tool/linux': '1.0.0', '@tool/mac': '1.0.0' },
    },
    'node_modules/tool/node_modules/@tool/linux': { version: '1.0.0', optional: true },
  };
  expect(findLockfileFaults({ packages })).toEqual([
    'node_modules/tool wants @tool/mac, which has no entry.',
  ]);
});
