import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * Reduces a source map to what a stack trace needs: for each line of our own code the line that it comes from, without
 * columns, the lines of packages and the sources' text. A process parses the whole map when it first needs the stack of an
 * error (source-map-support in remix-serve, `--enable-source-maps` in the daemon). A complete map stopped the web process for a
 * second, and took more memory than its heap may have.
 *
 * @param {{ mappings: string, sources: (string | null)[], sourcesContent?: unknown }} map The map (ECMA-426), version 3.
 */
export function keepLines({ sourcesContent: _text, ...map }) {
  const isOurs = map.sources.map((source) => source !== null && !source.includes('node_modules/'));
  const mappings = decode(map.mappings).map((segments) => {
    const first = segments.find(([, source]) => source !== undefined);
    return first !== undefined && isOurs[first[1]] === true ? [first.slice(0, 4)] : [];
  });
  return { ...map, mappings: encode(mappings) };
}

/** Reduces each source map in a folder and in the folders below it. */
export function keepLinesOfMaps(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js.map'))) {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(keepLines(JSON.parse(readFileSync(file, 'utf8')))));
  }
}
