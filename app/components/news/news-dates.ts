// Shared: creating a formatter is expensive.
const day = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
});
const time = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Europe/London',
  hour: 'numeric',
  minute: '2-digit',
});

/** Formats an ISO time as its UK date: "December 14, 2026". Called on the server only, so that both sides agree. */
export function newsDay(iso: string): string {
  return day.format(new Date(iso));
}

/** Formats an ISO time in UK time: "December 14, 2026 at 7:05 PM". */
export function newsMoment(iso: string): string {
  const at = new Date(iso);
  // Newer ICU data puts a narrow no-break space before PM; a plain space can be searched for.
  return `${day.format(at)} at ${time.format(at).replace(/\s/g, ' ')}`;
}
