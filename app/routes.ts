import { index, route, type RouteConfig } from '@remix-run/route-config';

/** The whole site: every path and the file that answers it. */
export default [
  index('routes/site/landing.tsx'),
  route('theme', 'routes/site/theme.ts'),

  route('healthz', 'routes/healthz.ts'),

  route('api/openapi.json', 'routes/api/openapi.ts'),
  route('api/*', 'routes/api/unknown.ts'),

  route('*', 'routes/site/unknown.ts'),
] satisfies RouteConfig;
