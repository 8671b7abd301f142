import type { Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { foldText } from './normalise-text';
import type { ParsedPage } from './parsed-page';
import { readRefresh } from './read-refresh';
import { inlineScript } from './read-script';

const RUNS_ANYWHERE = new Set(['title', 'script', 'link', 'meta']);

/** The text of an element's direct text nodes. */
export function ownText(element: Element): string {
  return element.children.map((child) => (isText(child) ? child.data : '')).join('');
}

/**
 * Records scripts, frames, forms, ids and classes. Scripts run anywhere; other elements inside a
 * hidden element (`shown` is false) are not in use and are ignored.
 */
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
