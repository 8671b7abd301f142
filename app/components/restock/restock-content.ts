import { FREE_DELAY_MS } from '#shared/alerts/alert-timing';
import { PRODUCT_NAME } from '#shared/brand';
import { SECOND } from '#shared/clock';

/** The static texts of the restock page. */

const HEAD_START = FREE_DELAY_MS / SECOND;

export const META = {
  title: `Restock alert · ${PRODUCT_NAME}`,
  description: 'A product is back in stock. Premium members were told first.',
} as const;

export const BANNER = `This product is now in stock! Premium members were notified ${HEAD_START} seconds earlier.`;

/** For the page of a waiting-room watch. */
export const WAITING_ROOM = {
  meta: {
    title: `Waiting room alert · ${PRODUCT_NAME}`,
    description: (shop: string) =>
      `Whether ${shop} has a waiting room right now, and when the last one closed.`,
  },
  headline: {
    open: (since: string) => `The waiting room is open, since ${since}.`,
    closed: 'The waiting room has closed.',
    lasted: (duration: string, until: string) => `It lasted ${duration}, until ${until}.`,
    unchecked: 'This shop has not been checked yet.',
    never: 'No waiting room has been seen here yet.',
    unseenEnd: (seen: string) =>
      `We stopped watching this shop while its waiting room was open at ${seen}, so we cannot say when it closed.`,
    suspended: 'Monitoring stopped while the waiting room was open, so we cannot say whether it still is.',
    unreadable: 'We cannot say right now whether there is a waiting room.',
  },
  advice: {
    open: 'Open the shop now and keep the page open: you are let in when it is your turn.',
    closed: (seconds: number) =>
      `When a waiting room opens, Premium members are notified at once and everyone else ${seconds} seconds later.`,
    unknown: 'Open the shop to see for yourself.',
  },
  shop: { open: 'Go to the shop', closed: 'See the shop' },
  /** The head start of Premium in this alert, by the times at which the messages were accepted. */
  headStart: {
    title: 'What Premium changed this time',
    measured: (seconds: number) => `${seconds} seconds`,
    times: (instant: string, free: string) =>
      `Premium members were notified at ${instant}, everyone else at ${free}.`,
    soon: (instant: string) =>
      `Premium members were notified at ${instant}. Everyone else is notified ${HEAD_START} seconds later.`,
    all: 'All of it',
    only: (instant: string) =>
      `Premium members were notified at ${instant}. The waiting room closed before everyone else was.`,
  },
} as const;

export const COUNTDOWN = {
  seconds: 300,
  label: 'Time left to decide',
  note: 'Five minutes from when you opened this page. Popular restocks seldom last longer.',
  alertNote: 'Five minutes from when the alert opened. Popular restocks seldom last longer.',
} as const;

export const ACTIONS = {
  premium: { name: 'Get Premium Access', href: '/#pricing' },
  follow: 'Follow this product',
  followed: 'You follow this product.',
  changeFollow: 'Change your alerts, or stop following it',
  endFollow: 'Stop following it',
  product: 'Continue to Product',
  home: '/',
} as const;

export const COMPARISON = {
  title: 'What Premium changes',
  caption: 'Free and Premium compared',
  columns: { feature: 'You get', free: 'Free', premium: 'Premium' },
  rows: [
    { feature: 'Restock notifications', free: `Delayed (${HEAD_START} secs)`, premium: 'Instant' },
    { feature: 'Channels', free: 'Discord only', premium: 'Discord, SMS, Email' },
    { feature: 'AIO Bot', free: false, premium: true },
    { feature: 'Price history', free: 'Basic', premium: 'Advanced' },
    { feature: 'Support', free: 'Standard', premium: 'Priority' },
  ],
  note: 'SMS is planned: it is not sent yet.',
} as const;

/** Placeholder testimonials. */
export const MEMBERS = {
  title: 'What members say',
  testimonials: [
    {
      words: 'Thirty seconds sounds like nothing until you look at your place in the queue.',
      name: 'Hannah',
      place: 'Leeds',
    },
    {
      words: 'I paid retail on release day, for the first time since I started collecting again.',
      name: 'Dev',
      place: 'Bristol',
    },
    {
      words: 'When it does not know, it says so. I stopped checking four other channels.',
      name: 'Callum',
      place: 'Glasgow',
    },
  ],
  claim: 'Join over 10,000 premium members.',
} as const;
