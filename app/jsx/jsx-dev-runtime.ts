import { Fragment, jsxDEV as reactJsxDev } from 'react/jsx-dev-runtime';
import { withTextElements } from './text-elements';

export type { JSX } from 'react/jsx-dev-runtime';
export { Fragment };

/** React's `jsxDEV`, with each text in a separate element, as in `jsx-runtime.ts`. */
export const jsxDEV: typeof reactJsxDev = (type, props, key, isStatic, source, self) => {
  const wrapped = withTextElements(type, props as { children?: unknown });
  return reactJsxDev(type, wrapped, key, isStatic && Array.isArray(wrapped.children), source, self);
};
