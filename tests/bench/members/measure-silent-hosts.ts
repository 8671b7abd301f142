import { setTimeout as sleep } from 'node:timers/promises';
import { fromIso, MINUTE, SECOND, systemClock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { sendTestAlerts } from '#shared/member-alerts/test-operations';
import { figuresOf, type Figures } from '../figures';
import { addCrowd } from './crowd';
import { openCrowdAlert } from './measure-members';
import { createMemberStack, type CrowdOptions } from './member-stack';
import type { ReceiversReady } from './receivers';

const MEMBERS = 2_000;
const GIVE_UP_AFTER_MS = 2 * MINUTE;

/** How an alert reached the browsers of a push service that answers, beside others that do not. */
export interface SilentHostsReport {
  beside: string;
  browsers: number;
  /** Milliseconds from the check's verdict to the acceptance by the push service. */
  after: Figures;
}

interface Scenario {
  beside: string;
  /** The members whose browsers are elsewhere: those with the first numbers. */
  stuck: number;
  options: Omit<CrowdOptions, 'members'>;
}

/** A loopback address for each number, which is a separate host. */
const ownHost = (number: number): string => `127.0.${4 + Math.floor(number / 250)}.${1 + (number % 250)}`;

function onHost(beside: string, stuck: number, originOf: (ready: ReceiversReady) => string): Scenario {
  return {
    beside: `${stuck} browsers of one that ${beside}`,
    stuck,
    options: {
      hosts: ['127.0.0.2'],
      endpointOf: (member, ready) => (member < stuck ? `${originOf(ready)}/${member}` : null),
    },
  };
}

/** Twelve accounts without Pro, each with twenty browsers of a silent push service, ask for a test. */
async function addTests(db: Database, { faultPorts }: ReceiversReady): Promise<void> {
  const ids = await addCrowd(db, {
    count: 12,
    watchSlug: 'none',
    name: 'free',
    email: false,
    pro: false,
    browsers: 20,
    endpointOf: (member, browser) => `http://127.0.0.2:${faultPorts.silent}/${member}/${browser}`,
  });
  for (const id of ids) {
    const account = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await sendTestAlerts(db, { account, mailEnabled: false, clock: systemClock });
  }
}

const SCENARIOS: Scenario[] = [
  { beside: 'nothing', stuck: 0, options: {} },
  onHost('never answers', 300, ({ faultPorts }) => `http://127.0.0.2:${faultPorts.silent}`),
  onHost('never answers', 1_000, ({ faultPorts }) => `http://127.0.0.2:${faultPorts.silent}`),
  onHost('never completes TLS', 1_000, ({ faultPorts }) => `https://127.0.0.2:${faultPorts.silent}`),
  onHost('answers with headers alone', 1_000, ({ faultPorts }) => `http://127.0.0.2:${faultPorts.headers}`),
  onHost('drips', 1_000, ({ faultPorts }) => `http://127.0.0.2:${faultPorts.drip}`),
  onHost('refuses connections', 1_000, () => 'http://127.0.0.2:9'),
  onHost('answers 503', 1_000, ({ faultPorts }) => `http://127.0.0.2:${faultPorts.busy}`),
  {
    beside: '1000 browsers of ten that never answer',
    stuck: 1_000,
    options: {
      hosts: Array.from({ length: 10 }, (_unused, number) => ownHost(number)),
      endpointOf: (member, { faultPorts }) =>
        member < 1_000 ? `http://${ownHost(member % 10)}:${faultPorts.silent}/${member}` : null,
    },
  },
  {
    beside: '1000 hosts of one browser that never answer',
    stuck: 1_000,
    options: {
      hosts: Array.from({ length: 1_000 }, (_unused, number) => ownHost(number)),
      endpointOf: (member, { faultPorts }) =>
        member < 1_000 ? `http://${ownHost(member)}:${faultPorts.silent}/` : null,
    },
  },
  {
    beside: 'tests of 12 free accounts to 20 browsers each that never answer',
    stuck: 0,
    options: { hosts: ['127.0.0.2'], addMore: addTests },
  },
];

async function measure(redisUrl: string, { beside, stuck, options }: Scenario): Promise<SilentHostsReport> {
  const stack = await createMemberStack(redisUrl, {
    members: MEMBERS,
    email: false,
    allWell: true,
    ...options,
  });
  try {
    await stack.startDaemon();
    if (options.addMore !== undefined) await sleep(2 * SECOND);
    const alertId = await openCrowdAlert(stack);
    const { opened_at } = await stack.db
      .selectFrom('alerts')
      .select('opened_at')
      .where('id', '=', alertId)
      .executeTakeFirstOrThrow();
    const reached = new Map<number, number>();
    for (const end = performance.now() + GIVE_UP_AFTER_MS; reached.size < MEMBERS - stuck;) {
      if (performance.now() > end) throw new Error(`${reached.size} of ${MEMBERS - stuck} were reached`);
      await sleep(SECOND / 4);
      for (const [member, at] of (await stack.take()).push)
        if (!reached.has(member)) reached.set(member, at - fromIso(opened_at));
    }
    return { beside, browsers: MEMBERS - stuck, after: figuresOf([...reached.values()]) };
  } finally {
    await stack.killDaemon();
    await stack.close();
  }
}

/** An alert to 2,000 browsers, each time with other faults of push services and a new daemon. */
export async function measureSilentHosts(redisUrl: string): Promise<SilentHostsReport[]> {
  const reports: SilentHostsReport[] = [];
  for (const scenario of SCENARIOS) reports.push(await measure(redisUrl, scenario));
  return reports;
}
