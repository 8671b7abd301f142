import { useNavigate, useNavigation } from '@remix-run/react';
import { useCallback, useEffect, useRef, type PointerEvent } from 'react';
import { sectionBeside, sectionIndexAt } from './sections';

/** A finger's way over the screen, in CSS pixels and milliseconds. */
export interface Stroke {
  dx: number;
  dy: number;
  ms: number;
}

const SHORTEST_PX = 60;
const LONGEST_MS = 700;
/** Flatter than this is across; steeper may be scrolling. */
const ACROSS_PER_DOWN = 2;

/** How many pages a stroke turns: 1 forward (to the left), -1 back, 0 when it is no swipe. */
export function pagesSwiped({ dx, dy, ms }: Stroke): -1 | 0 | 1 {
  if (ms > LONGEST_MS || Math.abs(dx) < SHORTEST_PX || Math.abs(dx) < ACROSS_PER_DOWN * Math.abs(dy))
    return 0;
  return dx < 0 ? 1 : -1;
}

/** Where an arrow or a finger has work of its own. */
const KEEPS_KEYS = 'input, textarea, select, [contenteditable], [role="textbox"], dialog';
const KEEPS_FINGERS = `${KEEPS_KEYS}, video, audio, [data-no-swipe]`;
/** A finger that comes from the screen's edge means the browser. */
const EDGE_PX = 24;

function scrollsAcross(from: Element, within: Element): boolean {
  for (
    let element: Element | null = from;
    element !== null && element !== within;
    element = element.parentElement
  ) {
    if (element.scrollWidth <= element.clientWidth) continue;
    const { overflowX } = getComputedStyle(element);
    if (overflowX === 'auto' || overflowX === 'scroll') return true;
  }
  return false;
}

function isOurs(target: EventTarget | null, within: Element, x: number): boolean {
  if (!(target instanceof Element)) return false;
  if (x < EDGE_PX || x > window.innerWidth - EDGE_PX) return false;
  return target.closest(KEEPS_FINGERS) === null && !scrollsAcross(target, within);
}

/**
 * Turns the carousel's pages by Alt with Page Up or Page Down, and by swiping over what the returned handlers are
 * given to; that element needs `touch-action: pan-y pinch-zoom`, else the browser takes the stroke away.
 */
export function usePageTurning(current: number) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  /** The section at hand, or the one that is on its way: who turns again before it came means the next. */
  const at = useRef(current);
  const stroke = useRef<{ pointerId: number; x: number; y: number; at: number } | null>(null);

  /** Turned, and no sign yet of the page that comes of it: what is heard of an earlier one must not count. */
  const turned = useRef(false);
  useEffect(() => {
    if (state !== 'idle' || current === at.current) turned.current = false;
    if (state === 'idle' && !turned.current) at.current = current;
  }, [current, state]);

  const turn = useCallback(
    (steps: number) => {
      const section = sectionBeside(at.current, steps);
      at.current = sectionIndexAt(section.path);
      turned.current = true;
      navigate(section.path);
    },
    [navigate],
  );

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const steps = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
      if (steps === 0 || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(KEEPS_KEYS) !== null) return;
      event.preventDefault();
      turn(steps);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [turn]);

  const forget = () => {
    stroke.current = null;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger means zooming.
      if (event.pointerType !== 'touch' || !event.isPrimary) return forget();
      if (!isOurs(event.target, event.currentTarget, event.clientX)) return forget();
      stroke.current = {
        pointerId: event.pointerId,
        x: event.clientX,
        y: event.clientY,
        at: event.timeStamp,
      };
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = stroke.current;
      forget();
      if (from === null || from.pointerId !== event.pointerId) return;
      if (window.getSelection()?.isCollapsed === false) return;
      const pages = pagesSwiped({
        dx: event.clientX - from.x,
        dy: event.clientY - from.y,
        ms: event.timeStamp - from.at,
      });
      if (pages !== 0) turn(pages);
    },
    onPointerCancel: forget,
  };
}
