import type { ReactNode } from 'react';
import { DELIVERY_WORDS, type DeliveryState } from '#shared/alerts/deliveries/delivery-state';
import { ClockIcon, CloseIcon, OpenIcon, RetryIcon, WarningIcon } from '~/components/ui/icons';

const STYLES: Record<DeliveryState, { className: string; icon: ReactNode }> = {
  waiting: { className: 'text-soft', icon: <ClockIcon /> },
  sending: { className: 'text-soft', icon: <ClockIcon /> },
  tryingAgain: { className: 'text-unknown', icon: <RetryIcon /> },
  sent: { className: 'text-open', icon: <OpenIcon /> },
  cancelled: { className: 'text-soft', icon: <CloseIcon /> },
  failed: { className: 'text-live', icon: <WarningIcon /> },
  expired: { className: 'text-unknown', icon: <WarningIcon /> },
  handled: { className: 'text-soft', icon: <OpenIcon /> },
};

/** The state of a delivery in a word, with its colour and icon. `count`: how many deliveries are in it. */
export function DeliveryBadge({ state, count }: { state: DeliveryState; count?: number }) {
  const { className, icon } = STYLES[state];
  return (
    <span className={`inline-flex items-center gap-1.5 font-[650] whitespace-nowrap ${className}`}>
      {icon}
      {count === undefined ? null : `${count.toLocaleString('en-GB')} `}
      {count === undefined ? DELIVERY_WORDS[state] : DELIVERY_WORDS[state].toLowerCase()}
    </span>
  );
}
