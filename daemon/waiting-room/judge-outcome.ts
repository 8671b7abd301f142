import type { Judgement } from '#shared/monitor/verdict';
import type { FetchOutcome } from './fetch-outcome';
import { judgePage } from './judge-page';

/** Judges what a fetch brought; when it brought nothing, the reason says what went wrong on the way. */
export function judgeOutcome({
  answer,
  errorMessage,
}: Pick<FetchOutcome, 'answer' | 'errorMessage'>): Judgement {
  const judgement = judgePage(answer);
  if (judgement.verdict !== 'unknown' || errorMessage === null) return judgement;
  return { ...judgement, reason: answer.status === 0 ? errorMessage : `${judgement.reason} ${errorMessage}` };
}
