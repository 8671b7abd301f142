import { PRODUCT_NAME, SHOP } from '#shared/brand';

/** The static texts of the landing page. */

export const META = {
  title: `${PRODUCT_NAME}: waiting-room and restock alerts for UK card collectors`,
  description: `${PRODUCT_NAME} watches ${SHOP.name} and tells your Discord the moment a waiting room opens. Pro members hear thirty seconds before anyone else.`,
} as const;

/** Shown while the news setting is on. */
export const NEWS = { name: 'News', href: '/news', title: 'Latest News', all: 'View All News' } as const;

export const NAV = { menu: 'Menu' } as const;

/** Shown in the navigation bar to signed-out users. */
export const ACCOUNT_LINKS = [
  { name: 'Log in', href: '/login' },
  { name: 'Sign up', href: '/signup' },
] as const;

/** Opens the sign-in dialog. */
export const JOIN = { name: 'Join Beta', href: '/?auth=login' } as const;

export const HERO = {
  promise: 'Be in line before the line exists.',
  /** By the monitor's state, so that it claims no checks that do not run. `hours`: "9am to 9pm UK time" or "all day". */
  lede: {
    checking: ({ every, hours }: { every: string; hours: string }) =>
      `${PRODUCT_NAME} checks the shop ${every}, ${hours}, and tells your Discord the moment a waiting room opens.`,
    outsideHours: ({ every, hours }: { every: string; hours: string }) =>
      `${PRODUCT_NAME} checks the shop ${every} in its monitoring hours, ${hours}, and tells your Discord the moment a waiting room opens.`,
    switchedOff: `${PRODUCT_NAME} checks the shop and tells your Discord the moment a waiting room opens. Monitoring is stopped right now.`,
    interrupted: `${PRODUCT_NAME} checks the shop and tells your Discord the moment a waiting room opens. The checks are interrupted right now.`,
    notKnown: `${PRODUCT_NAME} checks the shop and tells your Discord the moment a waiting room opens.`,
    pro: 'Pro members hear thirty seconds before anyone else.',
  },
  secondary: { name: 'See beta pricing', href: '#pricing' },
} as const;

export const HOW = {
  title: 'How an alert travels',
  intro:
    'One check decides it, one record keeps it, and each channel gets one message. No guesses in between.',
  steps: [
    {
      at: '0 seconds',
      name: 'We see it',
      text: 'A check of the shop finds its waiting room, by the technology behind it and not by a word on a page. What we saw is recorded before anything is sent.',
    },
    {
      at: 'At once',
      name: 'Pro hears',
      text: 'The instant channel gets its message. If Discord fails, we try again until it arrives or the alert expires.',
    },
    {
      at: '30 seconds later',
      name: 'Everyone hears',
      text: 'The free channel gets the same alert thirty seconds after that check, unless the waiting room has closed again by then.',
    },
    {
      at: 'When it closes',
      name: 'The message says so',
      text: 'Nothing new is posted. The message you already have is edited to say how long it lasted.',
    },
  ],
  promise:
    'When a check is inconclusive, we call it unknown. Unknown never starts an alert, and never ends one.',
} as const;

export const WHY = {
  title: 'Why Join Our Beta',
  reasons: [
    { name: 'Early Access', text: 'Use each part as soon as it works, before it is for everyone.' },
    {
      name: 'Direct Feedback Channel',
      text: 'Say what is missing to the people who build it, and see it change.',
    },
    { name: 'Beta Pricing', text: 'Half the regular price, kept for life.' },
    { name: 'Exclusive Community', text: 'A group of UK collectors who want cards at retail price.' },
  ],
} as const;

export interface Feature {
  name: string;
  text: string;
  kind: string;
  /** Shown as an empty pocket. */
  planned?: true;
}

export const FEATURES: { title: string; intro: string; items: readonly Feature[] } = {
  title: 'What goes in the binder',
  intro:
    'Six tools for a fair shot at retail price, in early access as each is ready. An empty pocket is one we are still making.',
  items: [
    {
      name: 'Visual Drag & Drop Builder',
      text: 'Lay a checkout out as blocks and see what each will do before it runs.',
      kind: 'Builder',
    },
    {
      name: 'AI Workflow Assistant',
      text: 'Describe the drop and get a draft you can read and change.',
      kind: 'Assistant',
    },
    {
      name: 'E-commerce Automation',
      text: 'Your own desktop does the clicking, at your pace, with your accounts.',
      kind: 'Desktop',
    },
    {
      name: 'Template Library',
      text: 'Ready-made checkouts from other collectors.',
      kind: 'Coming soon',
      planned: true,
    },
    {
      name: 'Built-in Safety Features',
      text: 'Spending caps, dry runs, and a stop that stops.',
      kind: 'Safety',
    },
    {
      name: 'Advanced Configuration',
      text: 'Proxies, timing and retries, for those who want the dials.',
      kind: 'Control',
    },
  ],
};

export const ROADMAP = {
  title: 'Roadmap',
  intro: 'What comes when, as planned today.',
  stages: [
    { quarter: 'Q3 2025', status: 'Current', text: 'Waiting-room alerts in Discord and the closed beta.' },
    {
      quarter: 'Q4 2025',
      status: 'Upcoming',
      text: 'The desktop app for beta members, then the template library.',
    },
    { quarter: 'Q1 2026', status: 'Planned', text: 'More UK retailers, and alerts by SMS.' },
  ],
} as const;

export const PRICING = {
  title: 'Beta pricing',
  intro: 'Requesting access is free. Pro launches at the price below.',
  plans: [
    {
      name: 'Beta Access',
      badge: 'Coming soon',
      price: 'Free',
      per: '',
      pitch: 'Alerts in Discord, thirty seconds after Pro.',
      points: ['AI assistant, 10 uses a month', 'Basic checkout', 'Community support'],
      pro: false,
    },
    {
      name: 'Early Adopter',
      badge: 'Pro',
      price: '£9.99',
      per: 'a month',
      pitch: 'Regular price £19.99 a month. 50% off for life.',
      points: [
        'Instant alerts',
        'Unlimited AI assistant',
        'Priority checkout',
        'Priority support',
        'Advanced features',
      ],
      pro: true,
    },
  ],
} as const;

export const RETAILERS = {
  title: 'Supported Retailers',
  intro: 'The shops that the beta is built around.',
} as const;

export const FINAL_CALL = { title: 'The next waiting room opens without warning.' } as const;

export interface AccessCall {
  /** The label of the button. */
  name: string;
  href: string;
  /** Shown in the last section, next to the button. */
  text: string;
}

const REQUEST_BETA = {
  name: 'Request Beta Access',
  text: 'Ask for a place in the beta. It is free, and you will be there before the next one.',
} as const;

/** The call to action, by role and beta access. */
export const ACCESS_CALLS = {
  visitor: { ...REQUEST_BETA, href: '/?auth=login' },
  none: { ...REQUEST_BETA, href: '/dashboard' },
  requested: {
    name: 'See Your Request',
    href: '/dashboard',
    text: 'You have asked for a place in the beta. An admin reviews every request.',
  },
  approved: {
    name: 'Go to Your Dashboard',
    href: '/dashboard',
    text: 'You are in the beta. Your dashboard shows where your alerts arrive.',
  },
  admin: {
    name: 'Open the Admin Dashboard',
    href: '/dashboard',
    text: 'The monitor, the news and the members are yours to run.',
  },
} as const satisfies Record<string, AccessCall>;

export const BACK_IN_STOCK = { title: 'Back in stock', all: 'View all products' } as const;
