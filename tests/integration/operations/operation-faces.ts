import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnyOperation } from '#shared/operation';
import type { Call } from '~/http/api/call.server';
import type { pageForms } from '~/http/forms/page-forms.server';
import { watchListForms } from '~/routes/admin/monitor/watches/watch-list.server';
import { apiGroups } from '../api/api-fixture';
import { operationFiles } from './operation-files';

const ROOT = resolve(import.meta.dirname, '../../..');

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === 'object' && value !== null && ['access', 'limits', 'run'].every((name) => name in value);

/** The operations in what a file exports: one, or an object of several. */
function operationsIn(name: string, value: unknown): [string, AnyOperation][] {
  if (isOperation(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, one]) =>
    isOperation(one) ? [[`${name}.${member}`, one]] : [],
  );
}

/** Every operation by its name, such as `betaOperations.request`. */
export const operations = new Map<string, AnyOperation>();
for (const file of operationFiles) {
  const module = (await import(`${ROOT}/${file}`)) as Record<string, unknown>;
  const found = Object.entries(module).flatMap(([name, value]) => operationsIn(name, value));
  if (found.length === 0) throw new Error(`${file} exports none of its operations`);
  for (const [name, operation] of found) operations.set(name, operation);
}

/** Every call of the API by its method and path. */
export const calls = new Map<string, Call>(
  apiGroups.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]): [string, Call] => [`${method} ${path}`, call]),
    ),
  ),
);

type PageAction = ReturnType<typeof pageForms>['action'];

/** The actions of the pages by their file. */
export const pageActions = new Map<string, PageAction>([['the list of watches', watchListForms.action]]);
for (const file of globSync('app/routes/{account,admin,dashboard}/**/*.tsx', { cwd: ROOT })) {
  const { action } = (await import(`${ROOT}/${file}`)) as { action?: Partial<PageAction> };
  if (action?.forms !== undefined) pageActions.set(file, action as PageAction);
}
