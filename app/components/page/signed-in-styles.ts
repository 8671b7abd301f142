import type { LinksFunction } from '@remix-run/node';
import stylesheet from '~/signed-in.css?url';

/** The `links` of a page behind the sign-in. */
export const signedInStyles: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }];
