import { readFileSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireAdmin, requireMember } from '~/http/auth/session.server';
import { calls, operationFiles, operations, pageActions } from './operation-faces';

const ROOT = resolve(import.meta.dirname, '../../..');

const forms = [...pageActions].flatMap(([file, { forms, access }]) =>
  Object.entries(forms).map(([intent, form]) => ({ name: `${file} ${intent}`, access, ...form })),
);

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
      expect([name, access]).toEqual([name, operation.access === 'admin' ? requireAdmin : requireMember]);
  });

  it('is limited in the API as it is on the pages', () => {
    for (const [name, { description }] of callsOfIt)
      expect([name, description.limited]).toEqual([name, operation.limit !== null]);
  });

  it('has no sentence beside its own', () => {
    expect(formsOfIt.filter(({ done }) => done !== undefined)).toEqual([]);
  });
});

/** The functions that the operations of a file run, without those that read. */
function rulesOf(file: string): string[] {
  const text = readFileSync(`${ROOT}/${file}`, 'utf8');
  const imported = [...text.matchAll(/^import \{([^}]+)\} from '\./gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  return imported.filter(
    (name) =>
      !/^(?:operation|DomainError|(?:require|find|describe)\w+)$/.test(name) && text.includes(` ${name}(`),
  );
}

// A face that calls the rule itself has its own access, limit and sentence.
it('the API, the pages and the command line reach the rules of operations through them alone', () => {
  const rules = new Set(operationFiles.flatMap(rulesOf));
  expect(rules.size).toBeGreaterThan(10);
  const direct = globSync('{app/http,app/routes,daemon/cli}/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => !/^daemon\/cli\/(?:demo|seed)|\.test\./.test(file))
    .flatMap((file) =>
      [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(/\b\w+(?=\()/g)]
        .map(([name]) => name)
        .filter((name) => rules.has(name))
        .map((name) => `${file} calls ${name}`),
    );
  expect(direct).toEqual([]);
});
