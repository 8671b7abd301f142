import type { Availability, Judgement, Verdict } from '#shared/monitor/checks/verdict';
import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { VERDICT_LABELS } from '../verdict-labels';
import { ProductSignList } from '../products/product-sign-list';
import { AVAILABILITY_STATES, availabilityText } from '../products/product-words';
import { StatePill } from '../state-pill';
import { SignList } from './sign-list';

/** The sentence for an unexpected failure, by intent. */
export const JUDGE_FAILED = {
  judge: 'Failed to judge the page. Please try again.',
  wrong: 'Failed to keep the page. Please try again.',
} as const;

/** The check's own verdict. */
interface Stored {
  stored: Verdict;
  /** Of a check of a product; null for a waiting room. */
  storedOffer: Availability | null;
}

function Comparison({ judgement, stored, storedOffer }: Stored & { judgement: Judgement }) {
  const { verdict, reason, signs, product } = judgement;
  if (product !== undefined && storedOffer !== null)
    return (
      <div role="status" className="grid gap-3">
        <p className="font-semibold">
          {product.availability === storedOffer
            ? 'The verdict is the same with today’s rules.'
            : `With today’s rules the verdict is different. At the check it was: ${AVAILABILITY_WORDS[storedOffer].toLowerCase()}.`}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <StatePill state={AVAILABILITY_STATES[product.availability]} label={availabilityText(product)} />
          <p className="min-w-0 [overflow-wrap:anywhere]">{product.reason}</p>
        </div>
        <ProductSignList signs={product.signs} />
      </div>
    );
  return (
    <div role="status" className="grid gap-3">
      <p className="font-semibold">
        {verdict === stored
          ? 'The verdict is the same with today’s rules.'
          : `With today’s rules the verdict is different. At the check it was: ${VERDICT_LABELS[stored].toLowerCase()}.`}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <StatePill state={verdict} label={VERDICT_LABELS[verdict]} />
        <p className="min-w-0 [overflow-wrap:anywhere]">{reason}</p>
      </div>
      <SignList signs={signs} />
    </div>
  );
}

/** Judges the stored page of a check with today's rules and compares the result. */
export function JudgeAgain({ hasPage, ...stored }: Stored & { hasPage: boolean }) {
  const { Form, result, pending } = useForms<Judgement>(['judge']);
  const judgement = result?.ok === true ? result.details : undefined;
  return (
    <Panel title="Judge this page again">
      <p className="text-soft">
        {hasPage
          ? 'Judges the stored page with today’s rules. Nothing is stored, and no alert opens or closes.'
          : 'The page is no longer stored, so it cannot be judged again: pages are kept for a week.'}
      </p>
      {result?.ok === false ? <FormNotice result={result} /> : null}
      {judgement === undefined ? null : <Comparison judgement={judgement} {...stored} />}
      {hasPage ? (
        <Form method="post">
          <Button name="intent" value="judge" pending={pending !== null}>
            Judge this page again
          </Button>
        </Form>
      ) : null}
    </Panel>
  );
}
