import { useId } from 'react';
import { minutesAndSeconds } from './minutes-and-seconds';
import { COUNTDOWN } from './restock-content';
import { useSecondsLeft } from './use-seconds-left';

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
