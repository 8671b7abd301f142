import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { SECOND } from '#shared/clock';

const ADVANCE_AFTER_MS = 8 * SECOND;

/** Events of a user who scrolls the strip, which end a programmatic scroll. */
const USER_SCROLL_EVENTS = ['pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin'];

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

/** Whether any part of an element is in the viewport. */
function useInViewport(element: HTMLElement | null): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (element === null) return;
    const observer = new IntersectionObserver((entries) =>
      setVisible(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return visible;
}

export interface Slideshow {
  current: number;
  /** Scrolls to a slide; wraps around at both ends. */
  show(index: number): void;
  paused: boolean;
  setPaused(paused: boolean): void;
  /** Whether slides advance automatically: not with reduced motion. */
  advances: boolean;
  /** Slides do not advance while the pointer is over them or the focus is inside. */
  setHovered(hovered: boolean): void;
  setFocused(focused: boolean): void;
}

/**
 * Advances a scroll-snap strip automatically. The current slide derives from the scroll position, so that swipes, keys and
 * buttons agree. `strip`: the scroll container, whose children are the `count` slides.
 */
export function useSlideshow(strip: HTMLElement | null, count: number): Slideshow {
  const [current, setCurrent] = useState(0);
  // The target of a running scroll: the slides that it passes are not current.
  const target = useRef<number | null>(null);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const reduced = useReducedMotion();
  const tabShown = useTabShown();
  const inViewport = useInViewport(strip);

  const show = useCallback(
    (index: number) => {
      const at = (index + count) % count;
      const slide = strip?.children[at];
      if (!(slide instanceof HTMLElement)) return;
      target.current = at;
      setCurrent(at);
      strip?.scrollTo({ left: slide.offsetLeft, behavior: reduced ? 'instant' : 'smooth' });
    },
    [strip, count, reduced],
  );

  useEffect(() => {
    if (strip === null) return;
    const read = () => {
      const at = Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
      if (target.current !== null && target.current !== at) return;
      target.current = null;
      setCurrent(at);
    };
    const onUserScroll = () => {
      target.current = null;
    };
    read();
    strip.addEventListener('scroll', read, { passive: true });
    for (const type of USER_SCROLL_EVENTS) strip.addEventListener(type, onUserScroll, { passive: true });
    return () => {
      strip.removeEventListener('scroll', read);
      for (const type of USER_SCROLL_EVENTS) strip.removeEventListener(type, onUserScroll);
    };
  }, [strip]);

  const advancing = count > 1 && !reduced && !paused && !hovered && !focused && tabShown && inViewport;
  useEffect(() => {
    if (!advancing) return;
    // Every slide gets the full time, whatever made it current.
    const timer = setTimeout(() => show(current + 1), ADVANCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [advancing, current, show]);

  return {
    current: Math.min(current, count - 1),
    show,
    paused,
    setPaused,
    advances: !reduced,
    setHovered,
    setFocused,
  };
}
