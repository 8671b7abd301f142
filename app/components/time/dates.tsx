import { clockMinute } from './time-format';
import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

/** Returns the server's current time in epoch ms: `serverNow` plus the time since then, independent of the device's clock. */
export function useNow(serverNow: string): number {
  const [now, setNow] = useState(() => Date.parse(serverNow));
  useEffect(() => {
    const origin = Date.parse(serverNow) - performance.now();
    const timer = setInterval(() => setNow(origin + performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [serverNow]);
  return now;
}

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Formats an ISO time as its date in the UK: "14 December 2026". */
export function LongDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{format.format(new Date(iso))}</time>;
}

/** Formats an ISO time as date and time in the UK: "14 December 2026, 12:31". */
export function DateAndMinute({ iso }: { iso: string }) {
  return (
    <time dateTime={iso}>
      {format.format(new Date(iso))}, {clockMinute(iso)}
    </time>
  );
}
