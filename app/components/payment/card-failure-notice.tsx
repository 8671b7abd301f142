import { Notice } from '~/components/ui/notice';
import type { CardFailure } from './card-result';

/** Why a payment failed, with the next step below it. */
export function CardFailureNotice({ failure: { reason, help } }: { failure: CardFailure }) {
  return (
    <div className="grid gap-2">
      <Notice kind="error">{reason}</Notice>
      {help === null ? null : <p aria-live="polite">{help}</p>}
    </div>
  );
}
