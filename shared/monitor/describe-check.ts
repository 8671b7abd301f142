import { judgementSchema, type Verdict } from './verdict';
import type { MonitorCheck } from './list-checks';

const VERDICT_WORDS: Record<Verdict, string> = {
  open: 'The shop is open',
  waiting_room: 'The waiting room is open',
  unknown: 'Unknown',
};

/** A finished check in one sentence for a person, with its reason. */
export function describeCheck(
  check: Pick<MonitorCheck, 'content_analysis' | 'http_status_code' | 'response_time_ms'>,
): string {
  const judged = judgementSchema.safeParse(check.content_analysis);
  const words = judged.success
    ? `${VERDICT_WORDS[judged.data.verdict]}: ${judged.data.reason}`
    : 'The check was stored without a readable judgement.';
  const status = check.http_status_code === null ? 'no answer' : `HTTP ${check.http_status_code}`;
  return `${words} (${status}, ${check.response_time_ms} ms)`;
}
