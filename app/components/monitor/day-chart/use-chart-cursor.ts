import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { HOUR } from '#shared/clock';
import { bucketAt } from './chart-geometry';

const KEYS: Record<string, (index: number, hour: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index, hour) => index - hour,
  PageUp: (index, hour) => index + hour,
  Home: () => 0,
  End: () => Infinity,
};

/**
 * The bucket that a pointer, a finger or the keyboard selects; null for none. `handlers` belong to an element of the
 * chart's width: a slider (w3.org/WAI/ARIA/apg, "Slider Pattern", for the keys).
 */
export function useChartCursor({
  buckets,
  bucketMs,
  newest,
}: {
  buckets: number;
  bucketMs: number;
  newest: number;
}) {
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [last, setLast] = useState<number | null>(null);

  const bucketUnder = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return bucketAt((event.clientX - left) / width, buckets);
  };
  const select = (index: number) => {
    setFocused(index);
    setLast(index);
  };
  return {
    /** The selected bucket. */
    index: hovered ?? focused,
    /** The slider's value: it has one without a selection, too. */
    value: hovered ?? focused ?? last ?? newest,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        // A finger stays on the chart's values when it leaves the chart.
        if (event.pointerType === 'touch') event.currentTarget.setPointerCapture(event.pointerId);
        setHovered(null);
        select(bucketUnder(event));
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (event.pointerType === 'touch') select(bucketUnder(event));
        else setHovered(bucketUnder(event));
      },
      onPointerLeave: () => setHovered(null),
      onFocus: () => setFocused((index) => index ?? last ?? newest),
      onBlur: () => setFocused(null),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        // Alt with a key turns the pages of the admin sections.
        const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : KEYS[event.key];
        if (move === undefined) return;
        event.preventDefault();
        const moved = move(focused ?? last ?? newest, Math.round(HOUR / bucketMs));
        setHovered(null);
        select(Math.min(buckets - 1, Math.max(0, moved)));
      },
    },
  };
}
