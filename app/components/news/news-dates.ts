// Made once: a formatter costs more than all that it will ever format on a page.
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

/** A stored time as a day, in UK time: "December 14, 2026". For the server: its words are sent, not made again. */
export function newsDay(iso: string): string {
  return day.format(new Date(iso));
}

/** A stored time as a day and a minute, in UK time: "December 14, 2026 at 7:05 PM". */
export function newsMoment(iso: string): string {
  const at = new Date(iso);
  // Newer ICU data puts a narrow no-break space before PM; a plain one reads the same and is found by a search.
  return `${day.format(at)} at ${time.format(at).replace(/\s/g, ' ')}`;
}
