import { createElement, Fragment, type ElementType, type ReactNode } from 'react';

/** Elements that can contain only text: child elements would be dropped. */
const TEXT_ONLY: ReadonlySet<unknown> = new Set([
  'option',
  'title',
  'textarea',
  'style',
  'script',
  'desc',
  'text',
  'tspan',
]);

const isText = (child: ReactNode): child is string | number =>
  typeof child === 'string' || typeof child === 'number';

const isAbsent = (child: ReactNode) => child === null || child === undefined || typeof child === 'boolean';

/** Translators leave blank text alone. */
const isBlank = (text: string) => text.trim() === '';

const textOf = (children: readonly ReactNode[]) => children.filter(isText).join('');

/** Adjacent texts become one span at the place of the first, so that a flex container lays them out as one item. */
function wrapTexts(children: readonly ReactNode[]): ReactNode[] {
  const wrapped: ReactNode[] = [...children];
  let start = 0;
  while (start < children.length) {
    let end = start;
    while (end < children.length && (isText(children[end]) || isAbsent(children[end]))) end += 1;
    const text = textOf(children.slice(start, end));
    if (!isBlank(text)) {
      const first = children.findIndex((child, index) => index >= start && isText(child));
      wrapped.fill(null, start, end);
      wrapped[first] = createElement('span', { key: `text-${first}` }, text);
    }
    start = end + 1;
  }
  return wrapped;
}

/**
 * Gives each text with siblings a separate element.
 *
 * A browser's translation replaces text nodes by `<font>` elements. React keeps the old nodes: it throws when it removes
 * one or inserts something before it, and a new text written to one is never seen (React issue 11538). The text of an
 * element without other children is safe: React sets the element's `textContent`.
 */
export function withTextElements<Props extends object>(type: ElementType, props: Props): Props {
  const { children } = props as { children?: ReactNode };
  if (Array.isArray(children)) {
    const list = children as readonly ReactNode[];
    if (!list.some(isText)) return props;
    const joins = type !== Fragment && list.every(isText);
    if (joins || (TEXT_ONLY.has(type) && list.every((child) => isText(child) || isAbsent(child))))
      return { ...props, children: textOf(list) };
    return TEXT_ONLY.has(type) ? props : { ...props, children: wrapTexts(list) };
  }
  // A fragment has no element whose text React could set.
  if (type === Fragment && isText(children) && !isBlank(String(children)))
    return { ...props, children: createElement('span', null, children) };
  return props;
}
