import { PRODUCT_NAME, SHOP } from '#shared/brand';

/**
 * The texts of the privacy page and the terms. Operators replace them with their own, with their name, a contact and the
 * applicable law. They must stay true: change them together with the software.
 */

/** The date of the last change of these texts. */
const CHANGED = '2026-11-28';

/** Retention periods such as "30 days", from the code that deletes the data. */
export interface RetentionPeriods {
  /** Of an account whose address was never confirmed. */
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
  /** Of the list of alerts that were sent to a member. */
  memberAlert: string;
  memberTest: string;
  /** Of a device whose push service ended its subscription. */
  endedDevice: string;
  /** Of what is known of the roles of a Discord account that is no longer linked. */
  unlinkedRole: string;
  /** Of a task's proxy, after the task took its tokens. */
  proxy: string;
  quote: string;
  audit: string;
  page: string;
  check: string;
  paymentEvent: string;
  /** Of an event of Stripe that could not be applied. */
  unappliedEvent: string;
  /** Of the note of which file a computer began to download. */
  downloadStart: string;
  /** Of the archive of a member's data, unless it is downloaded before. */
  archive: string;
  /** Of the note that an archive was requested. */
  archiveRequest: string;
  /** How long a deletion can be taken back. */
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
          `An account is made when you sign in with Discord or register with an email address. It is kept until you delete it, or the people who run this site do; if its address is never confirmed, it is deleted after ${kept.unconfirmed}. It holds:`,
          [
            'your email address and when you confirmed it;',
            'if you sign in with Discord: your Discord id, your name there and your profile picture;',
            'if you set a password: a scrypt hash of it, never the password;',
            'if you add passkeys: the public part of each, its name, and when it was added and last used, until you remove it; your fingerprint, face or PIN never leaves your device;',
            'your role, whether you have asked for beta access or have it, and your preferences, among them which alerts you want;',
            'the products that you follow, with what you want to be told of each and since when; suggestions of products that you sent;',
            'if a mail server refused your address: when, and the number of its refusal, until a mail arrives there again.',
          ],
        ],
      },
      {
        title: 'Signing in',
        parts: [
          `A session ends ${kept.session} after it was last used. However often it is used, it ends ${kept.sessionMax} after the sign-in. It is stored with the times of its beginning and last use and with your browser’s description of itself (the user agent); its token is stored only as a hash. Your account page lists your sessions and ends them.`,
          `A sign-in code works for ${kept.code}. Only a keyed hash of it is stored, which is deleted after ${kept.codeRow}. That a code was requested for an address is remembered for ${kept.codeRequest}, as a keyed hash of the address, so that the address cannot be flooded with mail.`,
          `Mails to you are listed with your address and deleted from that list after ${kept.mail}.`,
        ],
      },
      {
        title: 'Alerts to you',
        parts: [
          'With Pro, alerts are mailed to your address and sent to the devices on which you allowed notifications, as you choose on your account page. Every alert mail has a link that ends them without a sign-in.',
          `For each device with notifications we store the address that its browser’s push service gave it, the keys that encrypt what is sent there, its user agent, and when it was added and last notified. It is deleted when you remove the device; when the push service ends it, it is listed for ${kept.endedDevice} more, so that you can switch it on again.`,
          `Which alerts were sent to you, when, and why one did not arrive, is listed until ${kept.memberAlert} after the waiting room has closed; then only how many members an alert reached is kept, and when each of your devices was last notified. Your tests are listed for ${kept.memberTest}. The mails and notifications hold no tracking.`,
        ],
      },
      {
        title: 'Roles on Discord',
        parts: [
          `Where the people who run this site have set it up, a bot of theirs gives members with Pro or beta access a role on their Discord server, and takes it back when that ends. Some waiting rooms and products may have a role as well, for members with Pro who have chosen or follow them: who is on that server may see from it what you follow. If you have signed in with Discord, we store with your Discord id which of these roles you have, whether you are on the server or banned there, and when that was last checked. It is deleted with your account, or at most ${kept.unlinkedRole} after the last change when your Discord account is no longer connected. The bot reads the list of the server’s members and their roles; of members without an account here it stores nothing.`,
          'If the sign-in asks for the permission to add you to the server, Discord names it before you agree. What Discord gives us for that is used once and not stored.',
        ],
      },
      {
        title: 'Payments and tokens',
        parts: [
          'Where this site sells Pro or tokens, Stripe takes the payment. Your card’s details go from your browser straight to Stripe and never reach this site. Stripe gets your email address and the id of your account from us.',
          `We store what you bought, for how much and when, whether it was refunded or disputed, when your subscription renews or ended, the reason if you gave one for canceling, and Stripe’s ids of all that. Every change of your token balance is listed with its time and the id of the task that used the tokens. All of it is kept with your account. A proxy that was given to a task is stored encrypted, until ${kept.proxy} after the task ended.`,
          `That Stripe told us of a change is listed, without amounts, and deleted from that list after ${kept.paymentEvent}, or after ${kept.unappliedEvent} if it could not be applied. The preview of a plan change is deleted after ${kept.quote}.`,
        ],
      },
      {
        title: 'Downloads',
        parts: [
          `That you downloaded a version of the desktop app, for which platform and when, is stored once per version and kept with your account. Which file a computer of yours began to download is stored with its session, so that a broken download continues with the same file; what is older than ${kept.downloadStart} is removed.`,
        ],
      },
      {
        title: 'Cookies and your browser’s storage',
        parts: [
          'Necessary, and set only when they are needed:',
          [
            'the cookie that keeps you signed in; signing out removes it;',
            `cookies that link a sign-in to its code, to Discord’s answer or to your passkey’s, for at most ${kept.pendingSignIn};`,
            `a cookie by which your browser is known when you sign in again, for ${kept.knownBrowser}: we mail you when a browser signs in that is not;`,
            'a mark that you have signed out, until the next page has cleared your browser’s storage;',
            `the theme that you chose, for ${kept.theme};`,
            `your cookie choice, for ${kept.consent};`,
            'on the payment step alone, where Stripe’s script loads: cookies of Stripe, to prevent fraud;',
            'your token, your id and your email address in your browser’s local storage, until you sign out; for admins, the texts of articles that they have not saved, for a month, and the addresses of uploads that have not ended.',
          ],
          'Analytics and marketing are off until you save a choice that allows them. This software comes without any: if the people who run this site add some, they load only with your permission. ‘Cookie settings’ at the foot of every page changes your choice.',
        ],
      },
      {
        title: 'Logs and limits',
        parts: [
          'The request log holds the path, the status and the duration of each request, the network that it came from (the first three numbers of an IPv4 address, the first three groups of an IPv6 address) and, while you are signed in, the id of your account. It holds nothing that you typed. To stop abuse, uses are counted for up to an hour under a hash of your network address or account.',
          `A record of sign-ins and of every change that an admin makes is kept for ${kept.audit}.`,
        ],
      },
      {
        title: 'What the monitor stores',
        parts: [
          `The monitor visits ${SHOP.name} as an ordinary visitor and stores nothing about you. The pages that it saw are kept for ${kept.page}, the results of its checks for ${kept.check}, and alerts with the record of their delivery for as long as the site runs.`,
        ],
      },
      {
        title: 'Who else receives data',
        parts: [
          [
            'Discord, when you sign in with it, for the alerts that are posted there, and, if there are roles, that you have one;',
            'Stripe, when you pay;',
            'the mail server that delivers mails to you;',
            'the push service of your browser (of Google, Mozilla, Apple or Microsoft, for example), when a notification is sent to you. It is encrypted for your browser: the push service sees when it was sent, not what it says.',
          ],
          'Copies of the database that are made before an update hold what it held then.',
        ],
      },
      {
        title: 'Your rights',
        parts: [
          `Your account page gives you all that is stored about you as one zip, in JSON and CSV. It is made on our side, and a mail brings the link, which works once, while you are signed in. We delete the archive when you have it, and after ${kept.archive} if you do not fetch it; that you asked for it is listed for ${kept.archiveRequest}.`,
          `Your account page also deletes your account. You are signed out at once, alerts and a subscription end, and for ${kept.takeBack} the link of a mail takes it back. Roles on Discord end at once, too. Then your address, name, password, Discord account, follows, suggestions, devices, downloads, mails and sessions are deleted. While a payment is open or disputed, that waits until it is settled.`,
          `What stays, under a number instead of your name: your purchases, subscriptions and the changes of your tokens, which British tax law makes us keep for at least six years and which nothing deletes automatically after that, and which kinds of changes were made to the account, for ${kept.audit}. Stripe keeps the invoices by its own rules. Copies of the database from before hold what they held then, until they are deleted.`,
          'To see, correct or delete what is stored about you without signing in, ask the people who run this site: answer any mail that it sent you, or write to them in its Discord community.',
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
        `${PRODUCT_NAME} checks the public pages of ${SHOP.name} and tells its members when a waiting room opens. It is in beta: parts of it change, pause or end.`,
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
        'Tokens do not expire, also when Pro ends. A checkout attempt of the desktop app takes one token, or two with a managed proxy, whether or not you get the product.',
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
