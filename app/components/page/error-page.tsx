import { isRouteErrorResponse } from '@remix-run/react';
import { ButtonLink } from '~/components/ui/button';
import { usePageRender } from '../site/page-render';
import { SmallFooter } from './site-footer';
import { SiteNav, SkipLink } from '../site/site-nav';

interface Explanation {
  title: string;
  what: string;
  next: string;
}

function explain(error: unknown): Explanation {
  if (isRouteErrorResponse(error) && error.status === 405) {
    return {
      title: 'That does not work here',
      what: 'This page does not accept that kind of request.',
      next: 'Go back and try again from the page.',
    };
  }
  if (isRouteErrorResponse(error) && error.status < 500) {
    return {
      title: 'We did not understand that',
      what: 'There was a problem with the address or the form.',
      next: 'Go back, or start again from the home page.',
    };
  }
  return {
    title: 'This page did not load',
    what: 'Something went wrong on our side. Alerts run separately and aren’t affected.',
    next: 'Try again in a moment. If the problem continues, quote the reference below.',
  };
}

/** Says what happened and what to do next, without internal details. */
export function ErrorPage({ error }: { error: unknown }) {
  const { requestId } = usePageRender();
  const { title, what, next } = explain(error);
  return (
    <>
      <SkipLink />
      <SiteNav />
      <main id="content" tabIndex={-1} className="wrap py-20">
        <h1 className="text-heading">{title}</h1>
        <p className="mt-5 max-w-[38em] text-lead text-soft">
          {what} {next}
        </p>
        <p className="mt-8">
          <ButtonLink href="/" variant="primary">
            Go to home page
          </ButtonLink>
        </p>
        {requestId === undefined ? null : (
          <p className="mt-10 text-small text-soft">
            Reference: <code>{requestId}</code>
          </p>
        )}
      </main>
      <SmallFooter />
    </>
  );
}
