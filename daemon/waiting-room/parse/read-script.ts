const EXECUTABLE = /^(?:module|.*(?:java|ecma)script)$/i;
const MACHINERY_HINT = /queue|incapsula|swwrgts|throttle|serving|waiting/i;

/**
 * The text of an inline script that a browser would run, or null for a data block (JSON, templates). Removes comments,
 * because they never run, and unescapes slashes, ampersands, equals signs and question marks.
 */
export function inlineScript(type: string | undefined, text: string): string | null {
  const kind = (type ?? '').split(';')[0]?.trim() ?? '';
  if (kind !== '' && !EXECUTABLE.test(kind)) return null;
  if (!MACHINERY_HINT.test(text)) return text;
  return withoutComments(text)
    .replaceAll('\\/', '/')
    .replace(/\\u002f|\\x2f/gi, '/')
    .replace(/\\u0026|\\x26|&amp;/gi, '&')
    .replace(/\\u003d|\\x3d/gi, '=')
    .replace(/\\u003f|\\x3f/gi, '?');
}

/** Only `//` and `/*` after white space or punctuation start a comment: inside strings they occur in URLs and media types. */
function withoutComments(script: string): string {
  let kept = '';
  let position = 0;
  const opening = /(^|[\s;{}(),])(\/\*|\/\/)/g;
  for (;;) {
    opening.lastIndex = position;
    const match = opening.exec(script);
    if (match === null) return kept + script.slice(position);
    const start = match.index + (match[1]?.length ?? 0);
    const close = match[2] === '/*' ? script.indexOf('*/', start + 2) : script.indexOf('\n', start);
    kept += script.slice(position, start);
    if (close === -1) return match[2] === '/*' ? kept + script.slice(start) : kept;
    position = match[2] === '/*' ? close + 2 : close;
  }
}
