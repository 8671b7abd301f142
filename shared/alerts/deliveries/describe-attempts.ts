const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
] as const;

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/**
 * The attempts of a delivery in words: "posted at the first attempt, edited 3 times"; "2 attempts" before it was posted.
 * Empty without an attempt. `postedAtAttempt`: null if it was not posted, or by a release that did not store it.
 */
export function describeAttempts({
  attempts,
  postedAtAttempt,
  edits,
  sentAt,
}: {
  attempts: number;
  postedAtAttempt: number | null;
  edits: number;
  sentAt: string | null;
}): string {
  if (attempts === 0) return '';
  if (sentAt !== null && postedAtAttempt !== null) {
    const ordinal = ORDINALS[postedAtAttempt - 1];
    const posted = ordinal === undefined ? `at attempt ${postedAtAttempt}` : `at the ${ordinal} attempt`;
    return `posted ${posted}${edits === 0 ? '' : `, edited ${times(edits)}`}`;
  }
  const counted = `${attempts} attempt${attempts === 1 ? '' : 's'}`;
  return sentAt !== null && attempts > 1 ? `${counted}, edits included` : counted;
}
