import { z } from 'zod';
import { webhookOperations } from '#shared/alerts/webhooks/webhook-operations';
import { AUDIENCES, listWebhooks, WEBHOOK_SETTING } from '#shared/alerts/webhooks/webhooks';
import { DomainError } from '#shared/errors';
import {
  findLatestDebug,
  HISTORY_PAGE,
  listChecks,
  MAX_HISTORY_HOURS,
} from '#shared/monitor/checks/reading/checks';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { listMonitorSettings, sentSettings } from '#shared/monitor/monitor-settings';
import { readMonitorStatus } from '#shared/monitor/read-status.server';
import { call, operationCall } from '~/http/api/call.server';
import type { ApiCalls } from '~/http/api/endpoint.server';
import { countParameter } from '~/http/api/input.server';
import { Reply } from '~/http/api/response.server';
import {
  latestDebugExample,
  latestDebugSchema,
  messageSchema,
  monitorCheckExample,
  monitorCheckSchema,
  monitorStatusExample,
  monitorStatusSchema,
} from './schemas.server';
import { HttpRefusal } from '~/http/server/failures.server';
import { serverContext } from '~/http/server/context.server';

const audience = z.enum(AUDIENCES).default('instant');
const settingSchema = sentSettings.element;
const settingExample = { setting_key: 'check_interval_seconds', setting_value: '60' };
const maskedWebhook = z.string().nullable().describe('Masked; null when none is set.');
const BEFORE_RULE = 'before is the id of a check.';

/** The error of a check that cannot run, with the specification's message. The log names the cause. */
function checkFailed(cause: unknown): DomainError {
  return new DomainError('Unavailable', { code: 'check_failed', message: 'Failed to trigger check', cause });
}

/** The refusal of a value, which is in a field of the call. */
function ofSettingValue(error: DomainError): DomainError {
  const { code, message } = error;
  if (code !== 'invalid_setting') return error;
  return new DomainError('Invalid', { code, message, fieldErrors: { setting_value: [message] } });
}

/** Where the calls of a monitor are, and how they name their watch. */
interface MonitorPrefix<Params extends z.ZodObject> {
  path: string;
  /** The parameters in `path`. */
  params?: Params;
  /** Operation ids are unique in the API. */
  idOf(name: string): string;
  /** Throws `NotFound` for an unknown watch. */
  watchIdOf(params: z.output<Params>): string | Promise<string>;
}

/** The calls of the monitor of one watch. */
export function monitorCalls<Params extends z.ZodObject>({
  path,
  idOf,
  watchIdOf,
  ...place
}: MonitorPrefix<Params>): ApiCalls {
  /** The input of an operation on the watch. */
  async function ofWatch<Query, Body>(received: { params: z.output<Params>; query: Query; body: Body }) {
    return { watchId: await watchIdOf(received.params), ...received.query, ...received.body };
  }

  return {
    [`GET ${path}/status`]: call({
      id: idOf('readMonitorStatus'),
      ...place,
      summary: 'Reads the state of the monitor and of the shop',
      description: 'Includes the open alert, the last and the next check, and the daemon.',
      access: 'admin',
      envelope: 'data',
      response: monitorStatusSchema,
      example: { response: monitorStatusExample },
      async run({ params }) {
        const { db, clock } = serverContext();
        return readMonitorStatus(db, clock, await watchIdOf(params));
      },
    }),

    [`GET ${path}/history`]: call({
      id: idOf('listChecks'),
      ...place,
      summary: 'Lists the checks of the last hours, in pages',
      description: 'The newest comes first. `raw_response` is null in lists.',
      access: 'admin',
      query: z.object({
        hours: countParameter('hours', { max: MAX_HISTORY_HOURS, fallback: 24 }),
        limit: countParameter('limit', { max: HISTORY_PAGE.max, fallback: HISTORY_PAGE.default }),
        before: z
          .string()
          .min(1, BEFORE_RULE)
          .max(100, BEFORE_RULE)
          .optional()
          .describe('The id of a check: only older checks are listed.'),
      }),
      envelope: 'data',
      response: z.object({
        history: z.array(monitorCheckSchema),
        next: z.string().nullable().describe('The `before` of the next page; null on the last one.'),
      }),
      example: { response: { history: [monitorCheckExample], next: null } },
      async run({ params, query }) {
        const { db, clock } = serverContext();
        const watchId = await watchIdOf(params);
        try {
          const { checks, next } = await listChecks(db, { ...query, clock, watchId });
          return { history: checks, next };
        } catch (error) {
          if (!(error instanceof DomainError) || error.code !== 'unknown_check') throw error;
          // An unknown check is an invalid parameter, so 400.
          const { code, message, fieldErrors } = error;
          throw new HttpRefusal({ status: 400, code, message, errors: fieldErrors });
        }
      },
    }),

    [`POST ${path}/check`]: operationCall(monitorOperations.check, {
      id: idOf('checkNow'),
      ...place,
      summary: 'Checks the shop now',
      description: 'Returns 202 when the check takes longer than 25 seconds; the check continues.',
      input: ofWatch,
      envelope: 'data',
      response: z.object({ check: monitorCheckSchema }),
      otherResponses: { 202: z.object({ queued: z.literal(true) }) },
      failures: [503],
      example: { response: { check: monitorCheckExample } },
      reply: ({ result: check }) =>
        check === null ? new Reply({ queued: true }, { status: 202 }) : { check },
      refused: checkFailed,
    }),

    [`GET ${path}/settings`]: call({
      id: idOf('readMonitorSettings'),
      ...place,
      summary: 'Reads the monitor’s settings',
      description: 'Includes the masked webhooks.',
      access: 'admin',
      envelope: 'data',
      response: z.object({
        settings: z.array(settingSchema),
        discord_webhook_url: maskedWebhook,
        discord_webhook_url_free: maskedWebhook,
        discord_webhook_url_admin: maskedWebhook,
      }),
      example: {
        response: {
          settings: [settingExample],
          discord_webhook_url: 'https://discord.com/api/webhooks/8035…/••••a1b2',
          discord_webhook_url_free: null,
          discord_webhook_url_admin: null,
        },
      },
      async run({ params }) {
        const { db, keyring } = serverContext();
        const watchId = await watchIdOf(params);
        const [{ rows }, webhooks] = await Promise.all([
          listMonitorSettings(db, watchId),
          listWebhooks({ db, keyring }, watchId),
        ]);
        const shown = new Map(webhooks.map(({ audience, webhook }) => [WEBHOOK_SETTING[audience], webhook]));
        return {
          settings: rows,
          discord_webhook_url: shown.get(WEBHOOK_SETTING.instant) ?? null,
          discord_webhook_url_free: shown.get(WEBHOOK_SETTING.free) ?? null,
          discord_webhook_url_admin: shown.get(WEBHOOK_SETTING.admin) ?? null,
        };
      },
    }),

    [`PUT ${path}/settings`]: operationCall(monitorOperations.changeSettings, {
      id: idOf('writeMonitorSetting'),
      ...place,
      summary: 'Changes one of the monitor’s settings',
      description: 'Unknown keys and invalid values are refused. Webhooks have their own call.',
      body: settingSchema,
      input: async ({ params, body }) => ({ watchId: await watchIdOf(params), settings: [body] }),
      envelope: 'data',
      response: settingSchema,
      reply: ({ result }, { body }) => result.settings[0] ?? body,
      refused: ofSettingValue,
      example: { body: settingExample, response: settingExample },
    }),

    [`PUT ${path}/webhook`]: operationCall(webhookOperations.set, {
      id: idOf('setWebhook'),
      ...place,
      summary: 'Sets the webhook of an audience',
      description:
        'Saves it after Discord has confirmed that it exists. With `?thread_id=` after the URL, messages go to that thread.',
      body: z.object({ webhook_url: z.string(), audience }),
      input: ofWatch,
      response: messageSchema,
      failures: [502],
      example: {
        body: { webhook_url: 'https://discord.com/api/webhooks/80351110224678912/token', audience: 'free' },
        response: { message: 'Webhook URL updated successfully!' },
      },
    }),

    [`DELETE ${path}/webhook`]: operationCall(webhookOperations.remove, {
      id: idOf('deleteWebhook'),
      ...place,
      summary: 'Removes the webhook of an audience',
      description: 'The response is the same when none is set.',
      query: z.object({ audience }),
      input: ofWatch,
      response: messageSchema,
      example: { response: { message: 'Webhook removed.' } },
    }),

    [`POST ${path}/webhook/test`]: operationCall(webhookOperations.test, {
      id: idOf('sendTestAlert'),
      ...place,
      summary: 'Posts a test message to the webhook of an audience',
      description:
        'Fails with 404 when none is set, and with 502 when Discord refuses the message; `reason` is its answer.',
      body: z.object({ audience }),
      input: ofWatch,
      response: messageSchema,
      failures: [404, 502],
      example: { body: { audience: 'instant' }, response: { message: 'Test alert sent successfully!' } },
    }),

    [`POST ${path}/monitoring/start`]: operationCall(monitorOperations.start, {
      id: idOf('startMonitoring'),
      ...place,
      summary: 'Starts monitoring',
      description: 'Changes nothing when it is already running, as `message` then says.',
      input: ofWatch,
      response: messageSchema,
      example: { response: { message: 'Monitoring started.' } },
    }),

    [`POST ${path}/monitoring/stop`]: operationCall(monitorOperations.stop, {
      id: idOf('stopMonitoring'),
      ...place,
      summary: 'Stops monitoring',
      description: 'Changes nothing when it is already stopped, as `message` then says.',
      input: ofWatch,
      response: messageSchema,
      example: { response: { message: 'Monitoring stopped.' } },
    }),

    [`GET ${path}/debug/latest`]: call({
      id: idOf('readLatestDebug'),
      ...place,
      summary: 'Reads the response that the last check received',
      description: '`data` is null before the first check.',
      access: 'admin',
      envelope: 'data',
      response: latestDebugSchema.nullable(),
      example: { response: latestDebugExample },
      run: async ({ params }) => findLatestDebug(serverContext().db, await watchIdOf(params)),
    }),
  };
}
