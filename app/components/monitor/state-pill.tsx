import type { ReactNode } from 'react';
import {
  OfflineIcon,
  OpenIcon,
  PausedIcon,
  MoonIcon,
  UnknownIcon,
  WaitingRoomIcon,
} from '~/components/ui/icons';
import type { MonitorFace } from './monitor-view';

const FACES: Record<MonitorFace, { look: string; icon: ReactNode }> = {
  open: { look: 'bg-open-wash text-open', icon: <OpenIcon /> },
  waiting_room: { look: 'bg-live-wash text-live', icon: <WaitingRoomIcon /> },
  unknown: { look: 'bg-unknown-wash text-unknown', icon: <UnknownIcon /> },
  offline: { look: 'bg-unknown-wash text-unknown', icon: <OfflineIcon /> },
  paused: { look: 'bg-sunken text-soft', icon: <PausedIcon /> },
  resting: { look: 'bg-sunken text-soft', icon: <MoonIcon /> },
};

/** A state: its colour, its icon and its word, always together. */
export function StatePill({ face, word }: { face: MonitorFace; word: string }) {
  const { look, icon } = FACES[face];
  return (
    <span className={`inline-flex items-center gap-2.5 rounded-full py-1.5 pr-3.5 pl-2.5 font-[650] ${look}`}>
      {icon}
      {word}
    </span>
  );
}
