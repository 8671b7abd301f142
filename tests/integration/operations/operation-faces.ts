import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AnyOperation } from '#shared/operation';
import type { Call } from '~/http/api/call.server';
import type { pageForms } from '~/http/forms/page-forms.server';
import { watchListForms } from '~/routes/admin/monitor/watches/watch-list.server';
import { apiGroups } from '../api/api-fixture';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The files that declare operations. */
const operationFiles = globSync('shared/**/*-operations.ts', { cwd: ROOT });

/** Every operation by its name, such as `betaOperations.request`. */
export const operations = new Map<string, AnyOperation>();
for (const file of operationFiles) {
  const module = (await import(`${ROOT}/${file}`)) as Record<string, Record<string, AnyOperation>>;
  for (const [group, members] of Object.entries(module).filter(([name]) => name.endsWith('Operations')))
    for (const [name, operation] of Object.entries(members)) operations.set(`${group}.${name}`, operation);
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
