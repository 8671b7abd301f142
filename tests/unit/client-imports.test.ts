import { build } from 'vite';
import { denyImports } from 'vite-env-only';
import { expect, it } from 'vitest';
import { SERVER_ONLY } from '../../vite.config';

/** Builds a client module that imports `specifier`. */
async function buildClient(specifier: string): Promise<unknown> {
  const entry = 'virtual:entry';
  return build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      denyImports({ client: { specifiers: SERVER_ONLY } }),
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry ? `import * as imported from '${specifier}'; console.log(imported);` : null,
      },
    ],
    build: { write: false, rollupOptions: { input: entry } },
  });
}

it.each([
  'kysely',
  'kysely/helpers/sqlite',
  'better-sqlite3',
  'pg',
  'bullmq',
  'ioredis',
  'node:fs',
  'fs',
  'fs/promises',
])('the build refuses %s in client code', async (specifier) => {
  await expect(buildClient(specifier)).rejects.toThrow('Import denied');
});

it('the build lets client code import what browsers can run', async () => {
  await expect(buildClient('#shared/clock')).resolves.toBeDefined();
});
