import { PRODUCT_NAME, SHOP } from '#shared/brand';

/**
 * The texts of the privacy page and the terms. Operators replace them with their own, with their name, a contact and the
 * applicable law. They must stay true: change them together with the software.
 */

/** The date of the last change of these texts. */
const CHANGED = '2026-11-30';

/** Retention periods such as "30 days", from the code that deletes the data. */
export interface RetentionPeriods {
  /** For an account whose address was never confirmed. */
  unconfirmed: string;
  session: string;
  /** After the sign-in, however often the session is used. */
  sessionMax: string;
  code: string;
  codeRow: string;
  codeRequest: string;
  pendingSignIn: string;
  knownBrowser: string;
  mail: string;
  /** For the list of alerts that were sent to a member. */
  memberAlert: string;
  memberTest: string;
  /** For a device whose push service ended its subscription. */
  endedDevice: string;
  /** For the roles of a Discord account that is no longer linked. */
  unlinkedRole: string;
  /** For a task's proxy, after the task used its tokens. */
  proxy: string;
  quote: string;
  audit: string;
  page: string;
  check: string;
  paymentEvent: string;
  /** For a Stripe event that could not be applied. */
  unappliedEvent: string;
  /** For the record of which file a browser began to download. */
  downloadStart: string;
  /** For the archive of a member's data, unless it is downloaded before. */
  archive: string;
  /** For the record that an archive was requested. */
  archiveRequest: string;
  /** How long a deletion can be cancelled. */
  takeBack: string;
  consent: string;
  theme: string;
}

export interface LegalSection {
  title: string;
  /** A string is a paragraph, an array a list. */
  parts: readonly (string | readonly string[])[];
}

/** A page of legal texts. */
export interface LegalText {
  title: string;
  /** For search engines. */
  description: string;
  changed: string;
  intro: string;
  sections: readonly LegalSection[];
}

/** The privacy page. */
export function privacy(kept: RetentionPeriods): LegalText {
  return {
    title: 'Privacy',
    description: `What ${PRODUCT_NAME} stores about you, why, and for how long.`,
    changed: CHANGED,
    intro: `This page says what ${PRODUCT_NAME} stores about you, why, and for how long. You can read the site without an account.`,
    sections: [
      {
        title: 'Your account',
        parts: [
          `An account is created when you sign in with Discord or register with an email address. It is kept until you or the people who run this site delete it; if its address is never confirmed, it is deleted after ${kept.unconfirmed}. It holds:`,
          [
            'your email address and when you confirmed it;',
            'if you sign in with Discord: your Discord id, your name there and your profile picture;',
            'if you set a password: a scrypt hash of it, never the password;',
            'if you add passkeys: the public part of each, its name, and when it was added and last used, until you remove it; your fingerprint, face or PIN never leaves your device;',
            'your role, whether you have asked for beta access or have it, and your preferences, among them which alerts you want;',
            'the products that you follow, since when, and which alerts you want for each; the products that you suggested;',
            'if a mail server refused your address: when, and its error code, until an email arrives there again.',
          ],
        ],
      },
      {
        title: 'Signing in',
        parts: [
          `A session ends ${kept.session} after it was last used. However often it is used, it ends ${kept.sessionMax} after the sign-in. We store when it began and was last used, and your browser’s description of itself (the user agent); its token is stored only as a hash. Your account page lists your sessions, and you can end them there.`,
          `A sign-in code works for ${kept.code}. We store only a keyed hash of it, which is deleted after ${kept.codeRow}. A request for a code is remembered for ${kept.codeRequest}, with a keyed hash of the address, to limit how many emails an address gets.`,
          `Emails to you are listed with your address and deleted from that list after ${kept.mail}.`,
        ],
      },
      {
        title: 'Alerts to you',
        parts: [
          'With Pro, alerts are emailed to you and sent to the devices on which you allowed notifications, as you choose on your account page. Every alert email has a link that stops them without signing in.',
          `For each device with notifications we store the address that its browser’s push service gave it, the keys that encrypt its notifications, its user agent, and when it was added and last notified. It is deleted when you remove the device; when the push service ends it, it is listed for ${kept.endedDevice} more, so that you can switch it on again.`,
          `We keep a list of the alerts that were sent to you, with the time and the reason if one did not arrive, until ${kept.memberAlert} after the waiting room has closed. After that we keep only how many members each alert reached, and when each of your devices was last notified. Your tests are listed for ${kept.memberTest}. Emails and notifications contain no tracking.`,
        ],
      },
      {
        title: 'Roles on Discord',
        parts: [
          `If the people who run this site have set it up, their bot gives members with Pro or beta access a role on their Discord server, and removes it when that ends. Some waiting rooms and products may have a role as well, for Pro members who have chosen or follow them: people on that server may see from it what you follow. If you have signed in with Discord, we store with your Discord id which of these roles you have, whether you are on the server or banned there, and when that was last checked. It is deleted with your account, or at most ${kept.unlinkedRole} after the last change when your Discord account is no longer connected. The bot reads the list of the server’s members and their roles; it stores nothing about members without an account here.`,
          'If the sign-in asks for permission to add you to the server, Discord says so before you agree. We use the access that Discord gives us for this once and do not store it.',
        ],
      },
      {
        title: 'Payments and tokens',
        parts: [
          'If this site sells Pro or tokens, Stripe takes the payment. Your card details go from your browser straight to Stripe and never reach this site. We give Stripe your email address and the id of your account.',
          `We store what you bought, for how much and when, whether it was refunded or disputed, when your subscription renews or ended, your reason for cancelling if you gave one, and Stripe’s ids for these. Every change of your token balance is listed with its time and the id of the task that used the tokens. All of it is kept with your account. A proxy that was given to a task is stored encrypted until ${kept.proxy} after the task ended.`,
          `Notices of changes from Stripe are stored without amounts and deleted after ${kept.paymentEvent}, or after ${kept.unappliedEvent} if they could not be applied. The preview of a plan change is deleted after ${kept.quote}.`,
        ],
      },
      {
        title: 'Downloads',
        parts: [
          `When you first download a version of the desktop app, we store the version, the platform and the time, and keep them with your account. Each session stores which file it began to download, so that an interrupted download continues with the same file; this is removed after ${kept.downloadStart}.`,
        ],
      },
      {
        title: 'Cookies and your browser’s storage',
        parts: [
          'Necessary, and set only when they are needed:',
          [
            'the cookie that keeps you signed in; signing out removes it;',
            `cookies that link a sign-in to its code, to Discord’s answer or to your passkey’s, for at most ${kept.pendingSignIn};`,
            `a cookie that recognises your browser when you sign in again, for ${kept.knownBrowser}: we email you when an unknown browser signs in;`,
            'a marker that you have signed out, until the next page has cleared your browser’s storage;',
            `the theme that you chose, for ${kept.theme};`,
            `your cookie choice, for ${kept.consent};`,
            'only on the payment step, where Stripe’s script loads: Stripe’s cookies, to prevent fraud;',
            'your token, your id and your email address in your browser’s local storage, until you sign out; for admins, unsaved article texts, for a month, and the addresses of unfinished uploads.',
          ],
          'Analytics and marketing are off until you save a choice that allows them. This software includes none: if the people who run this site add some, they load only with your permission. ‘Cookie settings’ at the foot of every page changes your choice.',
        ],
      },
      {
        title: 'Logs and limits',
        parts: [
          'The request log holds the path, the status and the duration of each request, the network that it came from (the first three numbers of an IPv4 address, the first three groups of an IPv6 address) and, while you are signed in, the id of your account. It contains nothing that you typed. To prevent abuse, requests are counted for up to an hour under a hash of your network address or account.',
          `A record of sign-ins and of every change that an admin makes is kept for ${kept.audit}.`,
        ],
      },
      {
        title: 'What the monitor stores',
        parts: [
          `The monitor visits ${SHOP.name} as an ordinary visitor and stores nothing about you. The pages that it fetched are kept for ${kept.page}, the results of its checks for ${kept.check}, and alerts with the record of their delivery for as long as the site runs.`,
        ],
      },
      {
        title: 'Who else receives data',
        parts: [
          [
            'Discord, when you sign in with it, for the alerts that are posted there, and, if there are roles, that you have one;',
            'Stripe, when you pay;',
            'the mail server that delivers emails to you;',
            'the push service of your browser (of Google, Mozilla, Apple or Microsoft, for example), when a notification is sent to you. It is encrypted for your browser: the push service sees when it was sent, not what it says.',
          ],
          'Copies of the database that are made before an update contain the data of that time.',
        ],
      },
      {
        title: 'Your rights',
        parts: [
          `On your account page you can request everything that is stored about you as one zip file, in JSON and CSV. We email you a link, which works once, while you are signed in. We delete the archive after you have downloaded it, or after ${kept.archive} if you do not; your request is listed for ${kept.archiveRequest}.`,
          `You can also delete your account there. You are signed out at once, your alerts, subscription and roles on Discord end, and for ${kept.takeBack} you can cancel the deletion with a link that we email you. After that your address, name, password, Discord account, follows, suggestions, devices, downloads, emails and sessions are deleted. If a payment is open or disputed, this waits until it is settled.`,
          `Some records stay, under a number instead of your name: your purchases, subscriptions and token changes, which British tax law requires us to keep for at least six years and which are not deleted automatically after that, and the kinds of changes that were made to the account, for ${kept.audit}. Stripe keeps the invoices by its own rules. Earlier copies of the database contain your data until they are deleted.`,
          'To see, correct or delete what is stored about you without signing in, ask the people who run this site: reply to any email from it, or write to them in its Discord community.',
        ],
      },
    ],
  };
}

/** The terms of use. */
export const TERMS: LegalText = {
  title: 'Terms',
  description: `What you can expect of ${PRODUCT_NAME}, and what it expects of you.`,
  changed: CHANGED,
  intro: `What you can expect of ${PRODUCT_NAME}, and what it expects of you.`,
  sections: [
    {
      title: 'What this is',
      parts: [
        `${PRODUCT_NAME} checks the public pages of ${SHOP.name} and tells its members when a waiting room opens. It is in beta: parts of it may change, pause or end.`,
      ],
    },
    {
      title: 'No guarantee',
      parts: [
        'Alerts are sent as fast as we can. They can still be late, wrong or missing, and checks run only in the monitoring hours that the home page shows. An alert does not mean that a product is in stock or that you will get it.',
      ],
    },
    {
      title: 'Independent of the shop',
      parts: [
        `${PRODUCT_NAME} is independent of ${SHOP.name} and of every card game’s owner. What you buy, you buy from the shop and on its terms.`,
      ],
    },
    {
      title: 'Your account',
      parts: [
        'Sign in with your own Discord account or email address, and keep your password and your codes to yourself. Beta access is given by an admin and can be taken back.',
      ],
    },
    {
      title: 'Fair use',
      parts: [
        'Do not overload the site, get around its limits, use accounts that are not yours, or pass its alerts on as a service of your own. An account that does so can be closed.',
      ],
    },
    {
      title: 'Prices and payment',
      parts: [
        'Where this site sells Pro or tokens, you pay in pounds through Stripe, and you see before each payment what is charged now and what renews when. Prices of what you have not bought yet can change.',
        'Pro renews automatically at the end of each period, until you cancel. You can cancel at any time on your subscription page: Pro then continues until the end of the period that you have paid for, and nothing more is charged. If a renewal fails, Pro continues for three days, so that you can pay it; after that your account is free.',
        'When you switch plans, the unused value of the old one counts towards the new one. You see the exact sum before you confirm it.',
        'Tokens do not expire, even when Pro ends. A checkout attempt of the desktop app takes one token, or two with a managed proxy, whether or not you get the product.',
      ],
    },
    {
      title: 'Refunds',
      parts: [
        'If something went wrong with a purchase, answer its receipt. A refund of tokens takes them back: for a part of the price, the same part of the tokens, rounded up. While your bank disputes a payment, the tokens that it bought are taken back; if the payment stands, you get them again. Your rights as a consumer are unaffected.',
      ],
    },
    {
      title: 'Changes',
      parts: ['When these terms change, this page changes, with the date at its top.'],
    },
  ],
};
