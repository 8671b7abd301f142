import { createContext, useContext, type ReactElement } from 'react';

/** Data of one server rendering that the browser does not get. */
export interface PageRender {
  /** The nonce of the page's inline scripts. */
  nonce?: string;
  /** The script that starts the page in the browser. */
  startScript?: string;
  /** HTML by the names of its `StaticHtml`; undefined in the browser. */
  documentHtml?: Record<string, string>;
  /** See `Kept`; undefined in the browser. */
  keepHtml?: (of: object, element: ReactElement) => string;
  /** Shown on an error page. */
  requestId?: string;
}

const PageRenderContext = createContext<PageRender>({});

export const PageRenderProvider = PageRenderContext.Provider;

/** Returns the data of the current server rendering; an empty object in the browser. */
export function usePageRender(): PageRender {
  return useContext(PageRenderContext);
}
