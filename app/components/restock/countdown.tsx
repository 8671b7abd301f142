import { useEffect, useState, useId } from 'react';
import { SECOND } from '#shared/clock';
import { COUNTDOWN } from './restock-content';

/** Whole seconds as "05:00". */
export function minutesAndSeconds(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`;
}

/**
 * Whole seconds left of `total`, counted from when the page came to life; stops at 0, and stands still without
 * scripts. Told by the time that has passed, not by the ticks: a hidden tab gets few of those.
 */
export function useSecondsLeft(total: number): number {
  const [left, setLeft] = useState(total);
  useEffect(() => {
    const endsAt = performance.now() + total * SECOND;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      clearTimeout(timer);
      const leftMs = Math.max(0, endsAt - performance.now());
      setLeft(Math.ceil(leftMs / SECOND));
      if (leftMs > 0) timer = setTimeout(tick, leftMs % SECOND || SECOND);
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [total]);
  return left;
}

/** The time that is left, as figures and as a line that shortens. Screen readers hear it when they ask, not each second. */
export function Countdown() {
  const left = useSecondsLeft(COUNTDOWN.seconds);
  const id = useId();
  return (
    <div className="rounded-pocket border border-line bg-sunken px-4 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p id={id} className="font-semibold">
          {COUNTDOWN.label}
        </p>
        <p
          role="timer"
          aria-labelledby={id}
          className="font-display text-heading font-bold tracking-[-0.02em] tabular-nums"
        >
          {minutesAndSeconds(left)}
        </p>
      </div>
      <svg
        viewBox={`0 0 ${COUNTDOWN.seconds} 6`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="mt-2 block h-1.5 w-full overflow-hidden rounded-full"
      >
        <rect width={COUNTDOWN.seconds} height="6" className="fill-line" />
        <rect width={left} height="6" className="fill-brand" />
      </svg>
      <p className="mt-2.5 text-small text-soft">{COUNTDOWN.note}</p>
    </div>
  );
}
