import { Link } from '~/components/ui/button';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { ChevronIcon } from '~/components/ui/icons';
import { ADMIN_SECTIONS, sectionBeside, setNumberOf, type AdminSectionFacts } from './sections';

/** Returns the index that a key moves to from `index`; null for other keys. */
function indexAfterKey(key: string, index: number, count: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return (index - 1 + count) % count;
    case 'ArrowRight':
      return (index + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** The carousel's links, with Previous and Next. Arrow keys call `onTurn` with the new path. `current`: the open index. */
export function CarouselBar({ current, onTurn }: { current: number; onTurn: (path: string) => void }) {
  const list = useRef<HTMLOListElement>(null);

  // On a narrow screen the list scrolls, and the current section may be hidden.
  useEffect(() => {
    const strip = list.current;
    const entry = strip?.children[current];
    if (!strip || !(entry instanceof HTMLElement)) return;
    strip.scrollTo({ left: entry.offsetLeft - (strip.clientWidth - entry.offsetWidth) / 2 });
  }, [current]);

  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = [...event.currentTarget.querySelectorAll('a')];
    const from = links.findIndex((link) => link === document.activeElement);
    const to = from === -1 ? null : indexAfterKey(event.key, from, links.length);
    if (to === null) return;
    event.preventDefault();
    // The focus moves first, so that the next key starts from here.
    links[to]?.focus({ preventScroll: true });
    const section = ADMIN_SECTIONS[to];
    if (section !== undefined) onTurn(section.path);
  };

  const previous = sectionBeside(current, -1);
  const next = sectionBeside(current, 1);
  return (
    <nav aria-label="Admin sections" className="grid gap-2.5">
      <div className="flex items-center gap-2">
        <Link
          to="/dashboard"
          prefetch="intent"
          className="mr-auto inline-flex min-h-11 items-center underline underline-offset-4 hover:text-brand"
        >
          Admin dashboard
        </Link>
        <Step section={previous} label="Previous" keys="Alt+PageUp" rotation="rotate-90" />
        <Step section={next} label="Next" keys="Alt+PageDown" rotation="-rotate-90" />
      </div>
      <ol
        ref={list}
        onKeyDown={onKeyDown}
        className="binder relative grid snap-x scroll-px-3.5 auto-cols-[9.5rem] grid-flow-col gap-2 overflow-x-auto [scrollbar-width:none] sm:gap-2.5 lg:auto-cols-fr"
      >
        {ADMIN_SECTIONS.map(({ path, name }, index) => (
          <li
            key={path}
            className={`grid snap-center ${index === current ? '[scroll-initial-target:nearest]' : ''}`}
          >
            <Link
              to={path}
              prefetch="intent"
              aria-current={index === current ? 'page' : undefined}
              className="flex flex-col justify-between gap-1 rounded-pocket border border-transparent px-3 py-2 text-soft no-underline outline-offset-[-3px] hover:border-line hover:text-ink aria-[current=page]:border-line aria-[current=page]:bg-surface aria-[current=page]:text-ink"
            >
              <span className="text-small leading-tight font-[650]">{name}</span>
              <span className="text-small leading-tight">{setNumberOf(index)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepProps {
  section: AdminSectionFacts;
  label: string;
  keys: string;
  rotation: string;
}

function Step({ section, label, keys, rotation }: StepProps) {
  return (
    <Link
      to={section.path}
      prefetch="intent"
      aria-label={`${label}: ${section.name}`}
      aria-keyshortcuts={keys}
      className="grid size-11 shrink-0 place-items-center rounded-control border border-line bg-surface text-ink hover:border-soft"
    >
      <span className={rotation}>
        <ChevronIcon />
      </span>
    </Link>
  );
}
