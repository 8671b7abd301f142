import { SECOND } from '#shared/clock';
import type { Queues } from '#shared/queues/connection.server';
import { figuresOf, type Figures } from '../figures';
import type { CrowdWatch } from './add-crowd';
import type { CrowdRecords } from './crowd-shops';

export interface CrowdFigures {
  /** From the planned time of a scheduled check to its request at the shop, in milliseconds. */
  lateness: Figures;
  /** Checks that are later than a tenth of the interval. */
  tooLate: number;
  /** Planned checks that are missing. */
  missing: number;
  /** From the shop's answer that changed an alert to the request at the webhook, in milliseconds. */
  alerts: Figures;
  /** The slowest message of each watch that had one. */
  slowestAlertPerWatch: Figures;
  /** Messages that a waiting room or its end should have caused, and that did not come. */
  lostMessages: number;
  inwardConnections: number;
}

/** When each watch's checks are planned: any time of its phase modulo its interval. Epoch milliseconds. */
export async function readPhases(queues: Queues): Promise<Map<string, { next: number; every: number }>> {
  const schedulers = await (await queues.open('monitor')).getJobSchedulers();
  return new Map(
    schedulers.map(({ key, next, every }) => [
      key.replace(/^check-/, ''),
      { next: Number(next), every: Number(every) },
    ]),
  );
}

/** The messages that a series of answers of a flapping shop causes: one for each room, one for the second open after it. */
function expectedMessages(rooms: readonly boolean[]): number {
  let open = false;
  let opens = 0;
  let messages = 0;
  for (const room of rooms) {
    opens = room ? 0 : opens + 1;
    if (room && !open) {
      open = true;
      messages += 1;
    } else if (open && opens === 2) {
      open = false;
      messages += 1;
    }
  }
  return messages;
}

export interface CrowdAlerts {
  /** From the shop's answer that changed an alert to the request at the webhook, in milliseconds, by watch. */
  latencies: number[][];
  /** Messages that a waiting room or its end should have caused, and that did not come. */
  lostMessages: number;
}

/** Assigns each message of a watch to the answer of its shop that caused it. */
export function measureAlerts(crowd: readonly CrowdWatch[], records: CrowdRecords): CrowdAlerts {
  let lostMessages = 0;
  const latencies = crowd.map(({ id, behaviour }) => {
    const pages = records.pages.filter(({ shop }) => shop === id);
    const messages = records.messages.filter(({ shop }) => shop === id);
    if (behaviour === 'flapping')
      lostMessages += Math.max(0, expectedMessages(pages.map(({ room }) => room)) - messages.length);
    return messages.map(({ arrivedAt }) => {
      const causes = pages.flatMap(({ answeredAt }) =>
        answeredAt !== null && answeredAt <= arrivedAt ? [answeredAt] : [],
      );
      return arrivedAt - Math.max(...causes);
    });
  });
  return { latencies, lostMessages };
}

/** Evaluates what the shops recorded; the lateness of checks between two times (epoch milliseconds). */
export function measureCrowd(
  crowd: readonly CrowdWatch[],
  records: CrowdRecords,
  phases: Map<string, { next: number; every: number }>,
  { from, to }: { from: number; to: number },
): CrowdFigures {
  const lateness: number[] = [];
  let tooLate = 0;
  let missing = 0;
  for (const { id } of crowd) {
    const phase = phases.get(id);
    if (phase === undefined) throw new Error(`${id} has no scheduler`);
    const { every, next } = phase;
    const planned = (time: number): number => time - ((((time - next) % every) + every) % every);
    const slots = new Set<number>();
    for (const { shop, arrivedAt } of records.pages) {
      if (shop !== id || arrivedAt < from || arrivedAt >= to) continue;
      const slot = planned(arrivedAt);
      slots.add(slot);
      lateness.push(arrivedAt - slot);
      if (arrivedAt - slot > every / 10) tooLate += 1;
    }
    // A slot counts when its check could have come in time.
    for (let slot = planned(to - every / 10); slot >= from; slot -= every) if (!slots.has(slot)) missing += 1;
  }
  const { latencies, lostMessages } = measureAlerts(crowd, records);
  return {
    lateness: figuresOf(lateness),
    tooLate,
    missing,
    alerts: figuresOf(latencies.flat()),
    slowestAlertPerWatch: figuresOf(latencies.flatMap((one) => (one.length === 0 ? [] : [Math.max(...one)]))),
    lostMessages,
    inwardConnections: records.inwardConnections,
  };
}

export function showCrowd(figures: CrowdFigures): string[] {
  const ms = ({ n, p50, p99, max }: Figures): string =>
    `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms, n ${n}`;
  return [
    `  a check after its planned time     ${ms(figures.lateness)}`,
    `  later than a tenth of the interval ${figures.tooLate}; missing ${figures.missing}`,
    `  alert: answer to webhook           ${ms(figures.alerts)}`,
    `  the slowest alert of each watch    ${ms(figures.slowestAlertPerWatch)}`,
    `  messages that did not come ${figures.lostMessages}; connections into our own network ${figures.inwardConnections}`,
  ];
}

/** Long enough for the last answers' messages. */
export const SETTLE_MS = 2 * SECOND;
