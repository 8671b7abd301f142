import { z } from 'zod';
import { oauthFaultSchema } from '../discord/oauth';
import { channelSchema, webhookFaultSchema } from '../discord/webhook';
import { respondJson, createApp, redirect, type App, type RequestContext } from '../http/app';
import { mailFaultSchema } from '../mail/mail-fault';
import { scrappeyFaultSchema } from '../scrappey/scrappey-fault';
import { shopSettingSchema } from '../shop/shop-mode';
import type { StandIns } from '../stand-ins';
import {
  checkInput,
  clearCommand,
  faultsCommand,
  faultsSchema,
  getCommand,
  InvalidInput,
  readInput,
  type Command,
} from './command';
import { guildCommands } from './guild-commands';
import { productCommands } from './product-commands';
import { pushCommands } from './push-commands';
import { stripeCommands } from './stripe-commands';

const webhookFaults = faultsSchema(webhookFaultSchema);
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
export function createControl(standIns: StandIns): App {
  const { services, changes, shop, discord, oauth, guild, scrappey, mails, push, stripe } = standIns;
  const state = () => ({
    revision: changes.revision(),
    ...Object.fromEntries(services.map((service) => [service.name, service.state()])),
  });
  const audienceOf = ({ var: { url } }: RequestContext) => url.searchParams.get('audience') ?? undefined;

  const commands: Command[] = [
    getCommand('/control/revision', () => ({ revision: changes.revision() })),
    getCommand('/control/state', state),
    getCommand('/control/shop', () => ({ ...shop.state(), requests: shop.requests() })),
    {
      method: 'PUT',
      path: '/control/shop',
      run(value) {
        shop.set(checkInput(shopSettingSchema, value));
        return { value: shop.state() };
      },
    },
    ...productCommands(shop.products),
    getCommand('/control/messages', (context) => ({ messages: discord.messages(audienceOf(context)) })),
    clearCommand('/control/messages', 'messages', discord.clearMessages),
    getCommand('/control/requests', (context) => ({ requests: discord.requests(audienceOf(context)) })),
    {
      method: 'POST',
      path: '/control/webhooks',
      run(value) {
        const { audience } = checkInput(newWebhook, value);
        return { status: 201, value: discord.addWebhook(audience) };
      },
    },
    {
      method: 'PUT',
      path: '/control/webhooks/:id/faults',
      run(value, { req }) {
        const id = req.param('id') ?? '';
        const { faults } = checkInput(webhookFaults, value);
        if (!discord.findWebhook(id))
          return { status: 404, value: { message: `no webhook has the id or audience ${id}` } };
        discord.setFaults(id, faults);
        return { value: { faults } };
      },
    },
    {
      method: 'PUT',
      path: '/control/webhooks/:id/channel',
      run(value, { req }) {
        const id = req.param('id') ?? '';
        const channel = checkInput(channelSchema, value);
        if (!discord.findWebhook(id))
          return { status: 404, value: { message: `no webhook has the id or audience ${id}` } };
        discord.setChannel(id, channel);
        return { value: { channel } };
      },
    },
    faultsCommand('/control/scrappey/faults', scrappeyFaultSchema, scrappey),
    faultsCommand('/control/smtp/faults', mailFaultSchema, mails),
    faultsCommand('/control/oauth/faults', oauthFaultSchema, oauth),
    {
      method: 'PUT',
      path: '/control/oauth/personas',
      run: (value) => ({ value: oauth.putPersona(checkInput(personaSchema, value)) }),
    },
    ...guildCommands(guild),
    getCommand('/control/mails', () => ({ mails: mails.list() })),
    getCommand('/control/mails/receipts', () => ({ receipts: mails.receipts() })),
    clearCommand('/control/mails', 'mails', mails.clear),
    ...pushCommands(push),
    ...stripeCommands(stripe),
    {
      method: 'POST',
      path: '/control/reset',
      run() {
        standIns.reset();
        return { value: state() };
      },
    },
  ];

  const app = createApp();
  for (const path of new Set(commands.map((command) => command.path))) {
    const group = commands.filter((command) => command.path === path);
    app.on(methodsOf(group), path, (context) => runCommand(group, context));
  }
  return app;
}

/** The methods of a path: those of its commands, and POST for the panel's forms. */
function methodsOf(group: readonly Command[]): string[] {
  return [...new Set([...group.map(({ method }) => method), 'POST'])];
}

async function runCommand(group: readonly Command[], context: RequestContext): Promise<Response> {
  if (isCrossSiteWrite(context)) return respondJson(403, { message: 'cross-site requests are rejected' });
  try {
    const input = await readInput(context);
    const method = input.method === 'HEAD' ? 'GET' : input.method.toUpperCase();
    const command = group.find((candidate) => candidate.method === method);
    if (!command) return respondJson(405, { message: `${method} is not allowed here` });
    const { status = 200, value } = await command.run(input.value, context);
    if (input.fromForm && status < 400) return redirect(303, '/');
    return respondJson(status, value, { 'cache-control': 'no-store' });
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return respondJson(400, { message: error.message });
  }
}

/** CSRF protection: another site in the developer's browser must not change the sandbox. */
function isCrossSiteWrite({ req }: RequestContext): boolean {
  return req.method !== 'GET' && req.header('sec-fetch-site') === 'cross-site';
}
