import type { ReactNode } from 'react';
import {
  OfflineIcon,
  OpenIcon,
  PausedIcon,
  MoonIcon,
  UnknownIcon,
  WaitingRoomIcon,
} from '~/components/ui/icons';
import type { DisplayState } from './monitor-view';

const STYLES: Record<DisplayState, { className: string; icon: ReactNode }> = {
  open: { className: 'bg-open-wash text-open', icon: <OpenIcon /> },
  waiting_room: { className: 'bg-live-wash text-live', icon: <WaitingRoomIcon /> },
  unknown: { className: 'bg-unknown-wash text-unknown', icon: <UnknownIcon /> },
  offline: { className: 'bg-unknown-wash text-unknown', icon: <OfflineIcon /> },
  paused: { className: 'bg-sunken text-soft', icon: <PausedIcon /> },
  resting: { className: 'bg-sunken text-soft', icon: <MoonIcon /> },
};

/** A state with its colour, icon and label. */
export function StatePill({ state, label }: { state: DisplayState; label: string }) {
  const { className, icon } = STYLES[state];
  return (
    <span
      className={`inline-flex items-center gap-2.5 rounded-full py-1.5 pr-3.5 pl-2.5 font-[650] ${className}`}
    >
      {icon}
      {label}
    </span>
  );
}
