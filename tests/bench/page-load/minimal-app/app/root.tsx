import { Links, Meta, Outlet, Scripts } from '@remix-run/react';

/** The minimum that Remix can render: no loader, no styles, one sentence. */
export default function Root() {
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
