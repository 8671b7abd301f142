import type { DeliverySenderContext } from '#shared/alerts/deliveries/send-delivery.server';
import type { DiscordAnswer } from '#shared/channels/discord/discord-answer';
import { parseWebhookAddress } from '#shared/channels/discord/webhook-address';
import type { MailAnswer } from '#shared/channels/email/mailer.server';
import { findWebhook } from '#shared/alerts/webhooks/webhooks';
import { MINUTE, toIso } from '#shared/clock';
import { isStorageFault } from '#shared/database/database-errors';
import { PRODUCT_NAME } from '#shared/brand';
import type { NoticeClaims } from '#shared/queues/notice-claims';

const REPEAT_AFTER_MS = 30 * MINUTE;
/** After a warning that reached no admin. */
const RETRY_AFTER_MS = MINUTE;
/** Shorter, so that this process's own claim has ended when it repeats a notice. */
const CLAIM_LIFETIME_MS = REPEAT_AFTER_MS - MINUTE;
/** Longer than the pause before a failed check is repeated, so a lasting fault is reported again before it expires. */
const FAULT_LIFETIME_MS = 3 * MINUTE;

/** A fault of this length is reported: a restart of S3 or a short loss of the network is not. */
const FILE_FAULT_NOTIFIED_AFTER_MS = 2 * MINUTE;

export interface StorageAlarm {
  /** Caches the admins' webhook while the database is readable. */
  cacheWebhook(): Promise<void>;
  /** Notifies the admins directly if the error means that the database accepts no writes. */
  consider(error: unknown): Promise<void>;
  /** Notifies the admins directly once files could not be stored for two minutes. `fault`: why, or null. */
  considerFiles(fault: string | null): Promise<void>;
  /** Called when a check is stored: an earlier fault is over. */
  clear(): void;
  /** The error with which storing the last check failed; null when it was stored or when the failure is too old. */
  fault(): unknown;
}

/**
 * The warnings that need no database. When the disk is full or read-only, no alert can be stored, so none may be
 * sent, and the admins must act. Repeats at most every half hour. Of several daemons that find the fault one sends the
 * notice (`claims`).
 */
export function createStorageAlarm(
  { db, keyring, discord, mailer, clock, logger, appUrl, webhookHosts, adminContacts }: DeliverySenderContext,
  claims: NoticeClaims,
): StorageAlarm {
  let webhook: string | null = null;
  /** When each fault is told again, on the clock of `performance`. */
  const nextAt = { database: 0, files: 0 };
  let filesFailSince: number | null = null;
  let last: { error: unknown; at: number } | null = null;

  async function cacheWebhook(): Promise<void> {
    const row = await db
      .selectFrom('webhooks')
      .select('watch_id')
      .where('audience', '=', 'admin')
      .where('watch_id', 'in', (from) =>
        from.selectFrom('watches').select('id').where('deleted_at', 'is', null),
      )
      .orderBy('watch_id')
      .executeTakeFirst();
    const stored = row && (await findWebhook({ db, keyring }, { watchId: row.watch_id, audience: 'admin' }));
    webhook = stored?.url ?? null;
  }

  /**
   * Needs no database. Falls back to mail if there is no webhook or it does not accept the message. Throws when no admin was
   * reached: the mailer and Discord's client answer, and never throw.
   */
  async function notify(title: string, body: string): Promise<void> {
    // A database that cannot be written can often be read: the webhook may have been set since the start.
    await cacheWebhook().catch(() => undefined);
    const address = webhook === null ? null : parseWebhookAddress(webhook, webhookHosts);
    const answers: (DiscordAnswer | MailAnswer)[] = [];
    if (address !== null)
      answers.push(
        await discord.post(address, {
          username: PRODUCT_NAME,
          content: '',
          allowed_mentions: { parse: [] },
          embeds: [{ title, url: appUrl, description: body, color: 0xb7791f, timestamp: toIso(clock.now()) }],
        }),
      );
    if (mailer !== null && answers[0]?.kind !== 'ok')
      for (const to of adminContacts.emails)
        answers.push(await mailer.send({ to, subject: title, text: `${body}\n\n${appUrl}\n` }));
    const isLost = answers.every(
      (answer) => answer.kind !== 'ok' && !('uncertain' in answer && answer.uncertain),
    );
    if (answers.length > 0 && isLost)
      throw new Error(answers.map((answer) => ('reason' in answer ? answer.reason : '')).join('; '));
  }

  async function notifyOnce(fault: 'database' | 'files', title: string, body: string): Promise<void> {
    const name = `${fault}-fault`;
    const now = performance.now();
    nextAt[fault] = now + REPEAT_AFTER_MS;
    if (!(await claims.claim(name, CLAIM_LIFETIME_MS))) return;
    try {
      await notify(title, body);
    } catch (error) {
      nextAt[fault] = now + RETRY_AFTER_MS;
      await claims.release(name);
      throw error;
    }
  }

  return {
    clear() {
      last = null;
    },
    fault: () => (last !== null && performance.now() - last.at < FAULT_LIFETIME_MS ? last.error : null),
    cacheWebhook,
    async consider(error) {
      if (!isStorageFault(error)) return;
      last = { error, at: performance.now() };
      if (last.at < nextAt.database) return;
      const title = 'The database cannot be written';
      logger.fatal({ err: error }, title);
      await notifyOnce(
        'database',
        title,
        'A check could not be stored (the disk may be full or read-only). No alert is sent until the disk is writable again. Checks resume then.',
      );
    },
    async considerFiles(fault) {
      const now = performance.now();
      if (fault === null) {
        if (filesFailSince !== null) logger.info('files can be stored again');
        filesFailSince = null;
        return;
      }
      if (filesFailSince === null) logger.warn({ reason: fault }, 'files cannot be stored');
      filesFailSince ??= now;
      if (now - filesFailSince < FILE_FAULT_NOTIFIED_AFTER_MS) return;
      if (now < nextAt.files) return;
      await notifyOnce(
        'files',
        'Files cannot be stored',
        `${fault} Images, uploads and downloads of releases may fail until it works again. Alerts are still sent.`,
      );
    },
  };
}
