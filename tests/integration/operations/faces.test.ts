import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireAdmin, requireMember } from '~/http/auth/session.server';
import { everybody } from '~/http/forms/page-forms.server';
import { facesOfWrites } from './face-writes';
import { calls, operations, pageActions } from './operation-faces';

const ROOT = resolve(import.meta.dirname, '../../..');

const forms = [...pageActions].flatMap(([file, { forms, access }]) =>
  Object.entries(forms).map(([intent, form]) => ({ name: `${file} ${intent}`, access, ...form })),
);

const ACCESS_OF_PAGE = {
  public: everybody,
  member: requireMember,
  beta: requireMember,
  desktop: requireMember,
  admin: requireAdmin,
};

describe.each([...operations])('%s', (_name, operation) => {
  const callsOfIt = [...calls].filter(([, call]) => call.operation === operation);
  const formsOfIt = forms.filter((form) => form.operation === operation);

  it('has a face', () => {
    expect(callsOfIt.length + formsOfIt.length).toBeGreaterThan(0);
  });

  it('has the same access in the API and on the pages', () => {
    for (const [name, { description }] of callsOfIt)
      expect([name, description.access]).toEqual([name, operation.access]);
    for (const { name, access } of formsOfIt)
      expect([name, access]).toEqual([name, ACCESS_OF_PAGE[operation.access]]);
  });

  it('has no sentence beside its own', () => {
    expect(formsOfIt.filter(({ done }) => done !== undefined)).toEqual([]);
  });
});

const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !file.includes('.test.'))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

// A call and a form have an operation only by the declaration that runs it, so that its access, limits, input and sentence hold.
it('a face cannot claim an operation that it does not run', () => {
  const running = sourcesOf('app/**/*.{ts,tsx}').filter(({ text }) => /\bperformerOf\(/.test(text));
  expect(running.map(({ file }) => file).toSorted()).toEqual([
    'app/http/api/call.server.ts',
    'app/http/auth/logout.server.ts',
    'app/http/forms/page-forms.server.ts',
    // A form without a result: it leads to Discord.
    'app/routes/account/discord-start.ts',
  ]);
  const claiming = sourcesOf('app/routes/**/*.{ts,tsx}').filter(({ text }) =>
    /^\s*operation[:,]/m.test(text),
  );
  expect(claiming.map(({ file }) => file)).toEqual([]);
});

it('a command prints the sentence of its operation first', () => {
  const commands = sourcesOf('daemon/cli/**/!(run-operation|demo*).ts').flatMap(({ file, text }) => {
    const [, ...uses] = text.split(/\brunOperation\((?=\s*\w)/);
    return uses.map((after) => ({
      name: `${file} ${after.slice(0, after.indexOf(','))}`,
      prints: /lines: \[(?:terminalLine\()?message\b|printed\(message,|\breply\(context,/.test(after),
    }));
  });
  // The commands about products share one.
  expect(commands.length).toBeGreaterThan(14);
  expect(commands.filter(({ prints }) => !prints)).toEqual([]);
});

// A face that calls the rule directly would have its own access, limit and sentence.
it('a write that two of the API, the pages and the command line share is an operation, and only it calls the rule', () => {
  const writes = facesOfWrites();
  expect(writes.size).toBeGreaterThan(50);
  const twice = [...writes].filter(([, faces]) => faces.length > 1);
  expect(twice.map(([name, faces]) => `${name}: ${faces.join(', ')}`)).toEqual([
    // The record of an action, which each rule writes in its transaction.
    'shared/audit/write-audit.ts#writeAudit: operations, commands',
    // Parts of every sign-in: it ends the browser's earlier session, and creates one for its local storage.
    'shared/accounts/sessions.ts#revokeByTokens: operations, api, pages',
    'shared/accounts/sessions.ts#createSession: api, pages',
  ]);
});
