/*
 * Renders a page and the data that it starts with in the browser, instead of Remix's documented way
 * (`renderToPipeableStream` with `<RemixServer>`, which encodes the page to bytes in many small chunks and renders its data
 * in further passes). Measured on 22 November 2026, with shortened rounds of `npm run bench -- pages`: uncached pages 32 to
 * 36 % faster (article 957 instead of 706 requests per second, beside 1941 of the minimal page).
 *
 * It depends on what `<RemixServer>` does with `serverHandoffStream` (@remix-run/react 2.17, dist/single-fetch.js,
 * `StreamTransfer`), which is private to Remix.
 */
import { readableStreamToString, type EntryContext } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { PageRenderProvider, type PageRender } from '~/components/site/page-render';

/** Returns the complete HTML of a page. None of our pages defers data or suspends, so nothing arrives later. */
export async function renderHtml(
  { serverHandoffStream, ...context }: EntryContext,
  url: string,
  render: PageRender & { nonce: string },
): Promise<string> {
  const dataScript = serverHandoffStream && scriptOf(await readableStreamToString(serverHandoffStream));
  const html = renderToString(
    <PageRenderProvider value={{ ...render, dataScript }}>
      <RemixServer context={context} url={url} nonce={render.nonce} />
    </PageRenderProvider>,
  );
  return `<!DOCTYPE html>${html}`;
}

/** The script that passes the data of the page's loaders to Remix in the browser. */
function scriptOf(data: string): string {
  // Only `<` can end the text of a script (html.spec.whatwg.org, section 4.12.1.3).
  const literal = JSON.stringify(data).replaceAll('<', '\\u003c');
  const stream = 'window.__remixContext.streamController';
  return `${stream}.enqueue(${literal});${stream}.close();`;
}
