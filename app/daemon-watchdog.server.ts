import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import { SECOND } from '#shared/clock';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import { createClockSteps } from '#shared/monitor/clock-steps';
import { createMailer } from '#shared/channels/email/mailer.server';
import { watchMonitor } from '#shared/monitor/watchdog';
import { createSlots } from '#shared/outbox/destination-limiter';
import { createSender, inLane } from '#shared/outbox/sender';
import type { ServerContext } from '~/http/server/context.server';

const CHECK_EVERY_MS = 15 * SECOND;
/** A webhook that hangs does not delay the mails. */
const NOTICES_AT_ONCE = 16;

/**
 * Checks the daemon's heartbeats from the web process, and notifies the admins when the daemon is dead. Several processes
 * may do this at once: the database ensures that each notice is written and sent once. The next check is scheduled when
 * the last one has ended.
 */
export function startDaemonWatchdog(context: ServerContext) {
  // Shared with the tests of webhooks, so that a pause of Discord's host holds for both.
  const { db, keyring, clock, config, log, outages, discordWebhooks: discord } = context;
  const mailer = createMailer(config.mail);
  const adminContacts = { emails: config.mail === null ? [] : config.adminEmails };
  const { handleStep: handleClockStep } = createClockSteps({ db, clock, logger: log });
  const logger = log.child({ watch: 'daemon' });
  const outbox = createDeliverySender({
    db,
    keyring,
    discord,
    mailer,
    clock,
    logger,
    appUrl: config.appUrl,
    webhookHosts: config.discord.webhookHosts,
    adminContacts,
    owner: newId(),
    handleClockStep,
    outcomes: createWriteRetrier({
      onWait: (error) => log.warn({ err: error }, 'the outcome of a delivery waits for the database'),
    }),
  });
  const sender = createSender({
    outbox,
    only: { audience: 'admin' },
    lanes: { notices: createSlots({ slots: NOTICES_AT_ONCE }) },
    place: inLane(() => 'notices'),
    batch: NOTICES_AT_ONCE,
    logger,
  });
  const startedAt = clock.uptime();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function check(): Promise<void> {
    await handleClockStep();
    const watchedForMs = clock.uptime() - startedAt;
    await watchMonitor(db, { adminContacts, now: clock.now(), watchedForMs });
    await sender.sendDue();
    await sender.idle();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = check()
        .catch((error: unknown) => outages.failed(error, 'the daemon watchdog failed'))
        .finally(schedule);
    }, CHECK_EVERY_MS);
    timer.unref();
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      // A notice that is being sent is repeated once by the daemon.
      const sent = sender.stop();
      mailer?.abort();
      await discord.close();
      await Promise.all([running, sent]);
      mailer?.close();
    },
  };
}
