import { useLocation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';

/** Says the title after each client-side navigation to another path, as a screen reader does when a document loads. */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const announced = useRef(pathname);
  const [page, setPage] = useState<{ pathname: string; title: string } | null>(null);
  useEffect(() => {
    if (announced.current === pathname) return;
    announced.current = pathname;
    setPage({ pathname, title: document.title });
  }, [pathname]);
  return (
    <div aria-live="polite" data-route-announcer className="sr-only">
      {/* A new element for each path: two pages may have the same title. */}
      {page === null ? null : <p key={page.pathname}>{page.title}</p>}
    </div>
  );
}
