import type { Middleware } from './attach.server';
import type { LoadBuild } from '../page-cache/page-cache.server';
import { serverContext } from './context.server';
import { createInFlight } from './in-flight.server';
import { createPipeline } from './pipeline.server';

let pipeline: Middleware | null = null;

/** The pipeline under the dev server, which evaluates this module anew after each change; see vite.config.ts. */
export function developmentPipeline(loadBuild: LoadBuild): Middleware {
  return (pipeline ??= createPipeline({
    context: serverContext(),
    loadBuild,
    inFlight: createInFlight(),
  }));
}
