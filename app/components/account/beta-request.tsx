import type { BetaAccess } from '#shared/beta/read-beta';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { LoadFailed, Notice } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';

/** The request for beta access. `beta`: null if it could not be read; `page`: the path of its Try again link. */
export function BetaRequest({ beta, page }: { beta: BetaAccess | null; page: string }) {
  const { Form, result, pending } = useForms(['request-beta']);
  if (beta === null)
    return (
      <Panel title="Beta Access">
        <LoadFailed retryPath={page}>Unable to load beta access information</LoadFailed>
      </Panel>
    );
  return (
    <Panel title="Beta Access">
      <FormNotice result={result} />
      {beta.requestedAt === null ? (
        <>
          <p className="max-w-[40em] text-soft">
            We admit collectors a few at a time. Request access once; an admin reviews every request.
          </p>
          <Form method="post">
            <Button variant="primary" name="intent" value="request-beta" pending={pending !== null}>
              Request Beta Access
            </Button>
          </Form>
        </>
      ) : (
        <>
          <Notice kind="success">
            Requested on <LongDate iso={beta.requestedAt} />
          </Notice>
          <p className="max-w-[40em] text-soft">
            There is nothing more to do: an admin reviews every request, and your plan will appear here once
            you are approved.
          </p>
        </>
      )}
    </Panel>
  );
}
