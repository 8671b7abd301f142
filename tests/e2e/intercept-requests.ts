import type { Page } from 'playwright/test';

/** A request of a page. `isDocument`: of the page itself, not of a frame in it. */
interface SeenRequest {
  method: string;
  isDocument: boolean;
}

/** What becomes of a request: it is sent, it gets no answer, or it gets this one. */
type Fate = 'send' | 'cut' | { status: number; body: string };

/** Decides about the page's requests from now on; null: all are sent. */
export type Intercept = (decide: ((request: SeenRequest) => Fate) | null) => Promise<void>;

/**
 * Intercepts a page's requests over DevTools' own protocol (chromedevtools.github.io, domain Fetch). `page.route` empties the
 * browser's cache each time it is called, so that the next page loads and compiles the site's scripts anew.
 */
export async function interceptRequests(page: Page): Promise<Intercept> {
  const devTools = await page.context().newCDPSession(page);
  // The id of a page is that of its outermost frame.
  const { targetInfo } = await devTools.send('Target.getTargetInfo');
  let decide: Parameters<Intercept>[0] = null;
  devTools.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId }) => {
    const isDocument = resourceType === 'Document' && frameId === targetInfo.targetId;
    const fate = decide?.({ method: request.method, isDocument }) ?? 'send';
    const answered =
      fate === 'send'
        ? devTools.send('Fetch.continueRequest', { requestId })
        : fate === 'cut'
          ? devTools.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
          : devTools.send('Fetch.fulfillRequest', {
              requestId,
              responseCode: fate.status,
              responseHeaders: [{ name: 'Content-Type', value: 'text/html' }],
              body: Buffer.from(fate.body).toString('base64'),
            });
    // The page may have given the request up.
    answered.catch(() => undefined);
  });
  return async (next) => {
    decide = next;
    await (next === null ? devTools.send('Fetch.disable') : devTools.send('Fetch.enable'));
  };
}
