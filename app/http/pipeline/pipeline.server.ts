import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Middleware } from './attach.server';
import type { PublicPage } from '../page-cache/cache-key.server';
import { createPageCache, type LoadBuild } from '../page-cache/page-cache.server';
import { closeIdleConnection, drainBody } from './connection-limits.server';
import type { ServerContext } from '../server/context.server';
import { passesCsrfGuard, rejectCrossOrigin } from './csrf-guard.server';
import type { InFlight } from './in-flight.server';
import { normaliseRequest, readClientAddress } from './normalise-request.server';
import { currentRequestId, logRequest, runInRequest } from '../server/request-context.server';
import { createSecurityHeaders } from '../server/security-headers.server';
import { createApiStep } from './serve-api.server';
import { createReleaseAssets } from '../files/release-assets.server';
import { serveUpload } from '../files/serve-upload.server';

export interface PipelineOptions {
  context: ServerContext;
  loadBuild: LoadBuild;
  /** The pages that the page cache answers for. */
  publicPages: readonly PublicPage[];
  inFlight: InFlight;
}

/** Everything that happens to a request before Remix, in order. `next` is Remix. Development runs the same steps. */
export function createPipeline({ context, loadBuild, publicPages, inFlight }: PipelineOptions): Middleware {
  const { config, clock, log } = context;
  const app = new URL(config.appUrl);
  const setSecurityHeaders = createSecurityHeaders(config);
  const serveApi = createApiStep(config, loadBuild);
  const servePublicPage = createPageCache(context, { publicPages, loadBuild });
  const serveAssets = createReleaseAssets({
    loadBuildFolder: async () => join((await loadBuild()).assetsBuildDirectory, 'assets'),
    dataDir: config.dataDir,
    clock,
    log,
  });
  // The fields of its lines are known, and hold no secret: to look for one took ten times as long as to write the line.
  const requestLog = log.child({}, { redact: [] });

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    { method, target, next }: { method: string; target: string; next: () => void },
  ): Promise<void> {
    response.setHeader('X-Request-Id', currentRequestId());
    logRequest(response, { log: requestLog, method, target });
    inFlight.track(response);

    setSecurityHeaders(request, response);
    closeIdleConnection(request, response);
    response.once('finish', () => drainBody(request));

    if (!passesCsrfGuard(request, { method, app })) return rejectCrossOrigin(response);
    if (await serveApi(request, response)) return;
    if (await serveUpload(request, response, context)) return;
    if (await servePublicPage(request, response)) return;
    serveAssets(request, response, next);
  }

  return (request, response, next) => {
    const { method = 'GET', url: target = '/' } = request;
    normaliseRequest(request, app.host);
    const clientAddress = readClientAddress(request, config.web.trustProxy);
    runInRequest({ method, clientAddress, response }, () => {
      handle(request, response, { method, target, next }).catch((error: unknown) => {
        log.error({ err: error }, 'a request failed before Remix');
        response.destroy();
      });
    });
  };
}
