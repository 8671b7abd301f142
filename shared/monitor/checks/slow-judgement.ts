import { createHash } from 'node:crypto';
import { fromIso, HOUR, MINUTE, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { Watch } from '../watches/watches';

/*
 * V8 ends the whole process, and not only a thread, when a thread needs much memory at once (github.com/nodejs/node,
 * issue 47224). A judgement that is slow is therefore noted in the watch until it ends. A note that a later check finds
 * means that the daemon ended while it judged. The first time this may be a coincidence, such as a daemon that was killed,
 * and the page may be a waiting room: it is judged again. After a second time no page of the watch is judged for a while,
 * and the same page for an hour, so that the daemon does not end at every check.
 */

const FIRST_PAUSE_MS = 5 * MINUTE;
const LONGEST_PAUSE_MS = HOUR;

type Note = Pick<Watch, 'judging_page' | 'judging_since' | 'judgings_unended'>;

function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** Notes that the judgement of a page of this watch is slow. */
export async function noteSlowJudgement(
  db: Database,
  { watchId, body, now }: { watchId: string; body: string; now: number },
): Promise<void> {
  const judging = { judging_page: digestOf(body), judging_since: toIso(now) };
  await inTransaction(db, (trx) =>
    trx
      .updateTable('watches')
      .set((set) => ({ ...judging, judgings_unended: set('judgings_unended', '+', 1) }))
      .where('id', '=', watchId)
      .execute(),
  );
}

/** Removes the note, because the judgement has ended. */
export async function clearSlowJudgement(db: Database, watchId: string): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('watches')
      .set({ judging_page: null, judging_since: null, judgings_unended: 0 })
      .where('id', '=', watchId)
      .execute(),
  );
}

/** Whether a page must not be judged now, because daemons ended twice while they judged pages of this watch. */
export function isTooCostly(note: Note, body: string, now: number): boolean {
  const { judging_page: page, judging_since: since, judgings_unended: unended } = note;
  if (unended < 2 || since === null) return false;
  const pauseMs =
    page === digestOf(body)
      ? LONGEST_PAUSE_MS
      : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (unended - 2));
  // A time in the future was written before the clock was set back.
  return Math.abs(now - fromIso(since)) < pauseMs;
}
