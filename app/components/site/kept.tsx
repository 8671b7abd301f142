import type { ReactElement } from 'react';
import { usePageRender } from './page-render';

/**
 * A list item whose content depends on `of` alone, and uses no context. The server renders it once for as long as `of`
 * lives, such as data of the loader cache, in the HTML that React renders here in the browser.
 */
export function Kept({ of, children }: { of: object; children: ReactElement }) {
  const { keepHtml } = usePageRender();
  return keepHtml === undefined ? (
    <li>{children}</li>
  ) : (
    <li dangerouslySetInnerHTML={{ __html: keepHtml(of, children) }} />
  );
}
