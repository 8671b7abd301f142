import type { ReactNode } from 'react';
import type { Availability } from '#shared/monitor/checks/verdict';
import { ClockIcon, CloseIcon, OpenIcon, UnknownIcon } from '~/components/ui/icons';
import { type ProductStanding, standingWords } from './product-words';

/** The colours and the icon of each state. */
export const STATE_STYLES: Record<Availability, { className: string; icon: ReactNode }> = {
  in_stock: { className: 'bg-open-wash text-open', icon: <OpenIcon /> },
  limited: { className: 'bg-open-wash text-open', icon: <OpenIcon /> },
  preorder: { className: 'bg-sunken text-brand', icon: <ClockIcon /> },
  out_of_stock: { className: 'bg-sunken text-soft', icon: <CloseIcon /> },
  unknown: { className: 'bg-unknown-wash text-unknown', icon: <UnknownIcon /> },
};

/** The state of a product, or of an offer of it, with its colour, icon and words. */
export function ProductPill({
  state,
  detail,
  isChecked = true,
  isGone = false,
}: Pick<ProductStanding, 'state' | 'detail'> & Partial<ProductStanding>) {
  const { className, icon } = STATE_STYLES[state];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-[13px] py-0.5 pr-3 pl-1.5 text-small leading-tight font-[650] ${className}`}
    >
      {icon}
      {standingWords({ state, detail, isChecked, isGone })}
    </span>
  );
}
