import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createSession } from '#shared/accounts/sessions';
import { SECOND, systemClock } from '#shared/clock';
import { newId } from '#shared/ids';
import { readBalance } from '#shared/tokens/token-ledger';
import { freshAddress, freshEmail } from '../api/api-fixture';
import { addBetaMember, giveTokens, subscribe } from '../../paid-accounts';
import type { Machine, Site } from './site';

const TOKENS = 100_000;
const LANES = 4;
const MEMBERS = 2;
/** Between two requests of a lane: the members stay below their rate limit (`RATE_LIMITS.consume`). */
const PAUSE_MS = 250;
/** A request without an answer for this long hangs: the site gives up after 10 s of waiting and 15 s of silence. */
const HANG_MS = 40 * SECOND;

/** The outcome of a request. `status` 0: the connection broke, such as when the process was killed. */
export interface Answer {
  status: number;
  retryAfter: string | null;
  body: string;
  ms: number;
}

export interface Member {
  id: string;
  token: string;
}

/** Adds a member with desktop access and tokens. */
export async function addMember({ db }: Site): Promise<Member> {
  const id = await addBetaMember(db, { email: freshEmail() });
  await subscribe(db, id);
  // They get no waiting-room alerts.
  const preferences = JSON.stringify({ alerts: { watches: [] } });
  await db.updateTable('users').set({ preferences }).where('id', '=', id).execute();
  await giveTokens(db, id, TOKENS);
  const { token } = await createSession(db, { accountId: id, userAgent: null, clock: systemClock });
  return { id, token };
}

/** Sends one consumption. Throws for a request that hangs. */
export async function consume(web: Machine, member: Member, taskId: string): Promise<Answer> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(HANG_MS);
  try {
    const response = await fetch(`${web.url}/api/tokens/consume`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${member.token}`,
        'Content-Type': 'application/json',
        'X-Forwarded-For': freshAddress(),
      },
      body: JSON.stringify({ taskId }),
      signal,
    });
    const body = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, retryAfter, body, ms: performance.now() - startedAt };
  } catch (error) {
    if (signal.aborted) throw new Error(`${web.name} did not answer in ${HANG_MS} ms`, { cause: error });
    return { status: 0, retryAfter: null, body: String(error), ms: performance.now() - startedAt };
  }
}

/**
 * Consumes tokens at both webs while `work` runs; a task that is not charged is sent again, to either of them. Then checks
 * that each task was charged once. Returns all answers.
 */
export async function whileConsuming(site: Site, work: () => Promise<void>): Promise<Answer[]> {
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => addMember(site)));
  const answers: Answer[] = [];
  const charged = members.map(() => 0);
  let isOver = false;

  async function runLane(lane: number): Promise<void> {
    const number = lane % MEMBERS;
    const member = members[number] as Member;
    for (let turn = lane; !isOver; turn += 1) {
      const taskId = newId();
      for (let attempt = 0, status = -1; status !== 200; attempt += 1) {
        const answer = await consume(site.webs[(turn + attempt) % 2] as Machine, member, taskId);
        ({ status } = answer);
        answers.push(answer);
        await sleep(PAUSE_MS);
      }
      charged[number] = (charged[number] ?? 0) + 1;
    }
  }

  const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  try {
    await Promise.race([work(), lanes]);
  } finally {
    isOver = true;
  }
  await lanes;
  for (const [number, { id }] of members.entries()) {
    const { count } = await site.db
      .selectFrom('token_ledger')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', id)
      .where('tokens', '<', 0)
      .executeTakeFirstOrThrow();
    const balance = await readBalance(site.db, { accountId: id });
    expect([count, balance]).toEqual([charged[number], TOKENS - (charged[number] ?? 0)]);
  }
  return answers;
}

/** Answers that are neither a success, nor a broken connection, nor 503 with a time to try again. */
export const wrongAnswers = (answers: readonly Answer[]): Answer[] =>
  answers.filter(
    ({ status, retryAfter }) => status !== 200 && status !== 0 && !(status === 503 && retryAfter !== null),
  );
