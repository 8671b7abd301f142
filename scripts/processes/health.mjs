import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 5_000;
const NOTICE_MS = 20_000;

/**
 * Resolves once `url` answers with success; rejects when `signal` aborts. Every 20 s until
 * then, `onNotice(last)` gets the last failure.
 */
export async function waitForHealth(url, { signal, onNotice }) {
  for (let noticeAt = Date.now() + NOTICE_MS; ;) {
    signal.throwIfAborted();
    const seen = await probe(url, signal);
    if (seen === null) return;
    if (Date.now() >= noticeAt) {
      noticeAt = Date.now() + NOTICE_MS;
      onNotice(seen);
    }
    await sleep(POLL_MS, null, { signal });
  }
}

async function probe(url, signal) {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const text = await answer.text();
    return answer.ok ? null : `status ${answer.status}: ${text.slice(0, 200)}`;
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}
