import { createDiscordWebhooks } from '#shared/alerts/discord-webhook.server';
import { deliveryOutbox } from '#shared/alerts/deliveries';
import { createDeliverySender } from '#shared/alerts/send-delivery.server';
import { SECOND } from '#shared/clock';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { newId } from '#shared/ids';
import { machineClock } from '#shared/machine-clock.server';
import { createClockSteps } from '#shared/monitor/clock-steps';
import { createMailer } from '#shared/mail/mailer.server';
import { watchMonitor } from '#shared/monitor/watchdog';
import type { ServerContext } from './context.server';

const LOOK_EVERY_MS = 15 * SECOND;

export interface DaemonWatch {
  stop(): Promise<void>;
}

/**
 * The half of the dead-man's switch that a dead daemon cannot do: this process looks at the heartbeats and tells the
 * admins itself. Several processes may watch at once; the database lets each notice be written and sent only once.
 * The next look is planned when the last one has ended.
 */
export function startDaemonWatch({ db, keyring, clock, config, log }: ServerContext): DaemonWatch {
  const discord = createDiscordWebhooks({ appUrl: config.appUrl });
  const mailer = createMailer(config.mail);
  const adminContacts = { emails: config.mail === null ? [] : config.adminEmails };
  const { settle: settleClock } = createClockSteps({ db, clock: machineClock, logger: log });
  const sender = createDeliverySender({
    db,
    keyring,
    discord,
    mailer,
    clock,
    logger: log.child({ watch: 'daemon' }),
    appUrl: config.appUrl,
    webhookHosts: config.discord.webhookHosts,
    adminContacts,
    owner: newId(),
    settleClock,
    outcomes: createWriteRetrier({
      onWait: (error) => log.warn({ err: error }, 'the outcome of a delivery waits for the database'),
    }),
  });
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;

  async function look(): Promise<void> {
    await settleClock();
    await watchMonitor(db, { adminContacts, now: clock.now() });
    for (const id of await deliveryOutbox.listDue(db, { now: clock.now(), only: { audience: 'admin' } }))
      await sender.attempt(id);
  }

  function plan(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.error({ err: error }, 'could not look after the daemon'))
        .finally(plan);
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  plan();
  return {
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await looking;
      mailer?.close();
      await discord.close();
    },
  };
}
