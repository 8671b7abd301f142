import type { BetaAccess } from '#shared/beta/read-beta';
import { LoadFailed, Notice } from '~/components/ui/notice';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LongDate } from '~/components/ui/long-date';
import { Panel } from '~/components/ui/panel';
import { Badge } from '~/components/ui/badge';
import { Button, buttonClass } from '~/components/ui/button';
import { OpenIcon } from '~/components/ui/icons';

/** The Discord community. `inviteUrl`: null if there is no invite yet. */
export interface Community {
  inviteUrl: string | null;
}

const FREE_FEATURES = [
  'Alerts 30 seconds after Pro',
  'Discord only',
  'Basic checkout',
  'Community support',
] as const;

/** A member's plan and community, or the request for beta access. `beta` and `community`: null if they could not be read. */
export function MemberOverview({
  beta,
  community,
}: {
  beta: BetaAccess | null;
  community: Community | null;
}) {
  if (beta === null)
    return (
      <Panel title="Beta Access">
        <LoadFailed again="/dashboard">Unable to load beta access information</LoadFailed>
      </Panel>
    );
  if (!beta.approved) return <BetaRequest requestedAt={beta.requestedAt} />;
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <FreePlan />
      <AlertChannels />
      <DiscordCommunity community={community} />
    </div>
  );
}

function FreePlan() {
  return (
    <Panel title="Free">
      <p className="flex flex-wrap gap-2">
        <Badge>Beta Access</Badge>
      </p>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-1 xl:grid-cols-2">
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

function AlertChannels() {
  return (
    <Panel title="Where your alerts arrive">
      <p>
        In the alerts channel of our Discord community, 30 seconds after Pro members hear. When a waiting room
        closes, the same message says how long it lasted.
      </p>
      <p className="text-soft">
        Switch on Discord’s notifications for that channel, so that your phone tells you.
      </p>
    </Panel>
  );
}

function DiscordCommunity({ community }: { community: Community | null }) {
  const invite = community?.inviteUrl ?? null;
  return (
    <Panel title="Discord Community">
      {community === null ? (
        <LoadFailed again="/dashboard">The invite could not be loaded.</LoadFailed>
      ) : invite === null ? (
        <>
          <p className="text-soft">This is where alerts arrive. We are opening it to beta members soon.</p>
          <p>
            <Button type="button" disabled>
              Coming Soon
            </Button>
          </p>
        </>
      ) : (
        <>
          <p className="text-soft">This is where alerts arrive. Join once with your Discord account.</p>
          <p>
            <a href={invite} rel="noreferrer" className={buttonClass('primary')}>
              Join our Discord
            </a>
          </p>
        </>
      )}
    </Panel>
  );
}

function BetaRequest({ requestedAt }: { requestedAt: string | null }) {
  const { Form, result, pending } = useForms(['request-beta']);
  return (
    <Panel title="Beta Access">
      <FormNotice result={result} />
      {requestedAt === null ? (
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
