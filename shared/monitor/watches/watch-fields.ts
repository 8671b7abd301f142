import { z } from 'zod';
import { requiredLine } from '../../text';
import { HOURS_RULE, parseMonitoringHours, SHOP_ZONE } from '../monitoring-hours';

const INTERVAL_RULE = 'The interval is a whole number of seconds from 15 to 3600.';
const ZONE_RULE = 'Please enter a time zone such as Europe/London.';
const URL_MISSING = 'Please enter the address of the page, such as https://shop.example/.';

/** Whether the platform knows an IANA time zone; offsets such as "+01:00" do not count. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(\/[\w+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The fields of a watch that an admin sets: for the forms, the API and the command line. */
export const watchFields = z.object({
  shop: requiredLine(60, 'Please enter the name of the shop.'),
  title: requiredLine(80, 'Please enter a title.'),
  url: z
    .string(URL_MISSING)
    .trim()
    .min(1, URL_MISSING)
    .max(2000, 'Please use at most 2000 characters.')
    .describe('A public http(s) address.'),
  hours: z
    .string(HOURS_RULE)
    .trim()
    .refine((text) => parseMonitoringHours(text) !== null, HOURS_RULE)
    .describe('Two whole hours of the day in `timeZone`, such as "9-21"; over midnight "20-2".'),
  timeZone: z.string(ZONE_RULE).trim().refine(isTimeZone, ZONE_RULE).describe('The IANA name.'),
  intervalSeconds: z.number(INTERVAL_RULE).int(INTERVAL_RULE).min(15, INTERVAL_RULE).max(3600, INTERVAL_RULE),
});

export type WatchFields = z.output<typeof watchFields>;

/** What applies to a new watch unless an admin says otherwise. */
export const NEW_WATCH = { hours: '9-21', timeZone: SHOP_ZONE, intervalSeconds: 60 } as const;

/** Like `watchFields`, with the defaults of a new watch. */
export const newWatchFields = watchFields.extend({
  hours: watchFields.shape.hours.default(NEW_WATCH.hours),
  timeZone: watchFields.shape.timeZone.default(NEW_WATCH.timeZone),
  intervalSeconds: watchFields.shape.intervalSeconds.default(NEW_WATCH.intervalSeconds),
});
