import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** First of the named programs found in the folders of the PATH, or null. */
export function findOnPath(names, path = process.env.PATH ?? '') {
  for (const name of names) {
    for (const folder of path.split(delimiter)) {
      if (folder === '') continue;
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}
