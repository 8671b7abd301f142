import { createHash } from 'node:crypto';
import { request } from 'node:http';

/** The clients of the benchmark that download, a separate process. */
export interface CrowdOrder {
  url: string;
  token: string;
  clients: number;
  /** How fast each client reads; null: as fast as it can. */
  bytesPerSecond: number | null;
  /** After which the clients leave. */
  limitMs: number;
}

export interface CrowdReport {
  /** Clients that received the whole file. */
  whole: number;
  /** Bytes that all clients received. */
  bytes: number;
  ms: number;
  /** Of the first client's file; null if it left before the end. */
  sha256: string | null;
  faults: string[];
}

const STEP_MS = 50;

interface Download {
  bytes: number;
  whole: boolean;
  sha256: string | null;
}

function download({ url, token, bytesPerSecond, limitMs }: CrowdOrder, digest: boolean): Promise<Download> {
  return new Promise((resolve, reject) => {
    const hash = digest ? createHash('sha256') : null;
    const startedAt = performance.now();
    let bytes = 0;
    const outgoing = request(url, { agent: false, headers: { Authorization: `Bearer ${token}` } });
    const timer = setTimeout(() => outgoing.destroy(), limitMs);
    const settle = (whole: boolean) => {
      clearTimeout(timer);
      resolve({ bytes, whole, sha256: whole && hash !== null ? hash.digest('hex') : null });
    };
    outgoing.on('error', (error) => {
      if (performance.now() - startedAt >= limitMs) settle(false);
      else reject(error);
    });
    outgoing.on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
        hash?.update(chunk);
        if (bytesPerSecond === null) return;
        const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - startedAt);
        if (aheadMs < STEP_MS) return;
        response.pause();
        setTimeout(() => response.resume(), aheadMs);
      });
      response.on('close', () => settle(response.complete));
    });
    outgoing.end();
  });
}

process.on('message', (order: CrowdOrder) => {
  const startedAt = performance.now();
  const downloads = Array.from({ length: order.clients }, (_unused, index) => download(order, index === 0));
  void Promise.allSettled(downloads).then((results) => {
    const ended = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    process.send?.({
      whole: ended.filter(({ whole }) => whole).length,
      bytes: ended.reduce((sum, { bytes }) => sum + bytes, 0),
      ms: performance.now() - startedAt,
      sha256: ended[0]?.sha256 ?? null,
      faults: results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : [])),
    } satisfies CrowdReport);
  });
});
process.on('disconnect', () => process.exit(0));
