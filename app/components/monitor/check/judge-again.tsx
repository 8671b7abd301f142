import type { Judgement, Verdict } from '#shared/monitor/checks/verdict';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { VERDICT_LABELS } from '../monitor-view';
import { StatePill } from '../state-pill';
import { SignList } from './sign-list';

/** The sentence for an unexpected failure, by intent. */
export const JUDGE_FAILED = { judge: 'Failed to judge the page. Please try again.' } as const;

function Comparison({ judgement, stored }: { judgement: Judgement; stored: Verdict }) {
  const { verdict, reason, signs } = judgement;
  return (
    <div role="status" className="grid gap-3">
      <p className="font-semibold">
        {verdict === stored
          ? 'The verdict is the same with today’s rules.'
          : `The verdict is another one with today’s rules. At the check it was: ${VERDICT_LABELS[stored].toLowerCase()}.`}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <StatePill state={verdict} label={VERDICT_LABELS[verdict]} />
        <p className="min-w-0 [overflow-wrap:anywhere]">{reason}</p>
      </div>
      <SignList signs={signs} />
    </div>
  );
}

/** Judges the stored page of a check with today's rules and compares the result. `stored`: the check's own verdict. */
export function JudgeAgain({ stored, hasPage }: { stored: Verdict; hasPage: boolean }) {
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
      {judgement === undefined ? null : <Comparison judgement={judgement} stored={stored} />}
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
