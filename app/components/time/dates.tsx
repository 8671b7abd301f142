import { clockMinute } from './time-format';

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
