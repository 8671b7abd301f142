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
