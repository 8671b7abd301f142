import { headStartSeconds, type NotifiedTimes } from '#shared/alerts/head-start';
import { clockSecond } from '~/components/time/time-format';
import { WAITING_ROOM } from './restock-content';

/** The free message of an alert: still to be sent, or cancelled because the waiting room closed before. */
export type FreeMessage = 'pending' | 'cancelled';

/** Premium's effect in one alert. */
export interface HeadStartView {
  /** The result, large; null while it is not known. */
  value: string | null;
  text: string;
}

/**
 * Describes the head start of Premium members in one alert. `free`: the state of the free message. Null when there is
 * nothing to say: one of the messages was not sent for another reason than the closing, or the free one came first.
 */
export function describeHeadStart(times: NotifiedTimes, free: FreeMessage | null): HeadStartView | null {
  const { headStart } = WAITING_ROOM;
  const { instantAt, freeAt } = times;
  if (instantAt === null) return null;
  const instant = clockSecond(instantAt);
  const seconds = headStartSeconds(times);
  if (seconds !== null && freeAt !== null)
    return { value: headStart.measured(seconds), text: headStart.times(instant, clockSecond(freeAt)) };
  if (freeAt === null && free === 'cancelled') return { value: headStart.all, text: headStart.only(instant) };
  if (freeAt === null && free === 'pending') return { value: null, text: headStart.soon(instant) };
  return null;
}
