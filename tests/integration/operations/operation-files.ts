import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const DECLARES = /^import \{[^}]*\boperation\b[^}]*\} from '[^']*\/operation'/m;

/** The files that declare operations, wherever they are. */
export const operationFiles = globSync('{app,daemon,shared}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !file.includes('.test.') && DECLARES.test(readFileSync(join(ROOT, file), 'utf8')),
);
