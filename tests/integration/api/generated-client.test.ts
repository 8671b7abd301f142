import { createHash } from 'node:crypto';
import { generateSource } from 'oazapfts';
import openapiTS, { astToString } from 'openapi-typescript';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverContext } from '~/http/server/context.server';
import { freePort } from '../../free-port';
import { giveTokens } from '../../paid-accounts';
import { createApiFixture, type ApiFixture } from './api-fixture';
import { startSite, type RunningSite } from '../running-site';
import { uploadRelease } from '../releases/uploaded-release';

const PASSWORD = 'a password of the tests';
const FOLDER = fileURLToPath(new URL('../../fixtures/api-client/', import.meta.url));
const PROGRAM = `${FOLDER}walk.ts`;

let fixture: ApiFixture;
let site: RunningSite;
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await freePort()}`;
  fixture = await createApiFixture({ APP_URL: origin, PROXY_POOL: 'http://user:secret@proxy.test:8000' });
  site = await startSite();
});
afterAll(async () => {
  await site.close();
  await fixture.cleanup();
});

/** What TypeScript says about a program. `generated`: the text of a file beside it, which the program imports. */
function complaintsAbout(program: string, generated: { name: string; text: string }): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const generatedFile = FOLDER + generated.name;
  const { readFile, fileExists } = host;
  host.fileExists = (name) => name === generatedFile || fileExists(name);
  host.readFile = (name) => (name === generatedFile ? generated.text : readFile(name));
  host.getSourceFile = (name, version) => {
    const text = host.readFile(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, version);
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([program], options, host));
  return diagnostics.map(({ messageText, file, start = 0 }) => {
    const line = file === undefined ? '' : `${file.getLineAndCharacterOfPosition(start).line + 1}: `;
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}

test('a client made from the document compiles, signs in, reads the profile, takes tokens and downloads', async () => {
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Parameters<
    typeof openapiTS
  >[0];
  const types = astToString(await openapiTS(document));
  expect(complaintsAbout(PROGRAM, { name: 'packwatch-api.d.ts', text: types })).toEqual([]);

  const account = await fixture.account('pro', {
    password_hash: await serverContext().passwords.hash(PASSWORD, 'tests'),
  });
  await giveTokens(fixture.db, account.id, 50);
  const upload = { version: '1.2.0', platform: 'windows', bytes: 100_000 } as const;
  const program = await uploadRelease(await fixture.tokenOf('admin'), upload);
  // Not a static import: the file is compiled with the types above, not with the types of this repository.
  const { walk } = (await import(/* @vite-ignore */ PROGRAM)) as {
    walk(baseUrl: string, credentials: object, taskId: string): Promise<{ file: ArrayBuffer }>;
  };
  const seen = await walk(origin, { email: account.email, password: PASSWORD }, 'a-task');
  expect(seen).toEqual({
    user: expect.objectContaining({ id: account.id, desktop_access: true }),
    proxy: {
      taskId: 'a-task',
      protocol: 'http',
      host: 'proxy.test',
      port: 8000,
      username: 'user',
      password: 'secret',
    },
    consumed: 2,
    balance: 48,
    latest: '1.2.0',
    sha256: createHash('sha256').update(program).digest('hex'),
    file: expect.any(ArrayBuffer),
    refusal: expect.objectContaining({
      success: false,
      code: 'invalid',
      errors: { taskId: expect.any(Array) },
    }),
  });
  expect(program.equals(Buffer.from(seen.file))).toBe(true);
});

test('a client that another generator (oazapfts) makes compiles and takes files', async () => {
  const text = await generateSource(`${origin}/api/openapi.json`);
  expect(complaintsAbout(`${FOLDER}send-files.ts`, { name: 'packwatch-client.ts', text })).toEqual([]);
});
