import type { WatchSettings } from './live-watch';

/** The monitoring hours of a watch: "UK 9am to 9pm"; elsewhere "9am to 9pm (Europe/Paris)". */
export function hoursText({ hoursInWords }: Pick<WatchSettings, 'hoursInWords'>, timeZone: string): string {
  return timeZone === 'Europe/London' ? `UK ${hoursInWords}` : `${hoursInWords} (${timeZone})`;
}
