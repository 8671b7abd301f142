import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Package {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readPackage = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Package;
const product = readPackage('package.json');
const sandbox = readPackage('sandbox/package.json');

it('a production install has no library of the sandbox that the product does not have', () => {
  expect(product.dependencies).toMatchObject(sandbox.dependencies);
});

it('the sandbox’s libraries have the product’s versions, so that each is installed once', () => {
  const versions = { ...product.devDependencies, ...product.dependencies };
  const shared = Object.entries(sandbox.devDependencies).filter(([name]) => name in versions);
  expect(versions).toMatchObject(Object.fromEntries(shared));
  // npm's list of production dependencies leaves out what a workspace has as a development dependency.
  expect(shared.filter(([name]) => name in product.dependencies)).toEqual([]);
});
