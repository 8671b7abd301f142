import type { ExpectedProduct, Judgement } from '#shared/monitor/checks/verdict';
import type { FetchOutcome } from '../waiting-room/fetch/fetch-outcome';
import { judgePage, notSeen } from '../waiting-room/judge-page';
import { unknownProduct } from '#shared/monitor/checks/unknown-product';
import { judgeProduct } from './product/judge-product';

/** The parts of a fetch that are judged. */
export interface JudgedPage extends Pick<FetchOutcome, 'answer' | 'errorMessage'> {
  /** The product data for judging the page as a product page as well. Missing: only as a shop's page. */
  product?: ExpectedProduct;
  /** When the page was fetched. Missing: now. */
  fetchedAt?: Date;
}

/**
 * Judges the result of a fetch. Never throws: an error is an `unknown` verdict that names it. An `unknown` verdict
 * carries the fetch's error in its reason.
 */
export function judgeOutcome(page: JudgedPage): Judgement {
  const { answer, errorMessage } = page;
  const judgement = judgeSafely(page);
  if (errorMessage === null) return judgement;
  const withError = (reason: string): string =>
    answer.status === 0 ? errorMessage : `${reason} ${errorMessage}`;
  if (judgement.product?.availability === 'unknown')
    judgement.product.reason = withError(judgement.product.reason);
  return judgement.verdict === 'unknown' ? { ...judgement, reason: withError(judgement.reason) } : judgement;
}

function judgeSafely({ answer, product, fetchedAt = new Date() }: JudgedPage): Judgement {
  try {
    return product === undefined ? judgePage(answer) : judgeProduct(answer, product, fetchedAt);
  } catch (error) {
    const reason = `Judging the page failed: ${error instanceof Error ? error.message : String(error)}.`;
    return {
      ...notSeen(reason),
      ...(product !== undefined && { product: unknownProduct('error', reason) }),
    };
  }
}
