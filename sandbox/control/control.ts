import { z } from 'zod';
import type { Discord } from '../discord/discord';
import { oauthFaultSchema, type DiscordOauth } from '../discord/oauth';
import { webhookFaultSchema } from '../discord/webhook';
import { answerJson, createApp, redirect, type App, type Exchange } from '../http/app';
import type { MailCatcher } from '../mail/mail-catcher';
import { mailFaultSchema } from '../mail/mail-fault';
import type { Scrappey } from '../scrappey/scrappey';
import { scrappeyFaultSchema } from '../scrappey/scrappey-fault';
import type { Push } from '../push/push';
import type { Changes, Service } from '../service';
import type { Shop } from '../shop/shop';
import { shopOrderSchema } from '../shop/shop-mode';
import type { StripeSandbox } from '../stripe/stripe';
import type { Command } from './command';
import { pushCommands } from './push-commands';
import { checkOrder, readOrder, UnreadableOrder } from './read-order';
import { stripeCommands } from './stripe-commands';

export interface Controlled {
  services: readonly Service[];
  changes: Changes;
  shop: Shop;
  discord: Discord;
  oauth: DiscordOauth;
  scrappey: Scrappey;
  mails: MailCatcher;
  push: Push;
  stripe: StripeSandbox;
}

const faultsOf = <T extends z.ZodType>(fault: T) => z.strictObject({ faults: z.array(fault).max(1_000) });
const webhookFaults = faultsOf(webhookFaultSchema);
const scrappeyFaults = faultsOf(scrappeyFaultSchema);
const mailFaults = faultsOf(mailFaultSchema);
const oauthFaults = faultsOf(oauthFaultSchema);
const personaSchema = z.strictObject({
  key: z.string().regex(/^[a-z0-9-]{1,40}$/),
  label: z.string().min(1).max(80),
  id: z.string().regex(/^\d{17,20}$/),
  username: z.string().min(2).max(32),
  globalName: z.string().max(32).nullable().default(null),
  avatar: z.string().max(64).nullable().optional(),
  email: z.string().nullable(),
  verified: z.boolean(),
});
const newWebhook = z.strictObject({ audience: z.string().min(1).max(80).optional() });

/**
 * The JSON API under `/control`. The panel's forms post to the same paths, with the same validation. Invalid input gets a
 * 400 with the reason in `message`.
 */
export function createControl(controlled: Controlled): App {
  const { services, changes, shop, discord, oauth, scrappey, mails, push, stripe } = controlled;
  const state = () => ({
    revision: changes.revision(),
    ...Object.fromEntries(services.map((service) => [service.name, service.state()])),
  });
  const audienceOf = ({ var: { url } }: Exchange) => url.searchParams.get('audience') ?? undefined;

  const commands: Command[] = [
    { method: 'GET', pattern: '/control/revision', run: () => ({ value: { revision: changes.revision() } }) },
    { method: 'GET', pattern: '/control/state', run: () => ({ value: state() }) },
    {
      method: 'GET',
      pattern: '/control/shop',
      run: () => ({ value: { ...shop.state(), requests: shop.requests() } }),
    },
    {
      method: 'PUT',
      pattern: '/control/shop',
      run(value) {
        shop.set(checkOrder(shopOrderSchema, value));
        return { value: shop.state() };
      },
    },
    {
      method: 'GET',
      pattern: '/control/messages',
      run: (_value, exchange) => ({ value: { messages: discord.messages(audienceOf(exchange)) } }),
    },
    {
      method: 'DELETE',
      pattern: '/control/messages',
      run() {
        discord.clearMessages();
        return { value: { messages: [] } };
      },
    },
    {
      method: 'GET',
      pattern: '/control/requests',
      run: (_value, exchange) => ({ value: { requests: discord.requests(audienceOf(exchange)) } }),
    },
    {
      method: 'POST',
      pattern: '/control/webhooks',
      run(value) {
        const { audience } = checkOrder(newWebhook, value);
        return { status: 201, value: discord.addWebhook(audience) };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/webhooks/:id/faults',
      run(value, { req }) {
        const id = req.param('id') ?? '';
        const { faults } = checkOrder(webhookFaults, value);
        return discord.setFaults(id, faults)
          ? { value: { faults } }
          : { status: 404, value: { message: `no webhook has the id or audience ${id}` } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/scrappey/faults',
      run(value) {
        scrappey.setFaults(checkOrder(scrappeyFaults, value).faults);
        return { value: { faults: scrappey.faults() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/smtp/faults',
      run(value) {
        mails.setFaults(checkOrder(mailFaults, value).faults);
        return { value: { faults: mails.faults() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/oauth/faults',
      run(value) {
        oauth.setFaults(checkOrder(oauthFaults, value).faults);
        return { value: { faults: oauth.faults() } };
      },
    },
    {
      method: 'PUT',
      pattern: '/control/oauth/personas',
      run: (value) => ({ value: oauth.putPersona(checkOrder(personaSchema, value)) }),
    },
    { method: 'GET', pattern: '/control/mails', run: () => ({ value: { mails: mails.list() } }) },
    {
      method: 'GET',
      pattern: '/control/mails/receipts',
      run: () => ({ value: { receipts: mails.receipts() } }),
    },
    {
      method: 'DELETE',
      pattern: '/control/mails',
      run() {
        mails.clear();
        return { value: { mails: [] } };
      },
    },
    ...pushCommands(push),
    ...stripeCommands(stripe),
    {
      method: 'POST',
      pattern: '/control/reset',
      run() {
        for (const service of services) service.reset();
        return { value: state() };
      },
    },
  ];

  const patterns = new Map<string, Command[]>();
  for (const command of commands)
    patterns.set(command.pattern, [...(patterns.get(command.pattern) ?? []), command]);
  const app = createApp();
  for (const [pattern, group] of patterns)
    app.on(methodsFor(group), pattern, (exchange) => carryOut(group, exchange));
  return app;
}

/** The methods of a path: those of its commands, and POST for the panel's forms. */
function methodsFor(group: readonly Command[]): string[] {
  return [...new Set([...group.map((command) => command.method), 'POST'])];
}

async function carryOut(group: readonly Command[], exchange: Exchange): Promise<Response> {
  if (isCrossSiteWrite(exchange)) return answerJson(403, { message: 'cross-site requests are rejected' });
  try {
    const order = await readOrder(exchange);
    const method = order.method === 'HEAD' ? 'GET' : order.method.toUpperCase();
    const command = group.find((candidate) => candidate.method === method);
    if (!command) return answerJson(405, { message: `${method} is not allowed here` });
    const { status = 200, value } = command.run(order.value, exchange);
    if (order.fromForm && status < 400) return redirect(303, '/');
    return answerJson(status, value, { 'cache-control': 'no-store' });
  } catch (error) {
    if (!(error instanceof UnreadableOrder)) throw error;
    return answerJson(400, { message: error.message });
  }
}

/** CSRF protection: another site in the developer's browser must not change the sandbox. */
function isCrossSiteWrite({ req }: Exchange): boolean {
  return req.method !== 'GET' && req.header('sec-fetch-site') === 'cross-site';
}
