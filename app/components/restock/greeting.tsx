import { useEffect, useId, useState } from 'react';
import { SECOND } from '#shared/clock';
import type { Restock } from '#shared/restock/describe-restock';
import { COUNTDOWN } from './restock-content';

/** Formats whole seconds as "05:00". */
function minutesAndSeconds(seconds: number): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 60))}:${pad(seconds % 60)}`;
}

/** The whole seconds left of `total` since hydration, down to 0; by elapsed time, as hidden tabs throttle timers. */
function useSecondsLeft(total: number): number {
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

/**
 * A countdown as a number and a bar; `seconds`: what is left of it when the page is shown. `role="timer"` is not announced
 * each second.
 */
export function Countdown({ seconds, note }: { seconds: number; note: string }) {
  const left = useSecondsLeft(seconds);
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
      <p className="mt-2.5 text-small text-soft">{note}</p>
    </div>
  );
}

/** The recipient and the source of the link, if it names them. */
export function Greeting({ username, source }: Pick<Restock, 'username' | 'source'>) {
  if (username === null && source === null) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-small text-soft [overflow-wrap:anywhere]">
      {username === null ? null : <span>Hello, {username}.</span>}
      {source === null ? null : <span>Shared via {source}.</span>}
    </p>
  );
}
