import { useLocation } from '@remix-run/react';
import { useEffect, useLayoutEffect, type RefObject } from 'react';

/** Some ten milliseconds of a slow phone: no key press waits for them. */
const CALLS_PER_FRAME = 4;

/** What begins before a visitor sees another part of the page. */
const MOVES = ['keydown', 'pointerdown', 'wheel', 'touchstart', 'scroll'] as const;

/** React warns of layout effects on the server. */
const useCommitEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

let isOpened = false;

/** Whether the document itself opened this page, at its top: not by Back, not reloaded, not from another page of the site. */
function isFirstView(locationKey: string): boolean {
  const isFirst = !isOpened && locationKey === 'default' && window.location.hash === '';
  isOpened = true;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return isFirst && navigation?.type === 'navigate';
}

/**
 * Lays out the calls below the screen, which have estimated heights while the page opens (developers.css): all of them at once
 * took 300 ms on a slow phone. It takes a few in each frame, and the rest as soon as the visitor does something: with real
 * heights nothing moves on the way to another part. Where a page is shown again they are laid out before it is scrolled.
 */
export function useRealHeights(container: RefObject<HTMLElement>): void {
  const { key } = useLocation();
  useCommitEffect(() => {
    const calls = [...(container.current?.querySelectorAll<HTMLElement>('.api-call') ?? [])];
    const layOut = (count: number) => {
      for (const call of calls.splice(0, count)) call.style.contentVisibility = 'visible';
    };
    const layOutAll = () => layOut(calls.length);
    if (!isFirstView(key)) {
      layOutAll();
      return;
    }
    let frame = requestAnimationFrame(function step() {
      layOut(CALLS_PER_FRAME);
      if (calls.length > 0) frame = requestAnimationFrame(step);
    });
    for (const move of MOVES) window.addEventListener(move, layOutAll, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      for (const move of MOVES) window.removeEventListener(move, layOutAll, { capture: true });
    };
    // Once for the page: a link to a part of it changes the location.
  }, []);
}
