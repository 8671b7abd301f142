import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A new path for bundles of programs. It is below node_modules, so that their imports of packages resolve. It is not in
 * `bundled-programs.ts`, because the global set-up cannot import that: `inject` exists in tests only.
 */
export function newBundleFolder(): string {
  return join(ROOT, 'node_modules', '.cache', `packwatch-tests-${randomBytes(6).toString('hex')}`);
}
