import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLocation, useNavigate } from '@remix-run/react';
import { useState } from 'react';
import { CarouselBar } from '~/components/admin/carousel-bar';
import { ADMIN_SECTIONS, sectionIndexAt, setNumberOf } from '~/components/admin/sections';
import { usePageTurning } from '~/components/admin/use-page-turning';
import { PageNav } from '~/components/page/page-nav';
import { CardFoot } from '~/components/ui/card';
import { requireAdmin } from '~/http/auth/session.server';
import { revalidateUnlessOffline } from '~/components/forms/offline';
import { signedInStyles } from '~/components/page/signed-in-styles';

/** Redirects members to their dashboard and visitors to the landing page. Each section checks access itself, too. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return null;
}

/** The direction of the last page turn: 1 forward, -1 back, 0 before the first turn. */
function useTurn(current: number): -1 | 0 | 1 {
  const [seen, setSeen] = useState<{ current: number; turn: -1 | 0 | 1 }>({ current, turn: 0 });
  if (seen.current === current) return seen.turn;
  const last = ADMIN_SECTIONS.length - 1;
  // The carousel wraps around between the last section and the first.
  const wrapped = Math.abs(current - seen.current) === last;
  const turn = current > seen.current === wrapped ? -1 : 1;
  setSeen({ current, turn });
  return turn;
}

const TURN_CLASS = { '-1': 'turned-back', '0': '', '1': 'turned-forward' } as const;

export const links = signedInStyles;

export const shouldRevalidate = revalidateUnlessOffline;

/** The frame of the six admin sections: the carousel bar above the current section. */
export default function AdminLayout() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const current = Math.max(0, sectionIndexAt(pathname));
  const turn = useTurn(current);
  const swiping = usePageTurning(current);
  const section = ADMIN_SECTIONS[current];
  return (
    <>
      <PageNav />
      <main
        id="content"
        tabIndex={-1}
        className="wrap flex touch-pan-y touch-pinch-zoom flex-col py-6 outline-none sm:py-8"
        {...swiping}
      >
        <CarouselBar current={current} onTurn={(path) => navigate(path)} />
        <p aria-live="polite" className="sr-only">
          {turn === 0 ? null : `${section?.name}, ${setNumberOf(current)}`}
        </p>
        <div key={section?.path} className={`mt-8 flex flex-1 flex-col ${TURN_CLASS[turn]}`}>
          <Outlet />
          <div className="mt-8 border-t border-line pt-1">
            <CardFoot number={setNumberOf(current)}>{section?.name}</CardFoot>
          </div>
        </div>
      </main>
    </>
  );
}
