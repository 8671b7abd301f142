import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { SECOND } from '#shared/clock';

/** Long enough to read a slide at leisure. */
const TURN_EVERY_MS = 8 * SECOND;

/** By these somebody moves the strip themselves, wherever it was on its way to. */
const HANDS = ['pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin'];

const REDUCED = '(prefers-reduced-motion: reduce)';

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(REDUCED);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(REDUCED).matches,
    () => true,
  );
}

function useTabShown(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
    () => document.visibilityState === 'visible',
    () => false,
  );
}

/** Whether any of an element can be seen. */
function useOnScreen(element: HTMLElement | null): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting === true));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return seen;
}

export interface Slideshow {
  current: number;
  /** Turns to a slide; past the end it begins anew. */
  show(index: number): void;
  paused: boolean;
  setPaused(paused: boolean): void;
  /** Whether it may turn by itself at all: never for people who want less motion. */
  turns: boolean;
  /** For whatever holds it still while somebody points at it or is inside it with the keyboard. */
  setPointedAt(pointedAt: boolean): void;
  setFocused(focused: boolean): void;
}

/**
 * A strip of slides that the browser scrolls, made to turn by itself. Which slide is current is read from where the strip
 * stands, so that a swipe, a key and a button agree. `strip`: what scrolls, its children the `count` slides.
 */
export function useSlideshow(strip: HTMLElement | null, count: number): Slideshow {
  const [current, setCurrent] = useState(0);
  // Where the strip is on its way to: the next press counts from there, not from what it passes.
  const aim = useRef<number | null>(null);
  const [paused, setPaused] = useState(false);
  const [pointedAt, setPointedAt] = useState(false);
  const [focused, setFocused] = useState(false);
  const reduced = useReducedMotion();
  const tabShown = useTabShown();
  const onScreen = useOnScreen(strip);

  const show = useCallback(
    (index: number) => {
      const at = (index + count) % count;
      const slide = strip?.children[at];
      if (!(slide instanceof HTMLElement)) return;
      aim.current = at;
      setCurrent(at);
      strip?.scrollTo({ left: slide.offsetLeft, behavior: reduced ? 'instant' : 'smooth' });
    },
    [strip, count, reduced],
  );

  useEffect(() => {
    if (strip === null) return;
    const read = () => {
      const at = Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
      if (aim.current !== null && aim.current !== at) return;
      aim.current = null;
      setCurrent(at);
    };
    const takenOver = () => {
      aim.current = null;
    };
    read();
    strip.addEventListener('scroll', read, { passive: true });
    for (const hand of HANDS) strip.addEventListener(hand, takenOver, { passive: true });
    return () => {
      strip.removeEventListener('scroll', read);
      for (const hand of HANDS) strip.removeEventListener(hand, takenOver);
    };
  }, [strip]);

  const turning = count > 1 && !reduced && !paused && !pointedAt && !focused && tabShown && onScreen;
  useEffect(() => {
    if (!turning) return;
    // Each new slide gets its whole time, however it came to be shown.
    const timer = setTimeout(() => show(current + 1), TURN_EVERY_MS);
    return () => clearTimeout(timer);
  }, [turning, current, show]);

  return {
    current: Math.min(current, count - 1),
    show,
    paused,
    setPaused,
    turns: !reduced,
    setPointedAt,
    setFocused,
  };
}
