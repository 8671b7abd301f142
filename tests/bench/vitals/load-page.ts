import type { Browser } from 'playwright';

/** Lighthouse's slow phone (lighthouse, core/config/constants.js, `mobileSlow4G` and `cpuSlowdownMultiplier`). */
const LINE = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const PROCESSOR_SLOWDOWN = 4;
const SCREEN = { width: 360, height: 740 };
/** A task that holds up the page for longer blocks it (web.dev/articles/tbt). */
const BLOCKING_MS = 50;

/** The kinds of files, as the browser names them. */
export const KINDS = ['Document', 'Stylesheet', 'Font', 'Script', 'Image', 'Other'] as const;
export type Kind = (typeof KINDS)[number];

/** The measured load of a page. Times in milliseconds since the navigation. */
export interface PageVitals {
  firstPaint: number;
  largestPaint: number;
  /** The sum of what each task after the first paint took beyond 50 ms. */
  blocking: number;
  /** The cumulative layout shift, without a unit. */
  shift: number;
  /** When the last file had arrived. */
  loaded: number;
  /** Of bodies, as they are sent. */
  bytes: Record<Kind, number>;
  files: Record<Kind, number>;
  /** Of script files, with the time at which each was asked for. */
  scriptsFrom: number | null;
}

interface Observed {
  firstPaint: number;
  largestPaint: number;
  shift: number;
  tasks: { start: number; duration: number }[];
}

declare global {
  interface Window {
    observed: Observed;
  }
}

/** Runs in the page, before its own scripts. */
function observe(): void {
  const observed: Observed = { firstPaint: 0, largestPaint: 0, shift: 0, tasks: [] };
  window.observed = observed;
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') observed.firstPaint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => (observed.largestPaint = startTime));
  watch('layout-shift', (entry) => (observed.shift += (entry as PerformanceEntry & { value: number }).value));
  watch('longtask', ({ startTime, duration }) => observed.tasks.push({ start: startTime, duration }));
}

function kindOf(type: string): Kind {
  return KINDS.find((kind) => kind === type) ?? 'Other';
}

const zeros = () => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;

/** Loads a page with an empty cache and a throttled processor and network, until the network is idle. */
export async function loadPage(browser: Browser, address: string): Promise<PageVitals> {
  const context = await browser.newContext({ viewport: SCREEN, deviceScaleFactor: 2, isMobile: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
    await page.addInitScript(observe);
    const bytes = zeros();
    const files = zeros();
    const kinds = new Map<string, Kind>();
    const headerBytes = new Map<string, number>();
    let startedAt = Number.NaN;
    let scriptsFrom: number | null = null;
    let loaded = 0;
    devtools.on('Network.requestWillBeSent', ({ requestId, type = 'Other', timestamp }) => {
      if (Number.isNaN(startedAt)) startedAt = timestamp;
      const kind = kindOf(type);
      kinds.set(requestId, kind);
      if (kind === 'Script') scriptsFrom ??= (timestamp - startedAt) * 1_000;
    });
    devtools.on('Network.responseReceived', ({ requestId, response }) =>
      headerBytes.set(requestId, response.encodedDataLength),
    );
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
      const kind = kinds.get(requestId) ?? 'Other';
      bytes[kind] += encodedDataLength - (headerBytes.get(requestId) ?? 0);
      files[kind] += 1;
      loaded = (timestamp - startedAt) * 1_000;
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    // A processor that is four times slower may still be at work. Without a limit Chromium may never call back when a page
    // without scripts draws no more frames: only the emulated slowdown keeps its thread busy then.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
    const { firstPaint, largestPaint, shift, tasks } = await page.evaluate(() => window.observed);
    const blocking = tasks
      .filter(({ start }) => start >= firstPaint)
      .reduce((sum, { duration }) => sum + duration - BLOCKING_MS, 0);
    return { firstPaint, largestPaint, blocking, shift, loaded, bytes, files, scriptsFrom };
  } finally {
    await context.close();
  }
}
