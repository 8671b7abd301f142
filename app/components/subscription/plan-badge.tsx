import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { Badge } from '~/components/ui/badge';

/** The state of a Pro subscription; nothing for a free account. */
export function PlanBadge({ state }: { state: SubscriptionView['state'] }) {
  switch (state) {
    case 'active':
      return <Badge variant="pro">Active</Badge>;
    case 'canceling':
      return <Badge variant="warning">Canceling</Badge>;
    case 'past_due':
      return <Badge variant="error">Payment failed</Badge>;
    case 'paused':
      return <Badge variant="warning">Paused</Badge>;
    case 'none':
      return null;
  }
}
