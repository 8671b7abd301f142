import type { LoaderFunctionArgs } from '@remix-run/node';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';

/** Paths for signed-in users and API clients. */
const PRIVATE_PATHS = ['/dashboard', '/account', '/auth', '/api'];

/** Excludes private paths from crawling and names the sitemap (RFC 9309). */
export function loader({ request }: LoaderFunctionArgs) {
  const { appUrl } = serverContext().config;
  const lines = [
    'User-agent: *',
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${appUrl}/sitemap.xml`,
    '',
  ];
  return publicText(request, lines.join('\n'), 'text/plain');
}
