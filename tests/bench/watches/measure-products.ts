import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromIso, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { inTransaction } from '#shared/database/transaction';
import { judgeOutcome } from '../../../daemon/judging/judge-outcome';
import { startStack } from '../../e2e/stack';
import { figuresOf, type Figures } from '../figures';
import { addCrowd, startCrowd, type CrowdWatch } from './add-crowd';
import { measureAlerts, SETTLE_MS } from './measure-crowd';
import { readProcess, startShops } from './measure-watches';

const PRODUCTS = 1_000;
const INTERVAL_SECONDS = 120;
const SHOPS = 10;
/** A host gets 30 requests a minute at most: fifty products at 120 seconds fit, a hundred do not. */
const HOSTS_PER_SHOP = 2;
const HOSTS = SHOPS * HOSTS_PER_SHOP;
const ROOMS = 30;
const ROOM_INTERVAL_SECONDS = 15;
/** All products are due at the start: every host needs two seconds for each, and two for its robots.txt. */
const WARM_UP_MS = INTERVAL_SECONDS * SECOND;
/** How often the planned times are read: far more often than a product is checked. */
const READ_EVERY_MS = 5 * SECOND;
/** In KB; most pages of shops are in the middle. */
const PAGE_SIZES = [20, 60, 100, 150, 150, 200, 300, 400, 500, 600];

/** How a product behaves. `lying`: sold out, while its structured data says that it is in stock. */
type Behaviour = 'returning' | 'hanging' | 'lying' | 'in_stock' | 'out';

interface SoldProduct {
  id: string;
  host: string;
  behaviour: Behaviour;
  kilobytes: number;
}

export interface ProductsReport {
  products: number;
  minutes: number;
  /** From the planned time of a check to its request, in milliseconds; of the hosts that answer. */
  lateness: Figures;
  /** Checks that are later than a tenth of the interval. */
  tooLate: number;
  /** Products of hosts that answer which were not checked for longer than their interval and a tenth. */
  missing: number;
  checks: number;
  unknown: number;
  /** Restock alerts of products that were never for sale, and of those that came back. */
  falseAlarms: number;
  alarms: number;
  returned: number;
  /** The busiest minute and the shortest time between two requests of a host, and the most at once. */
  busiestMinute: number;
  shortestGapMs: number;
  mostAtOnce: number;
  /** Waiting rooms: from the shop's answer to the webhook, without and with the products. */
  roomsWithout: Figures;
  roomsWith: Figures;
  lostMessages: number;
  /** Of the daemon, in MiB. */
  memory: { now: number; peak: number };
  processorShare: number;
  processorPerCheckMs: number;
  judgingOf150KbMs: number;
}

/** One shop hangs, one lies in its structured data, a third of the products comes back. */
function planProducts(count: number): SoldProduct[] {
  return Array.from({ length: count }, (_unused, index) => {
    const hostIndex = index % HOSTS;
    const shop = Math.floor(hostIndex / HOSTS_PER_SHOP);
    const round = Math.floor(index / HOSTS);
    const behaviour: Behaviour =
      shop === 0
        ? 'hanging'
        : shop === 1
          ? 'lying'
          : round % 3 === 0
            ? 'returning'
            : round % 3 === 1
              ? 'in_stock'
              : 'out';
    const kilobytes = PAGE_SIZES[(round + hostIndex) % PAGE_SIZES.length] ?? 150;
    return { id: `product-${index}`, host: `shop-${hostIndex}`, behaviour, kilobytes };
  });
}

/** The sandbox's settings over its control, of which it is in another process. */
async function control(origin: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${origin}/control/shop/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Puts the products on sale and returns the origin of each host. */
async function sell(origin: string, products: readonly SoldProduct[]): Promise<Map<string, string>> {
  const origins = new Map<string, string>();
  for (const host of new Set(products.map((product) => product.host))) {
    const set = (await control(origin, 'PUT', `hosts/${host}`, {
      robots: { text: 'User-agent: *\nDisallow: /cart' },
    })) as { origin: string };
    origins.set(host, set.origin);
  }
  for (const { id, behaviour, kilobytes } of products)
    await control(origin, 'PUT', `products/${id}`, {
      name: `Ember Hollow chest ${id}`,
      kilobytes,
      // Most shops name no version of a page.
      validators: false,
      state: behaviour === 'in_stock' ? 'in_stock' : 'out',
      ...(behaviour === 'lying' && { lies: { jsonLd: 'in_stock' } }),
      ...(behaviour === 'hanging' && { mode: 'hang' }),
    });
  return origins;
}

/** Stores the watches, running, all due now. */
async function addProducts(
  db: Database,
  products: readonly SoldProduct[],
  { origins, webhookUrl }: { origins: Map<string, string>; webhookUrl: (id: string) => string },
): Promise<void> {
  const at = toIso(Date.now());
  await inTransaction(db, async (trx) => {
    for (const host of origins.keys())
      await trx.insertInto('retailers').values({ id: host, name: host, host }).execute();
    for (const { id, host } of products) {
      const title = `Ember Hollow chest ${id}`;
      await trx.insertInto('products').values({ id, slug: id, title, created_at: at }).execute();
      await trx
        .insertInto('watches')
        .values({
          id,
          kind: 'product',
          product_id: id,
          retailer_id: host,
          slug: `${id}-watch`,
          shop: host,
          title,
          url: `${origins.get(host)}/products/${id}`,
          time_zone: 'Europe/London',
          hours: '0-24',
          interval_seconds: INTERVAL_SECONDS,
          running: 1,
          started_at: at,
        })
        .execute();
      await trx
        .insertInto('webhooks')
        .values({ watch_id: id, audience: 'instant', sealed_url: webhookUrl(id), updated_at: at })
        .execute();
    }
  });
}

/** Collects when checks are planned, from the rows of the watches, until it is stopped. */
function collectPlans(db: Database) {
  /** Planned times (epoch ms) by watch, in order. */
  const plans = new Map<string, number[]>();
  let running = true;
  const reading = (async () => {
    while (running) {
      for (const { id, next_check_at: at } of await db
        .selectFrom('watches')
        .select(['id', 'next_check_at'])
        .where('kind', '=', 'product')
        .execute()) {
        if (at === null) continue;
        const known = plans.get(id) ?? [];
        if (known.at(-1) !== fromIso(at)) known.push(fromIso(at));
        plans.set(id, known);
      }
      await sleep(READ_EVERY_MS);
    }
  })();
  return {
    async stop() {
      running = false;
      await reading;
      return plans;
    },
  };
}

/** How late each check was: after the last time at or before it at which it was planned. */
function latenessOf(starts: readonly number[], plans: readonly number[]): number[] {
  return starts.flatMap((start) => {
    const plan = plans.filter((at) => at <= start).at(-1);
    return plan === undefined ? [] : [start - plan];
  });
}

/** Processor time to judge a page of 150 KB of the sandbox's shop, in milliseconds. */
function measureJudging(page: string, url: string): number {
  const answer = { requestUrl: url, finalUrl: url, status: 200, headers: {}, body: page };
  const judge = () =>
    judgeOutcome({
      answer: { ...answer, decodable: true, hops: [], unverified: false },
      errorMessage: null,
      product: { title: null, gtin: null, variantKey: null },
    });
  for (let warmUp = 0; warmUp < 20; warmUp += 1) judge();
  const before = process.cpuUsage();
  for (let count = 0; count < 50; count += 1) judge();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / 50;
}

/** Runs 1,000 product watches of ten shops at 120 s beside 30 waiting rooms for `minutes`, after their first round. */
export async function measureProducts(redisUrl: string, minutes: number): Promise<ProductsReport> {
  const shops = await startShops();
  const stack = await startStack(redisUrl, {
    variables: {
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      DISCORD_WEBHOOK_HOSTS: shops.host,
      SCRAPPEY_API_KEY: '',
      // As `npm run start:daemon` sets it.
      MALLOC_ARENA_MAX: '2',
    },
  });
  const db = openSqliteDatabase(join(stack.dataDir, 'packwatch.db'));
  try {
    const daemon = stack.pids().daemon ?? 0;
    const { origin } = stack.sandbox;
    const rooms: CrowdWatch[] = Array.from({ length: ROOMS }, (_unused, index) => ({
      id: `room-${index}`,
      behaviour: 'flapping',
    }));
    await addCrowd(db, rooms, { shops, intervalSeconds: ROOM_INTERVAL_SECONDS });
    await startCrowd(db, rooms);
    await sleep(MINUTE);
    const without = measureAlerts(rooms, await shops.take());

    const products = planProducts(PRODUCTS);
    const origins = await sell(origin, products);
    await addProducts(db, products, { origins, webhookUrl: shops.webhookUrl });
    const collecting = collectPlans(db);
    await sleep(WARM_UP_MS);
    await shops.take();
    const from = Date.now();
    const cpuBefore = readProcess(daemon).cpuMs;
    const comeBack = products.filter(({ behaviour }) => behaviour === 'returning');
    for (const { id } of comeBack) await control(origin, 'PUT', `products/${id}`, { state: 'in_stock' });
    await sleep(minutes * MINUTE);
    const to = Date.now();
    const after = readProcess(daemon);
    await sleep(SETTLE_MS);
    const withProducts = measureAlerts(rooms, await shops.take());
    const plans = await collecting.stop();

    const checks = await db
      .selectFrom('monitor_checks')
      .select(['watch_id', 'started_at', 'availability'])
      .where('started_at', '>=', toIso(from))
      .where('started_at', '<', toIso(to))
      .where('availability', 'is not', null)
      .orderBy('started_at')
      .execute();
    const answering = products.filter(({ behaviour }) => behaviour !== 'hanging');
    const startsOf = new Map<string, number[]>();
    for (const { watch_id, started_at } of checks)
      startsOf.set(watch_id, [...(startsOf.get(watch_id) ?? []), fromIso(started_at)]);
    const lateness = answering.flatMap(({ id }) => latenessOf(startsOf.get(id) ?? [], plans.get(id) ?? []));
    const largestMs = (INTERVAL_SECONDS * SECOND) / 10;
    const overdue = answering.filter(({ id }) => {
      const lastPlan = plans.get(id)?.at(-1);
      return lastPlan === undefined || lastPlan < to - largestMs;
    });
    const alerts = await db.selectFrom('alerts').select('watch_id').where('kind', '=', 'restock').execute();
    const alerted = new Set(alerts.map(({ watch_id }) => watch_id));
    const { hosts } = (await control(origin, 'GET', 'hosts')) as {
      hosts: { name: string; busiestMinute: number; shortestGapMs: number | null; mostAtOnce: number }[];
    };
    const asked = hosts.filter(({ name }) => origins.has(name));
    const page = products.find(({ kilobytes, behaviour }) => kilobytes === 150 && behaviour === 'out');
    if (page === undefined) throw new Error('no product has a page of 150 KB');
    const pageUrl = `${origins.get(page.host)}/products/${page.id}`;
    return {
      products: products.length,
      minutes,
      lateness: figuresOf(lateness),
      tooLate: lateness.filter((ms) => ms > largestMs).length,
      missing: overdue.length,
      checks: checks.length,
      unknown: checks.filter(
        ({ watch_id, availability }) =>
          availability === 'unknown' && answering.some(({ id }) => id === watch_id),
      ).length,
      falseAlarms: products.filter(({ id, behaviour }) => behaviour !== 'returning' && alerted.has(id))
        .length,
      alarms: comeBack.filter(({ id }) => alerted.has(id)).length,
      returned: comeBack.length,
      busiestMinute: Math.max(...asked.map(({ busiestMinute }) => busiestMinute)),
      shortestGapMs: Math.min(...asked.map(({ shortestGapMs }) => shortestGapMs ?? Infinity)),
      mostAtOnce: Math.max(...asked.map(({ mostAtOnce }) => mostAtOnce)),
      roomsWithout: figuresOf(without.latencies.flat()),
      roomsWith: figuresOf(withProducts.latencies.flat()),
      lostMessages: withProducts.lostMessages,
      memory: { now: after.now, peak: after.peak },
      processorShare: (after.cpuMs - cpuBefore) / (to - from),
      processorPerCheckMs: (after.cpuMs - cpuBefore) / Math.max(1, checks.length),
      judgingOf150KbMs: measureJudging(await (await fetch(pageUrl)).text(), pageUrl),
    };
  } finally {
    await db.destroy();
    await stack.stop();
    shops.close();
  }
}

export function showProducts(report: ProductsReport): string[] {
  const ms = ({ n, p50, p99, max }: Figures): string =>
    `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms, n ${n}`;
  const { lateness, memory } = report;
  return [
    `${report.products} products of ${SHOPS} shops every ${INTERVAL_SECONDS} s for ${report.minutes} minutes: a shop hangs, one lies, a third of the products comes back`,
    `  a check after its planned time  ${ms(lateness)}`,
    `  later than a tenth of the interval ${report.tooLate}; overdue at the end ${report.missing}; checks ${report.checks}, unknown ${report.unknown}`,
    `  false alarms ${report.falseAlarms}; products that came back with an alert ${report.alarms} of ${report.returned}`,
    `  a host: at most ${report.busiestMinute} requests a minute, ${report.mostAtOnce} at once, shortest gap ${report.shortestGapMs.toFixed(0)} ms`,
    `  waiting rooms, answer to webhook, without ${ms(report.roomsWithout)}`,
    `                                   with    ${ms(report.roomsWith)}; lost ${report.lostMessages}`,
    `  daemon: ${memory.now} MiB, peak ${memory.peak} MiB (aim: below 300), ${(report.processorShare * 100).toFixed(0)} % of one core, ${report.processorPerCheckMs.toFixed(1)} ms a check`,
    `  judging a page of 150 KB ${report.judgingOf150KbMs.toFixed(1)} ms of processor time (aim: 15)`,
  ];
}
