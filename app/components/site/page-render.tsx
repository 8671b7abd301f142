import { createContext, useContext } from 'react';

/** What one rendering on the server knows, and the browser does not need. */
export interface PageRender {
  /** Admits this page's inline scripts. */
  nonce?: string;
  /** Names the request on an error page. */
  requestId?: string;
}

const PageRenderContext = createContext<PageRender>({});

export const PageRenderProvider = PageRenderContext.Provider;

/** Empty in the browser. */
export function usePageRender(): PageRender {
  return useContext(PageRenderContext);
}
