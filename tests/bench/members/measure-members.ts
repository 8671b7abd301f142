import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { fromIso, MINUTE, SECOND } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { readMemberResults, type MemberResult } from '#shared/member-alerts/member-results';
import { enqueueCheck } from '#shared/queues/enqueue';
import { figuresOf, type Figures } from '../figures';
import { residentMiB } from '../resident-memory';
import { createMemberStack, HOOKS, PROBE_WATCH_ID, type MemberStack } from './member-stack';
import type { ReceiversRecords } from './receivers';

const MEMBERS = Number(process.env.PACKWATCH_MEMBERS ?? 10_000);
const KILLS = 3;
const PROBES_WITHOUT = 600;
const PROBE_EVERY_MS = 60;
const FINISH_WITHIN_MS = 10 * MINUTE;
const POLL_EVERY_MS = 15;

/** The delivery of an alert to the crowd over one channel. */
export interface Reached {
  /** Milliseconds from the check's verdict to the acceptance by push service or mail server. */
  after: Figures;
  /** Members that accepted more than one message. */
  twice: number;
  result: MemberResult | null;
}

export interface CrowdAlert {
  push: Reached;
  mail: Reached;
  /** Members without a delivery by push or mail, or with one that is unfinished. */
  forgotten: number;
  /** Milliseconds from the check's verdict to the message for the free audience. */
  freeAfterMs: number | null;
}

export interface MembersReport {
  members: number;
  alert: CrowdAlert;
  killed: CrowdAlert & { kills: number };
  /** From a shop's answer to the arrival of the instant message of another watch. */
  instant: { without: Figures; during: Figures };
  daemonMiB: number;
}

/** Collects the messages that arrive while the benchmark runs. */
function createJournal(stack: MemberStack) {
  const all: ReceiversRecords = { answered: [], discord: [], push: [], mail: [] };
  return {
    all,
    async collect() {
      const { answered, discord, push, mail } = await stack.take();
      all.answered.push(...answered);
      all.discord.push(...discord);
      all.push.push(...push);
      all.mail.push(...mail);
    },
    clear() {
      for (const list of Object.values(all)) list.length = 0;
    },
  };
}
type Journal = ReturnType<typeof createJournal>;

const timesOf = (entries: readonly [string, number][], path: string): number[] =>
  entries.filter((entry) => entry[0] === path).map((entry) => entry[1]);

/** Closes the alerts of a watch long ago, so that the next check opens a new one. */
async function closeAlerts(db: Database, watchId: string): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('alerts')
      .set({ status: 'closed', closed_at: '2000-01-01T00:00:00.000Z', fan_out_status: 'done' })
      .where('watch_id', '=', watchId)
      .where('status', '<>', 'closed')
      .execute(),
  );
}

/** Opens an alert of the probe and waits for its message. Returns the milliseconds from the shop's answer. */
async function probe(stack: MemberStack, journal: Journal): Promise<number> {
  const hook = HOOKS.probe;
  const before = timesOf(journal.all.discord, hook).length;
  await enqueueCheck(stack.queues, {
    watchId: PROBE_WATCH_ID,
    trigger: 'manual',
    requestedAt: Number.MAX_SAFE_INTEGER,
  });
  for (const end = performance.now() + MINUTE; ; await sleep(POLL_EVERY_MS)) {
    await journal.collect();
    const arrived = timesOf(journal.all.discord, hook)[before];
    const answered = timesOf(journal.all.answered, '/probe')[before];
    if (arrived !== undefined && answered !== undefined) {
      await closeAlerts(stack.db, PROBE_WATCH_ID);
      return arrived - answered;
    }
    if (performance.now() > end) throw new Error('the message of the probe did not arrive within a minute');
  }
}

async function isFinished(db: Database, alertId: string): Promise<boolean> {
  const { complete, results } = await readMemberResults(db, { alertId });
  return complete && results.every((row) => row.waiting + row.sending + row.tryingAgain === 0);
}

/** Opens an alert of the crowd's watch. Returns its id. */
export async function openCrowdAlert(stack: MemberStack): Promise<string> {
  await closeAlerts(stack.db, DEFAULT_WATCH_ID);
  await stack.forgetFailures();
  await enqueueCheck(stack.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' });
  for (const end = performance.now() + MINUTE; ; await sleep(POLL_EVERY_MS)) {
    const alert = await stack.db
      .selectFrom('alerts')
      .select('id')
      .where('watch_id', '=', DEFAULT_WATCH_ID)
      .where('status', '=', 'open')
      .executeTakeFirst();
    if (alert !== undefined) return alert.id;
    if (performance.now() > end) throw new Error('the check opened no alert within a minute');
  }
}

async function untilFinished(db: Database, alertId: string, during: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + FINISH_WITHIN_MS; !(await isFinished(db, alertId));) {
    if (performance.now() > end) throw new Error('the alert did not reach every member within ten minutes');
    await during();
  }
}

function reachedBy(
  entries: readonly [number, number][],
  openedAt: number,
  result: MemberResult | undefined,
): Reached {
  const first = new Map<number, number>();
  const twice = new Set<number>();
  for (const [member, at] of entries)
    if (first.has(member)) twice.add(member);
    else first.set(member, at - openedAt);
  return { after: figuresOf([...first.values()]), twice: twice.size, result: result ?? null };
}

async function report(
  { db }: MemberStack,
  journal: Journal,
  alertId: string,
  expected: { push: number; mail: number },
): Promise<CrowdAlert> {
  await journal.collect();
  const { opened_at } = await db
    .selectFrom('alerts')
    .select('opened_at')
    .where('id', '=', alertId)
    .executeTakeFirstOrThrow();
  const openedAt = fromIso(opened_at);
  const { results } = await readMemberResults(db, { alertId });
  const of = (channel: 'email' | 'push') => results.find((result) => result.channel === channel);
  const ended = (result: MemberResult | undefined): number =>
    result === undefined ? 0 : result.sent + result.cancelled + result.failed + result.expired;
  const free = timesOf(journal.all.discord, HOOKS.free)[0];
  return {
    push: reachedBy(journal.all.push, openedAt, of('push')),
    mail: reachedBy(journal.all.mail, openedAt, of('email')),
    forgotten: expected.push - ended(of('push')) + expected.mail - ended(of('email')),
    freeAfterMs: free === undefined ? null : free - openedAt,
  };
}

/** How many members can be reached by each channel now. */
async function countReachable(db: Database): Promise<{ push: number; mail: number }> {
  const count = async (query: Promise<{ count: number }>): Promise<number> => Number((await query).count);
  return {
    push: await count(
      db
        .selectFrom('push_subscriptions')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
    mail: await count(
      db
        .selectFrom('users')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('mail_bounced_at', 'is', null)
        .executeTakeFirstOrThrow(),
    ),
  };
}

/**
 * An alert to a crowd of members, once undisturbed while another watch alerts its own channel, and once with the daemon
 * killed (SIGKILL) three times and started again.
 */
export async function measureMembers(redisUrl: string): Promise<MembersReport> {
  const stack = await createMemberStack(redisUrl, { members: MEMBERS });
  const journal = createJournal(stack);
  try {
    await stack.startDaemon();
    for (let round = 0; round < 40; round += 1) await probe(stack, journal);
    const without: number[] = [];
    while (without.length < PROBES_WITHOUT) {
      without.push(await probe(stack, journal));
      await sleep(PROBE_EVERY_MS);
    }

    journal.clear();
    let expected = await countReachable(stack.db);
    const during: number[] = [];
    const alertId = await openCrowdAlert(stack);
    await untilFinished(stack.db, alertId, async () => {
      during.push(await probe(stack, journal));
      await sleep(PROBE_EVERY_MS);
    });
    // The message to the free audience is due thirty seconds after the check.
    for (let waited = 0; waited < 40 && timesOf(journal.all.discord, HOOKS.free).length === 0; waited += 1) {
      await sleep(SECOND);
      await journal.collect();
    }
    const alert = await report(stack, journal, alertId, expected);
    const daemonMiB = residentMiB(stack.daemonPid());

    journal.clear();
    expected = await countReachable(stack.db);
    const killedAlertId = await openCrowdAlert(stack);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(randomInt(500, 4_000));
      await stack.killDaemon();
      await stack.startDaemon();
    }
    await untilFinished(stack.db, killedAlertId, async () => {
      await sleep(SECOND / 2);
      await journal.collect();
    });
    const killed = { ...(await report(stack, journal, killedAlertId, expected)), kills: KILLS };
    return {
      members: MEMBERS,
      alert,
      killed,
      instant: { without: figuresOf(without), during: figuresOf(during) },
      daemonMiB,
    };
  } finally {
    await stack.close();
  }
}
