import { useNavigate, useNavigation } from '@remix-run/react';
import { useCallback, useEffect, useLayoutEffect, useRef, type PointerEvent } from 'react';
import { sectionBeside, sectionIndexAt } from './sections';

/** A touch gesture, in CSS pixels and milliseconds. */
interface Gesture {
  dx: number;
  dy: number;
  ms: number;
}

const MIN_DISTANCE_PX = 60;
const MAX_DURATION_MS = 700;
/** A steeper gesture is a scroll. */
const MIN_WIDTH_PER_HEIGHT = 2;

/** Returns how many pages a gesture turns: 1 (to the left), -1 (to the right), or 0 if it is not a swipe. */
export function pagesSwiped({ dx, dy, ms }: Gesture): -1 | 0 | 1 {
  if (
    ms > MAX_DURATION_MS ||
    Math.abs(dx) < MIN_DISTANCE_PX ||
    Math.abs(dx) < MIN_WIDTH_PER_HEIGHT * Math.abs(dy)
  )
    return 0;
  return dx < 0 ? 1 : -1;
}

/** Elements that handle keys and gestures themselves. */
const HANDLES_KEYS = 'input, textarea, select, [contenteditable], [role="textbox"], dialog';
const HANDLES_GESTURES = `${HANDLES_KEYS}, video, audio, [data-no-swipe]`;
/** A gesture that starts this near to the screen's edge belongs to the browser. */
const EDGE_PX = 24;

function isInHorizontalScroller(from: Element, within: Element): boolean {
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

function isPageGesture(target: EventTarget | null, within: Element, x: number): boolean {
  if (!(target instanceof Element)) return false;
  if (x < EDGE_PX || x > window.innerWidth - EDGE_PX) return false;
  return target.closest(HANDLES_GESTURES) === null && !isInHorizontalScroller(target, within);
}

/** Runs with the commit: a passive effect may run after the next key. The server has no commits and warns of them. */
const useCommitEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * Turns the carousel's pages on Alt+PageUp, Alt+PageDown and on swipes over the element that gets the returned handlers.
 * This element needs `touch-action: pan-y pinch-zoom`, or else the browser cancels the gesture.
 */
export function usePageTurning(current: number) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  // The target of a pending navigation, else the current section: a second turn starts from the target.
  const target = useRef(current);
  const gesture = useRef<{ pointerId: number; x: number; y: number; at: number } | null>(null);

  // True between a turn and the start of its navigation: until then, `current` is outdated.
  const turnPending = useRef(false);
  useCommitEffect(() => {
    if (state !== 'idle' || current === target.current) turnPending.current = false;
    if (state === 'idle' && !turnPending.current) target.current = current;
  }, [current, state]);

  const turn = useCallback(
    (steps: number) => {
      const section = sectionBeside(target.current, steps);
      target.current = sectionIndexAt(section.path);
      turnPending.current = true;
      navigate(section.path);
    },
    [navigate],
  );

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const steps = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
      if (steps === 0 || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(HANDLES_KEYS) !== null) return;
      event.preventDefault();
      turn(steps);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [turn]);

  const reset = () => {
    gesture.current = null;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger means zooming.
      if (event.pointerType !== 'touch' || !event.isPrimary) return reset();
      if (!isPageGesture(event.target, event.currentTarget, event.clientX)) return reset();
      gesture.current = {
        pointerId: event.pointerId,
        x: event.clientX,
        y: event.clientY,
        at: event.timeStamp,
      };
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = gesture.current;
      reset();
      if (from === null || from.pointerId !== event.pointerId) return;
      if (window.getSelection()?.isCollapsed === false) return;
      const pages = pagesSwiped({
        dx: event.clientX - from.x,
        dy: event.clientY - from.y,
        ms: event.timeStamp - from.at,
      });
      if (pages !== 0) turn(pages);
    },
    onPointerCancel: reset,
  };
}
