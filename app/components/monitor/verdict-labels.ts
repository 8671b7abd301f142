import type { Verdict } from '#shared/monitor/checks/verdict';

/** A check's verdict, as every screen names it. */
export const VERDICT_LABELS: Record<Verdict, string> = {
  open: 'Shop open',
  waiting_room: 'Waiting room',
  unknown: 'Unknown',
};
