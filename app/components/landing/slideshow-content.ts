import { SHOP } from '#shared/brand';

/** The slideshow. `kind` is also the slide's name for screen readers. */
export const SLIDES = {
  label: 'A look inside',
  strip: 'Slides',
  controls: { play: 'Play', pause: 'Pause', previous: 'Previous slide', next: 'Next slide' },
  news: { kind: 'Latest story', link: 'Read the story' },
  community: {
    kind: 'Community alerts',
    title: 'One message, where you already talk',
    text: 'The alert lands in Discord with a link and the time. When the waiting room closes, the same message says how long it lasted; nothing new is posted.',
    /** The text of the real message, with example times. */
    alert: {
      label: 'An alert as Discord shows it, as an example',
      title: `${SHOP.name}: the waiting room is open`,
      description: 'Open the shop now and keep the page open: you are let in when it is your turn.',
      fields: [
        { name: 'Opened', value: '12:31:04 (a minute ago)' },
        { name: 'Shop', value: SHOP.name },
        { name: 'Head start', value: '30 seconds before everyone else' },
        { name: 'Status', value: 'All shops, and the best hours to be awake' },
      ],
      app: 'App',
      at: 'Today at 12:31',
      note: 'Example',
    },
  },
  checkout: {
    kind: 'Checkout',
    title: 'A checkout you can read',
    text: 'Lay it out as blocks, see what each will do before it runs, and set the price at which it stops. It runs on your own desktop, in early access.',
    label: 'The blocks of a checkout, as an example',
    blocks: [
      { kind: 'Start', text: 'When the alert comes in' },
      { kind: 'Wait', text: 'Hold my place in the queue' },
      { kind: 'Basket', text: 'Add 1 × Elite Trainer Box' },
      { kind: 'Rule', text: 'Stop if it costs more than £54.99' },
      { kind: 'Pay', text: 'Ask me, then check out' },
    ],
  },
  tracking: {
    kind: 'On our watch list',
    text: 'We keep an eye on this set. Members hear the moment a waiting room opens.',
  },
} as const;
