import { type Element, isTag, isText } from 'domhandler';
import { foldText } from './normalise-text';
import type { ParsedPage } from './parsed-page';
import { readRefresh } from './read-refresh';

const EXECUTABLE = /^(?:module|.*(?:java|ecma)script)$/i;
const MACHINERY_HINT = /queue|incapsula|swwrgts|throttle|serving|waiting/i;

/**
 * The text of an inline script that a browser would run, or null for a data block (JSON, templates). Removes comments,
 * because they never run, and unescapes slashes, ampersands, equals signs and question marks.
 */
function inlineScript(type: string | undefined, text: string): string | null {
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

const RUNS_ANYWHERE = new Set(['title', 'script', 'link', 'meta']);

/** The text of an element's direct text nodes. */
export function ownText(element: Element): string {
  return element.children.map((child) => (isText(child) ? child.data : '')).join('');
}

/** Records scripts, frames, forms, ids and classes. Inside a hidden element (`shown` is false) only scripts count. */
export function recordElement(element: Element, page: ParsedPage, shown: boolean): void {
  const { name, attribs } = element;
  if (!shown && !RUNS_ANYWHERE.has(name)) return;
  for (const attribute in attribs) {
    const value = attribs[attribute] ?? '';
    if (attribute === 'id') page.ids.add(value);
    else if (attribute === 'class') addClasses(value, page);
    else if (attribute.startsWith('data-')) {
      if (attribute === 'data-pageid') page.pageIds.push(value.trim().toLowerCase());
      page.attributeNames.add(attribute);
      if (value.includes('/')) page.dataAddresses.push(value);
    }
  }
  switch (name) {
    case 'title':
      if (page.title === '' && parentName(element) !== 'svg') {
        page.title = foldText(ownText(element));
      }
      break;
    case 'iframe':
    case 'frame':
    case 'embed':
      page.frames.push(attribs['src'] ?? attribs['data-src'] ?? '');
      page.frameFallback += ` ${ownText(element)}`;
      break;
    case 'object':
      page.frames.push(attribs['data'] ?? '');
      break;
    case 'script':
      if (attribs['src'] !== undefined) page.scriptAddresses.push(attribs['src']);
      else {
        const script = inlineScript(attribs['type'], ownText(element));
        if (script !== null) page.scripts.push(script);
      }
      break;
    case 'link':
      if (attribs['href'] !== undefined && attribs['rel'] === 'stylesheet')
        page.styleAddresses.push(attribs['href']);
      break;
    case 'meta': {
      const refresh =
        attribs['http-equiv']?.toLowerCase() === 'refresh' ? readRefresh(attribs['content'] ?? '') : null;
      if (refresh !== null) page.refreshes.push(refresh);
      break;
    }
    case 'form':
      if (attribs['action'] !== undefined) page.formAddresses.push(attribs['action']);
      break;
  }
}

/** Stores the whole class list beside its names, so that a repeated list is split only once. */
function addClasses(list: string, { classes }: ParsedPage): void {
  if (classes.has(list)) return;
  classes.add(list);
  for (const name of list.split(/\s+/)) classes.add(name);
}

function parentName(element: Element): string {
  return element.parent !== null && isTag(element.parent) ? element.parent.name : '';
}
