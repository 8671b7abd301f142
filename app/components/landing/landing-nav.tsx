import { useRef } from 'react';
import { SiteNav } from '~/components/site-nav';
import type { Theme } from '~/components/theme/theme';
import { ThemeSwitch } from '~/components/theme/theme-switch';
import { SECTIONS } from './landing-content';

function SectionLinks({ onFollow }: { onFollow?: () => void }) {
  return SECTIONS.map(({ id, name }) => (
    <li key={id}>
      <a
        href={`#${id}`}
        onClick={onFollow}
        className="block rounded-control py-2 font-[550] no-underline hover:text-brand"
      >
        {name}
      </a>
    </li>
  ));
}

/** The landing page's bar: its sections (a native disclosure on small screens) and the theme. */
export function LandingNav({ theme }: { theme: Theme }) {
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <SiteNav>
      <ul className="hidden gap-5.5 md:flex">
        <SectionLinks />
      </ul>
      <div className="ml-auto flex items-center gap-2">
        <div className="hidden md:block">
          <ThemeSwitch theme={theme} />
        </div>
        <details ref={menu} className="relative md:hidden">
          <summary className="grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden">
            <span className="sr-only">Menu</span>
            <svg
              viewBox="0 0 20 20"
              width="22"
              height="22"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              aria-hidden="true"
            >
              <path d="M3 6h14M3 10h14M3 14h9" />
            </svg>
          </summary>
          <div className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-5 pt-3 shadow-card">
            <ul>
              <SectionLinks onFollow={() => menu.current?.removeAttribute('open')} />
            </ul>
            <div className="mt-3 w-fit">
              <ThemeSwitch theme={theme} />
            </div>
          </div>
        </details>
      </div>
    </SiteNav>
  );
}
