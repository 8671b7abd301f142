import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';
import { withTextElements } from './text-elements';

export type { JSX } from 'react/jsx-runtime';
export { Fragment };

/** React's `jsx`, with each text in a separate element (`jsxImportSource` in tsconfig.json). */
export const jsx: typeof reactJsx = (type, props, key) =>
  reactJsx(type, withTextElements(type, props as object), key);

/** As `jsx`; the children that the JSX lists need no keys. */
export const jsxs: typeof reactJsxs = (type, props, key) => {
  const wrapped = withTextElements(type, props as { children?: unknown });
  return Array.isArray(wrapped.children) ? reactJsxs(type, wrapped, key) : reactJsx(type, wrapped, key);
};
