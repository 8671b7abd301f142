import type { LoaderFunctionArgs } from '@remix-run/node';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';

/** What is nobody's business but a signed-in person's, or a program's. */
const PRIVATE_PATHS = ['/dashboard', '/account', '/auth', '/api'];

/** What crawlers leave alone, and where everything else is listed (RFC 9309). */
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
