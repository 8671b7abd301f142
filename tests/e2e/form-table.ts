/** One form of a page: what to type, what to press, and the sentence that says that it failed. */
export interface FormCase {
  /** The intent that its button sends. */
  intent: string;
  /** The table of sentences, if it is not the page's. */
  table?: string;
  /** The specified sentence. */
  says: string;
  /** What is typed, or chosen (true), by the selector of the field. */
  typed?: Readonly<Record<string, string | true>>;
  /** The part of the page that has the form, if several forms of the page send the intent. */
  within?: string;
  /** The sentence stays in place while the form is sent again. */
  stays?: true;
  /** The script of the page that takes the form, where that is another page. */
  script?: string;
  /** What is pressed before, to show the form. */
  first?: string;
}

/** A page with its forms. */
export interface FormPage {
  /** The table of sentences of its forms: the file of its route, or the name of a table that several routes share. */
  table: string;
  /** `{name}` stands for an id of the test's data. */
  path: string;
  forms: readonly FormCase[];
  /** Intents of forms on this page that are pressed on another one. */
  alsoHas?: readonly string[];
}

const NOT_SENT = 'This could not be sent. Please try again.';
const PROFILE = 'Failed to update profile';
const SIGN_OUT = 'Failed to sign out';
const SETTING = 'Failed to update setting. Please try again.';
const ADD_RETAILER = 'Failed to add retailer. Please try again.';
const TRACKING = 'Failed to save tracking sets. Please try again.';
const STATUS = 'Failed to update article status. Please try again.';
const SAVE = 'Failed to save article. Please try again.';
const ORDER = 'Failed to change the order. Please try again.';
const FEATURED = 'Failed to set featured image. Please try again.';
const MONITORING = 'Failed to update monitoring status';
const WEBHOOK = 'Failed to update webhook URL';
const DELIVERY = 'Failed to update the delivery. Please try again.';
const TEST_ALERT = 'Failed to send test alert';
const BETA = 'Failed to request beta access. Please try again.';
const PREVIEW = 'The change could not be previewed. Please try again.';

const CREDENTIALS = { '[name=email]': 'ash@example.org', '[name=password]': 'correct horse battery' };
const VERIFY: readonly FormCase[] = [
  { intent: 'verify', says: 'An error occurred', typed: { '[name=code]': '135790' }, stays: true },
  { intent: 'resend', says: 'Failed to resend verification code', typed: { '[name=code]': '135790' } },
];
const RELEASE = { '#version': '9.8.7', '#release-notes': 'Faster checkouts', '#is-beta': true } as const;
const WATCH = {
  '#shop': 'Another shop',
  '#title': 'Another watch',
  '#url': 'https://another.example/',
  '#interval': '45',
};

/** Every form of every page that is declared with `pageForms`; `form-table.test.ts` finds the ones that are missing here. */
export const FORM_PAGES: Readonly<
  Record<'visitor' | 'member' | 'follower' | 'pro' | 'admin', readonly FormPage[]>
> = {
  visitor: [
    {
      table: 'app/routes/account/login.tsx',
      path: '/login',
      forms: [
        { intent: 'passkeyStart', says: NOT_SENT },
        { intent: 'login', says: NOT_SENT, typed: CREDENTIALS, stays: true, first: 'main summary' },
      ],
    },
    { table: 'app/routes/account/login.tsx', path: '/login?step=verify', forms: VERIFY },
    {
      table: 'app/routes/account/login.tsx',
      path: '/?auth=verify',
      forms: VERIFY.map((form) => ({ ...form, script: 'login' })),
    },
    {
      table: 'app/routes/account/signup.tsx',
      path: '/signup',
      forms: [{ intent: 'register', says: NOT_SENT, typed: CREDENTIALS, stays: true, first: 'main summary' }],
    },
    {
      table: 'app/routes/account/unsubscribe.tsx',
      path: '/unsubscribe?token={unsubscribe}',
      forms: [{ intent: 'unsubscribe', says: 'Failed to unsubscribe' }],
    },
    {
      table: 'app/routes/account/end-session.tsx',
      path: '/end-session?token={endSession}',
      forms: [{ intent: 'end', says: 'Failed to sign the browser out' }],
    },
    {
      table: 'app/routes/account/keep.tsx',
      path: '/keep-account?token={keepAccount}',
      forms: [{ intent: 'keep', says: 'Failed to keep the account' }],
    },
  ],
  member: [
    { table: 'DASHBOARD_FAILED', path: '/dashboard', forms: [{ intent: 'request-beta', says: BETA }] },
    {
      table: 'app/routes/account/account.tsx',
      path: '/account',
      forms: [
        { intent: 'name', says: PROFILE, typed: { '#name-username': 'Ash K.' } },
        { intent: 'pause', says: PROFILE },
        { intent: 'quiet', says: PROFILE, typed: { '#quiet-timeZone': 'Europe/Paris' } },
        { intent: 'preferences', says: PROFILE, typed: { '#marketing': true, '#alerts-by-push': true } },
        { intent: 'removeDevice', says: 'Failed to remove the device' },
        { intent: 'test', says: 'Failed to send a test' },
        { intent: 'revoke', says: SIGN_OUT },
        { intent: 'revokeOthers', says: SIGN_OUT },
        { intent: 'unfollow', says: 'Failed to stop following' },
        {
          intent: 'suggest',
          says: 'Failed to suggest the product',
          typed: { '#suggested-url': 'https://shop.example/box' },
        },
        { intent: 'export', says: 'Failed to request your data' },
        { intent: 'checkRoles', says: 'Failed to check your roles' },
        { intent: 'passwordCode', says: 'Failed to send a code', typed: { '#password-code': '135790' } },
        {
          intent: 'password',
          says: 'Failed to change the password',
          typed: { '#password-code': '135790', '#password-newPassword': 'correct horse battery' },
        },
        { intent: 'passkeyCode', says: 'Failed to send a code', typed: { '#add-passkey-code': '135790' } },
        {
          intent: 'startPasskey',
          says: 'Failed to add a passkey',
          typed: { '#add-passkey-code': '135790' },
        },
        {
          intent: 'renamePasskey',
          says: 'Failed to rename the passkey',
          typed: { '#passkeys input[name=name]': 'Blue phone' },
          first: '#passkeys summary',
        },
        { intent: 'removePasskey', says: 'Failed to remove the passkey' },
      ],
    },
  ],
  follower: [
    {
      table: 'app/routes/account/delete.tsx',
      path: '/account/delete',
      forms: [
        { intent: 'code', says: 'Failed to send a code', typed: { '#delete-code': '135790' } },
        { intent: 'delete', says: 'Failed to delete the account', typed: { '#delete-code': '135790' } },
      ],
    },
    {
      table: 'app/routes/account/follow.tsx',
      path: '/restock/{product}/follow',
      forms: [
        { intent: 'follow', says: 'Failed to follow the product', typed: { '#maxPrice': '12.34' } },
        { intent: 'unfollow', says: 'Failed to stop following' },
      ],
    },
  ],
  pro: [
    {
      table: 'DASHBOARD_FAILED',
      path: '/dashboard?buy=tokens-50',
      forms: [
        { intent: 'start-tokens', says: 'Unknown error' },
        { intent: 'checkout-tokens', says: 'Unknown error' },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription?tab=tokens&buy=tokens-50',
      forms: [
        { intent: 'start-tokens', says: 'Unknown error' },
        { intent: 'checkout-tokens', says: 'Unknown error' },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription?pay=pro-monthly',
      forms: [
        { intent: 'start-subscription', says: 'Unknown error' },
        { intent: 'checkout-subscription', says: 'Unknown error' },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription',
      forms: [
        { intent: 'preview', says: PREVIEW },
        { intent: 'portal', says: 'Stripe’s page could not be opened. Please try again.' },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription?cancel=1',
      alsoHas: ['preview', 'portal'],
      forms: [
        {
          intent: 'cancel',
          says: 'Your subscription could not be cancelled. Please try again.',
          typed: { '#reason': 'Too many cards' },
        },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription?change=1',
      alsoHas: ['portal'],
      forms: [
        {
          intent: 'preview',
          within: 'dialog',
          says: PREVIEW,
          typed: { 'dialog [value=pro-yearly]': true },
        },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription?change=pro-yearly',
      alsoHas: ['preview', 'portal'],
      forms: [
        {
          intent: 'change',
          says: 'Your plan could not be changed. Please check your current plan, then try again.',
        },
      ],
    },
    {
      table: 'SUBSCRIPTION_FAILED',
      path: '/dashboard/subscription#canceling',
      alsoHas: ['portal'],
      forms: [
        {
          intent: 'reactivate',
          says: 'Your subscription could not be reactivated. Please try again.',
        },
      ],
    },
  ],
  admin: [
    {
      table: 'app/routes/admin/site-settings.tsx',
      path: '/dashboard/site-settings',
      forms: [
        { intent: 'news', says: SETTING },
        { intent: 'add-retailer', says: ADD_RETAILER, typed: { '#retailer': 'Card Corner' } },
        { intent: 'retailer-up', says: SETTING, typed: { '#retailer': 'Card Corner' } },
        { intent: 'retailer-down', says: SETTING },
        {
          intent: 'discord-invite',
          says: SETTING,
          typed: { '#discord-invite': 'https://discord.gg/packwatch' },
        },
        {
          intent: 'remove-retailer',
          says: 'Failed to remove retailer. Please try again.',
          typed: { '#retailer': 'Card Corner', '#discord-invite': 'https://discord.gg/packwatch' },
        },
        { intent: 'restore-retailer', says: ADD_RETAILER, first: '[aria-label="Remove Card Cave"]' },
      ],
    },
    {
      table: 'app/routes/admin/beta-access.tsx',
      path: '/dashboard/beta-access',
      forms: [{ intent: 'approve', says: 'Failed to approve user' }],
    },
    {
      table: 'app/routes/admin/beta-access.tsx',
      path: '/dashboard/beta-access?tab=approved&revoke={approved}',
      forms: [{ intent: 'revoke', says: 'Failed to revoke beta access' }],
    },
    {
      table: 'app/routes/admin/hero-slides.tsx',
      path: '/dashboard/hero-slides',
      forms: [
        {
          intent: 'slides',
          says: 'Failed to update configuration',
          typed: { '#trackingSetsEnabled': true },
        },
      ],
    },
    {
      table: 'TRACKING_FAILED',
      path: '/dashboard/hero-tracking',
      forms: [
        { intent: 'enable', says: TRACKING },
        { intent: 'switch', says: TRACKING },
        { intent: 'up', says: TRACKING },
        { intent: 'down', says: TRACKING },
        {
          intent: 'rename',
          says: TRACKING,
          first: 'main li summary',
          typed: { '#name-set-0': 'Another name' },
        },
        {
          intent: 'add',
          says: 'Failed to add tracking set. Please try again.',
          typed: { '#tracking-name': 'Shining Fates', '#tracking-image': 'card.png' },
        },
      ],
    },
    {
      table: 'TRACKING_FAILED',
      path: '/dashboard/hero-tracking?remove=set-0',
      alsoHas: ['enable', 'switch', 'up', 'down', 'rename', 'add'],
      forms: [{ intent: 'remove', says: TRACKING }],
    },
    {
      table: 'LIST_FAILED_FORMS',
      path: '/dashboard/articles',
      forms: [
        { intent: 'publish', says: STATUS },
        { intent: 'unpublish', says: STATUS },
        { intent: 'feature', says: STATUS },
        { intent: 'unfeature', says: STATUS },
        {
          table: 'app/routes/admin/articles/delete.tsx',
          script: 'delete',
          intent: 'delete',
          says: 'Failed to delete article. Please try again.',
          first: '[data-article="{article}"] a:has-text("Delete")',
        },
      ],
    },
    {
      table: 'app/routes/admin/articles/delete.tsx',
      path: '/dashboard/articles/{article}/delete',
      forms: [{ intent: 'delete', says: 'Failed to delete article. Please try again.' }],
    },
    {
      table: 'ARTICLE_FAILED',
      path: '/dashboard/articles/new',
      forms: [
        {
          intent: 'save',
          says: SAVE,
          typed: {
            '#article-title': 'A new set',
            '[contenteditable]': 'It is here.',
            '#article-excerpt': 'Here',
          },
        },
      ],
    },
    {
      table: 'ARTICLE_FAILED',
      path: '/dashboard/articles/{article}',
      forms: [
        {
          intent: 'save',
          says: SAVE,
          typed: { '#article-title': 'Another title', '#article-excerpt': 'Another excerpt' },
        },
        {
          intent: 'caption',
          says: 'Failed to save the caption. Please try again.',
          within: '[data-media="{media}"]',
          typed: { '[id="alt-{media}"]': 'A pack', '[id="caption-{media}"]': 'The new pack' },
        },
        { intent: 'move-up', says: ORDER, within: '[data-media="{media2}"]' },
        { intent: 'move-down', says: ORDER, typed: { '#article-title': 'Another title' } },
        { intent: 'feature-image', says: FEATURED },
        { intent: 'unfeature-image', says: FEATURED },
        {
          table: 'app/routes/admin/articles/delete-media.tsx',
          script: 'delete-media',
          intent: 'delete',
          says: 'Failed to delete media. Please try again.',
          first: '[data-media="{media}"] a:has-text("Delete")',
        },
      ],
    },
    {
      table: 'app/routes/admin/articles/delete-media.tsx',
      path: '/dashboard/articles/{article}/media/{media}/delete',
      forms: [{ intent: 'delete', says: 'Failed to delete media. Please try again.' }],
    },
    {
      table: 'WATCH_FAILED',
      path: '/dashboard/monitor',
      forms: [
        { intent: 'start', says: MONITORING },
        { intent: 'stop', says: MONITORING },
      ],
    },
    {
      table: 'WATCH_FAILED',
      path: '/dashboard/monitor/pokemon-center-uk',
      forms: [
        { intent: 'stop', says: MONITORING },
        { intent: 'check', says: 'Failed to trigger check' },
        { intent: 'test', says: TEST_ALERT, within: 'form:has([name=from][value=bar])' },
        { intent: 'test', says: TEST_ALERT, within: 'form:has([name=from][value=webhooks])' },
        {
          intent: 'set-webhook',
          says: WEBHOOK,
          within: 'section:has(#webhook-free)',
          typed: { '#webhook-free': 'https://discord.com/api/webhooks/1/a-secret' },
        },
        {
          intent: 'set-webhook',
          says: WEBHOOK,
          within: 'section:has(#webhook-instant)',
          first: 'section:has(#webhook-instant) summary',
          typed: { '#webhook-instant': 'https://discord.com/api/webhooks/2/a-secret' },
        },
        { intent: 'retry', says: DELIVERY },
        { intent: 'handle', says: DELIVERY },
        { intent: 'retry-members', says: DELIVERY },
        { intent: 'handle-members', says: DELIVERY },
        {
          intent: 'settings',
          says: 'Failed to save the settings. Please try again.',
          first: 'details:has(#interval) > summary',
          typed: { '#interval': '47', '#role-free': '123456789012345678', '#scrappey-limit': '12' },
        },
      ],
    },
    {
      table: 'WATCH_FAILED',
      path: '/dashboard/monitor/pokemon-center-uk?delete-webhook=instant',
      alsoHas: [
        ...['stop', 'check', 'test', 'set-webhook', 'retry', 'handle', 'retry-members', 'handle-members'],
        'settings',
      ],
      forms: [{ intent: 'delete-webhook', says: WEBHOOK }],
    },
    {
      table: 'WATCH_PAGE_FAILED',
      path: '/dashboard/monitor/new',
      forms: [
        {
          intent: 'add',
          says: 'Failed to add the watch. Please try again.',
          typed: { ...WATCH, '[name=webhookFree]': 'https://discord.com/api/webhooks/1/a-secret' },
        },
      ],
    },
    {
      table: 'WATCH_PAGE_FAILED',
      path: '/dashboard/monitor/second/edit',
      forms: [{ intent: 'edit', says: 'Failed to save the watch. Please try again.', typed: WATCH }],
    },
    {
      table: 'WATCH_PAGE_FAILED',
      path: '/dashboard/monitor/second/delete',
      forms: [{ intent: 'delete', says: 'Failed to delete the watch. Please try again.' }],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/products/new?preview={preview}',
      forms: [
        {
          intent: 'preview',
          says: 'Failed to look at the page. Please try again.',
          typed: { '#page-url': 'https://another.example/products/chest' },
        },
        {
          intent: 'add',
          says: 'Failed to add the product. Please try again.',
          typed: { '#product-title': 'Another chest', '#gtin': '96385074', '#interval': '300' },
        },
      ],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/products?tab=suggestions',
      forms: [{ intent: 'drop-suggestion', says: 'Failed to remove the suggestion. Please try again.' }],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/products/{product}',
      forms: [
        {
          intent: 'save-product',
          says: 'Failed to save the product. Please try again.',
          typed: { '#title': 'Another chest', '#gtin': '96385074', '#list-price': '54.99' },
        },
        { intent: 'retire-product', says: 'Failed to change the product. Please try again.' },
      ],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/products/{unwatched}',
      alsoHas: ['save-product', 'retire-product'],
      forms: [{ intent: 'delete-product', says: 'Failed to delete the product. Please try again.' }],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/retailers/{retailer}',
      forms: [
        {
          intent: 'save-shop',
          says: 'Failed to save the shop. Please try again.',
          typed: { '#shop-name': 'Another shop', '#supported': true },
        },
        {
          intent: 'set-webhook',
          table: 'WATCH_FAILED',
          says: WEBHOOK,
          within: 'section:has(#webhook-free)',
          typed: { '#webhook-free': 'https://discord.com/api/webhooks/1/a-secret' },
        },
      ],
    },
    {
      table: 'PRODUCT_FAILED',
      path: '/dashboard/monitor/cases',
      forms: [{ intent: 'delete-case', says: 'Failed to delete the case. Please try again.' }],
    },
    {
      table: 'JUDGE_FAILED',
      path: '/dashboard/monitor/pokemon-center-uk/checks/{check}',
      forms: [{ intent: 'judge', says: 'Failed to judge the page. Please try again.' }],
    },
    {
      table: 'JUDGE_FAILED',
      path: '/dashboard/monitor/{offer}/checks/{evidence}',
      alsoHas: ['judge'],
      forms: [
        {
          intent: 'wrong',
          says: 'Failed to keep the page. Please try again.',
          typed: { '#right-price': '54.99', '#wrong-note': 'The price is wrong' },
        },
      ],
    },
    {
      table: 'app/routes/admin/members/list.tsx',
      path: '/dashboard/members',
      forms: [
        {
          intent: 'find',
          says: 'Failed to find members',
          typed: { '#find-text': 'ash@example.org' },
        },
      ],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=signOut',
      forms: [{ intent: 'signOut', says: 'Failed to sign the account out' }],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=endSession&of={memberSession}',
      forms: [{ intent: 'endSession', says: 'Failed to end the session' }],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=grant',
      forms: [
        {
          intent: 'grant',
          says: 'Failed to grant tokens',
          typed: { '#grant-tokens': '50', '#grant-reason': 'For a lost alert' },
        },
      ],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=receipt&of={receipt}',
      forms: [{ intent: 'receipt', says: 'Failed to send the receipt' }],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=disable',
      forms: [{ intent: 'disable', says: 'Failed to disable the account' }],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}?ask=delete',
      forms: [{ intent: 'delete', says: 'Failed to delete the account' }],
      alsoHas: ['export'],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{approved}',
      forms: [{ intent: 'export', says: 'Failed to request the data' }],
    },
    {
      table: 'app/routes/admin/members/member.tsx',
      path: '/dashboard/members/{disabled}',
      forms: [{ intent: 'enable', says: 'Failed to enable the account' }],
    },
    {
      table: 'app/routes/admin/discord-roles.tsx',
      path: '/dashboard/discord-roles',
      forms: [
        {
          intent: 'settings',
          says: 'Failed to update setting. Please try again.',
          typed: { '#role-instant': '160000000000000009' },
        },
        { intent: 'compare', says: 'Failed to compare the roles' },
        { intent: 'apply', says: 'Failed to change the roles' },
      ],
    },
    {
      table: 'RELEASE_FAILED',
      path: '/dashboard/releases',
      forms: [
        { intent: 'create', says: 'The release could not be created. Please try again.', typed: RELEASE },
      ],
    },
    {
      table: 'RELEASE_FAILED',
      path: '/dashboard/releases/{release}',
      forms: [
        { intent: 'save', says: 'The release could not be saved. Please try again.', typed: RELEASE },
        { intent: 'preview', says: 'The preview could not be made. Please try again.', typed: RELEASE },
        {
          intent: 'withdraw',
          says: 'The release could not be withdrawn. Please try again.',
          typed: { '#release-notes': 'Faster checkouts' },
        },
        {
          intent: 'cancel-upload',
          says: 'The upload could not be cancelled. Please try again.',
          typed: { '#release-notes': 'Faster checkouts' },
        },
      ],
      // With scripts the file goes another way: see below.
      alsoHas: ['upload'],
    },
    {
      table: 'RELEASE_FAILED',
      path: '/dashboard/releases/{draft}',
      forms: [{ intent: 'publish', says: 'The release could not be published. Please try again.' }],
      alsoHas: ['save', 'preview', 'upload'],
    },
    {
      table: 'RELEASE_FAILED',
      path: '/dashboard/releases/{release}/delete',
      forms: [{ intent: 'delete', says: 'The release could not be deleted. Please try again.' }],
    },
  ],
};

/** Declared intents that no page with scripts sends as a form, each with the reason. */
export const SENT_OTHERWISE: Readonly<Record<string, string>> = {
  'ARTICLE_FAILED overwrite': 'shown after a conflict; the same form and sentence as save',
  'ARTICLE_FAILED upload': 'scripts send each file to the API',
  'RELEASE_FAILED upload': 'scripts upload with the tus protocol',
  'app/routes/account/login.tsx passkey': 'scripts send what the browser answers',
  'app/routes/account/account.tsx addPasskey': 'scripts send what the browser answers',
};
