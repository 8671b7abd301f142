import { PRODUCT_NAME } from '#shared/brand';
import { counted } from '#shared/format';

// The static texts of the status page.

export const META = {
  title: `Status: is a waiting room open? · ${PRODUCT_NAME}`,
  description:
    'Which shops have a waiting room right now, when the last ones opened and how long they lasted, and the hours in which waiting rooms usually open.',
} as const;

export const ANSWER = {
  open: (title: string) => `The waiting room of ${title} is open`,
  several: (count: number) => `${count} waiting rooms are open`,
  none: 'No waiting room is open',
  /** Only some of the watches could be read. */
  noneSeen: 'No waiting room as far as we can see',
  unknown: 'We cannot say right now',
} as const;

export const NOW = {
  others: 'Every shop we watch',
  more: (count: number) => (count === 1 ? '1 more shop' : `${count} more shops`),
  go: 'Go to the waiting room',
  page: 'About this waiting room',
  health: {
    title: 'Conclusive checks',
    day: 'Last 24 hours',
    ninetyDays: 'Last 90 days',
    none: 'No checks',
  },
} as const;

export const WHEN = {
  title: 'When to be awake',
  caption: (shop: string, zone: string) =>
    `When the waiting rooms of ${shop} opened, by weekday and hour, last 12 weeks, ${zone}`,
  none: 'No waiting room opened in the last 12 weeks.',
  few: 'Too few to see a pattern yet.',
  legend: { few: 'once', many: 'most often', now: 'this hour' },
} as const;

export const PAST = {
  title: 'Last waiting rooms',
  caption: 'The last waiting rooms, newest first',
  earlier: 'Earlier ones',
  none: 'No waiting room has been seen yet.',
  columns: { opened: 'Opened', lasted: 'Lasted', headStart: 'Pro ahead by' },
  note: 'Pro ahead by: the time between the message to Pro members and the one to everyone else, measured when each was accepted. A dash means that one of the two was not sent, for example because the waiting room had already closed.',
} as const;

export const PRODUCTS = {
  counted: ({ total, inStock, known }: { total: number; inStock: number; known: number }) =>
    `${counted(total, 'product')}: ${inStock} in stock, ${known - inStock} not, ${total - known} unknown.`,
  all: 'All products',
} as const;

export const FRESHNESS =
  'States and alerts are at most five seconds old, the share of conclusive checks at most a minute.';
