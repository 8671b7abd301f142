import { createDiscord } from './discord/discord';
import { createGuild } from './discord/guild';
import { createDiscordOauth } from './discord/oauth';
import { createMailCatcher } from './mail/mail-catcher';
import { createPush } from './push/push';
import { createScrappey } from './scrappey/scrappey';
import { createChanges, type Service } from './service';
import { createShop } from './shop/shop';
import { createStripe } from './stripe/stripe';

/**
 * The stand-ins of all external services, not yet listening.
 * @param origin a function, because the port is known only once the server listens
 */
export function createStandIns(origin: () => string) {
  const changes = createChanges();
  const shop = createShop(changes, origin);
  const discord = createDiscord(changes, origin);
  /** Sign-in with Discord. */
  const oauth = createDiscordOauth(changes);
  /** The members and roles of Discord's server. */
  const guild = createGuild(changes, oauth.joining);
  const scrappey = createScrappey(changes);
  const mails = createMailCatcher(changes);
  const push = createPush(changes, origin);
  const stripe = createStripe(changes, origin);
  const services: Service[] = [shop, discord, guild, oauth, scrappey, mails, push, stripe].map(
    ({ service }) => service,
  );
  return {
    changes,
    shop,
    discord,
    oauth,
    guild,
    scrappey,
    mails,
    push,
    stripe,
    services,
    /** Restores the initial state: removes added webhooks, messages, mails, faults and the shop's settings. */
    reset(): void {
      for (const service of services) service.reset();
    },
  };
}

export type StandIns = ReturnType<typeof createStandIns>;
