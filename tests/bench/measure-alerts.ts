import { measureAlertLatency } from './alert-latency';
import { createBenchFixture } from './bench-fixture';
import { measureCheckCost } from './check-cost';
import { bareFanOut, fanOut } from './fan-out';
import { figuresOf, ratiosOf, round, type Figures } from './figures';
import { ROOM_PAGE, shopPage } from './pages';

const FAN_OUT_RUNS = 7;
const DELIVERIES = 1_000;
const SLOW_WEBHOOKS = 50;
const SLOW_MS = 100;

function line(figures: Figures): string {
  return `p50 ${figures.p50.toFixed(2)} ms, p99 ${figures.p99.toFixed(2)} ms, n ${figures.n}`;
}

/** Measures an alert from the shop to Discord. Returns the figures and their text. */
export async function measureAlerts(redisUrl: string) {
  const fixture = await createBenchFixture(redisUrl);
  try {
    // A daemon has made thousands of checks before an alert: its code is compiled.
    const latency = await measureAlertLatency(fixture, { rounds: 400, warmUp: 600 });
    const overHop = ratiosOf(latency.alert, latency.hop);
    const overFloor = ratiosOf(latency.alert, latency.floor);

    const checkCost = {
      room: await measureCheckCost(fixture, { page: ROOM_PAGE, checks: 200 }),
      shop15Kb: await measureCheckCost(fixture, { page: shopPage(15), checks: 200 }),
      shop600Kb: await measureCheckCost(fixture, { page: shopPage(600), checks: 60 }),
    };

    const fan: number[] = [];
    const bareFan: number[] = [];
    for (let run = 0; run <= FAN_OUT_RUNS; run += 1) {
      const [mine, bare] = [await fanOut(fixture, DELIVERIES), await bareFanOut(fixture, DELIVERIES)];
      // The first run opens the connections.
      if (run > 0) {
        fan.push(mine);
        bareFan.push(bare);
      }
    }
    await fixture.services.delayWebhooks(SLOW_MS);
    const slow: number[] = [];
    for (let run = 0; run < FAN_OUT_RUNS; run += 1) slow.push(await fanOut(fixture, SLOW_WEBHOOKS));

    const fanFigures = figuresOf(fan);
    const bareFigures = figuresOf(bareFan);
    const slowFigures = figuresOf(slow);
    return {
      results: {
        alertLatencyMs: latency,
        alertOverBareHop: { p50: round(overHop.p50), p99: round(overHop.p99), aim: 1.5 },
        alertOverFloor: { p50: round(overFloor.p50), p99: round(overFloor.p99) },
        thousandDeliveriesMs: {
          outbox: fanFigures,
          bare: bareFigures,
          ratio: round(fanFigures.p50 / bareFigures.p50),
        },
        fiftySlowWebhooks: { eachAnswersAfterMs: SLOW_MS, allReachedMs: slowFigures, aim: 100 },
        cpuMsPerCheck: checkCost,
      },
      lines: [
        'From the shop’s answer to the webhook request’s arrival',
        `  alert (judged, committed, claimed)   ${line(latency.alert)}`,
        `  bare BullMQ hop that stores nothing  ${line(latency.hop)}`,
        `  floor: fetch, then post              ${line(latency.floor)}`,
        `  alert over bare hop   p50 ${overHop.p50.toFixed(2)}x   p99 ${overHop.p99.toFixed(2)}x   (aim: at most 1.5 at p50)`,
        `  alert over floor      p50 ${overFloor.p50.toFixed(2)}x   p99 ${overFloor.p99.toFixed(2)}x`,
        `${DELIVERIES} deliveries out of the outbox: ${fanFigures.p50.toFixed(0)} ms, bare posts ${bareFigures.p50.toFixed(0)} ms, ${(fanFigures.p50 / bareFigures.p50).toFixed(2)}x (median of ${FAN_OUT_RUNS})`,
        `${SLOW_WEBHOOKS} webhooks that each answer after ${SLOW_MS} ms: all reached after ${slowFigures.p50.toFixed(0)} ms, at worst ${slowFigures.max.toFixed(0)} ms (aim: 100)`,
        `Processor time per check: waiting room ${checkCost.room.toFixed(2)} ms, shop page of 15 KB ${checkCost.shop15Kb.toFixed(2)} ms, of 600 KB ${checkCost.shop600Kb.toFixed(2)} ms`,
      ],
    };
  } finally {
    await fixture.close();
  }
}
