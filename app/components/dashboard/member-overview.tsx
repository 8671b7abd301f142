import { Form, useNavigation } from '@remix-run/react';
import { LongDate } from '~/components/long-date';
import { Panel } from '~/components/panel';
import { Badge } from '~/components/ui/badge';
import { Button } from '~/components/ui/button';
import { OpenIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';

export interface BetaState {
  approved: boolean;
  /** ISO time; null when it was not asked for. */
  requestedAt: string | null;
}

const FREE_FEATURES = [
  'Alerts 30 seconds after Pro',
  'Alerts in Discord',
  'Basic checkout',
  'Community support',
] as const;

/** What a member has: a plan, once they are in the beta, else the way into it. */
export function MemberOverview({ beta, refused }: { beta: BetaState; refused: string | null }) {
  return beta.approved ? <FreePlan /> : <BetaRequest requestedAt={beta.requestedAt} refused={refused} />;
}

function FreePlan() {
  return (
    <Panel title="Free">
      <p className="flex flex-wrap gap-2">
        <Badge>Beta Access</Badge>
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {FREE_FEATURES.map((feature) => (
          <li key={feature} className="flex items-center gap-2">
            <span className="text-open">
              <OpenIcon />
            </span>
            {feature}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function BetaRequest({ requestedAt, refused }: { requestedAt: string | null; refused: string | null }) {
  const pending = useNavigation().state !== 'idle';
  return (
    <Panel title="Beta Access">
      {refused === null ? null : <Notice kind="error">{refused}</Notice>}
      {requestedAt === null ? (
        <>
          <p className="max-w-[40em] text-soft">
            We admit collectors a few at a time. Request access once; an admin reviews every request.
          </p>
          <Form method="post">
            <Button look="primary" name="intent" value="request-beta" pending={pending}>
              Request Beta Access
            </Button>
          </Form>
        </>
      ) : (
        <>
          <Notice kind="success">
            Requested on <LongDate iso={requestedAt} />
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
