/// <reference types="@remix-run/node" />
/// <reference types="vite/client" />

import '@remix-run/server-runtime';

declare module '@remix-run/server-runtime' {
  interface Future {
    v3_singleFetch: true;
  }

  interface AppLoadContext {
    /** Set by the page cache: takes a page's text instead of the response, whose body would copy it several times. */
    takeHtml?: (html: string) => void;
    /** Parts of the document that its data does not repeat (`document-html.server.ts`). */
    documentHtml?: Record<string, string>;
  }
}
