import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { handleDelivery, retryDelivery } from '#shared/alerts/deliveries/delivery-actions';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import {
  AUDIENCES,
  deleteWebhook,
  sendTestAlert,
  setWebhook,
  type Audience,
} from '#shared/alerts/webhooks/webhooks';
import { DomainError } from '#shared/errors';
import { handleMemberDeliveries, retryMemberDeliveries } from '#shared/member-alerts/member-results';
import { describeCheck } from '#shared/monitor/checks/reading/checks';
import { requestCheck } from '#shared/monitor/checks/requests/request-check.server';
import { writeMonitorSettings } from '#shared/monitor/monitor-settings';
import { switchMonitoring } from '#shared/monitor/switch-monitoring';
import type { Watch } from '#shared/monitor/watches/watches';
import type { TestDetails } from '~/components/monitor/screen/test-result';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, pageForms, textField, type FormOutcome } from '~/http/forms/page-forms.server';
import { serverContext, watchContext } from '~/http/server/context.server';
import { actorOf, writeOf } from '~/http/auth/write-of.server';
import { counted } from '~/components/ui/format';

const audienceField = z.enum(AUDIENCES);
const memberFields = z.object({
  channel: z.enum(['email', 'push'], 'The channel is email or push.'),
  alertId: textField,
});

async function checkNow(watchId: string, accountId: string): Promise<string> {
  const { db, queues, clock, config, limits } = serverContext();
  await limits.take([{ limit: 'checkNow', key: accountId }]);
  const check = await requestCheck({ db, queues, redisUrl: config.redisUrl, clock, watchId });
  return check === null
    ? 'The check takes longer than usual. Its result will show here when it ends.'
    : describeCheck(check);
}

async function switchTo(on: boolean, watchId: string, viewer: Viewer) {
  const actor = actorOf(viewer);
  const { message } = await switchMonitoring(serverContext(), { on, actor, watchId });
  return { message };
}

async function saveWebhook(
  watchId: string,
  { audience, url }: { audience: Audience; url: string },
  { account }: Viewer,
): Promise<FormOutcome> {
  try {
    await serverContext().limits.take([{ limit: 'webhookSave', key: account.id }]);
    await setWebhook(watchContext(), { watchId, audience, url, actor: { userId: account.id } });
    return { details: { audience } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The specification's sentence above the form, the reason beside its field.
    const errors = error.fieldErrors ?? { webhook_url: [error.message] };
    return { ok: false, message: WATCH_FAILED['set-webhook'], code: error.code, errors };
  }
}

async function testWebhook(
  watchId: string,
  { audience, from }: { audience: Audience; from: string },
  { account }: Viewer,
): Promise<FormOutcome> {
  const details: TestDetails = { audience, from };
  try {
    await serverContext().limits.take([{ limit: 'webhookTest', key: account.id }]);
    await sendTestAlert(watchContext(), audience, watchId);
    return { details };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, reason = message } = error;
    return { ok: false, message: WATCH_FAILED.test, code, details: { ...details, reason } };
  }
}

/** The settings by their field of the form. */
const SETTING_OF = {
  intervalSeconds: 'check_interval_seconds',
  hours: 'monitoring_hours',
  scrappeyDailyLimit: 'scrappey_daily_limit',
  roleInstant: 'discord_role_id_instant',
  roleFree: 'discord_role_id_free',
} as const;

async function saveSettings(
  watchId: string,
  fields: Record<keyof typeof SETTING_OF, string>,
  viewer: Viewer,
) {
  const entries = Object.entries(SETTING_OF) as [keyof typeof SETTING_OF, string][];
  const values = Object.fromEntries(entries.map(([field, key]) => [key, fields[field]]));
  try {
    const changed = await writeMonitorSettings(serverContext().db, { values, watchId, ...writeOf(viewer) });
    return { message: changed.length === 0 ? 'Nothing was changed.' : 'Settings saved.' };
  } catch (error) {
    if (!(error instanceof DomainError) || error.fieldErrors === undefined) throw error;
    const { code, message, fieldErrors } = error;
    const errors = Object.fromEntries(
      entries.flatMap(([field, key]) => {
        const sentences = fieldErrors[key];
        return sentences === undefined ? [] : [[field, sentences]];
      }),
    );
    return { ok: false, message, code, errors };
  }
}

async function onMembers(
  change: typeof retryMemberDeliveries,
  watchId: string,
  { channel, alertId }: { channel: 'email' | 'push'; alertId: string },
  viewer: Viewer,
): Promise<number> {
  const { db } = serverContext();
  const [alert] = await listRecentAlerts(db, { limit: 1, watchId });
  if (alert?.id === alertId) return change(db, { alertId, channel, ...writeOf(viewer) });
  throw new DomainError('Conflict', {
    code: 'newer_alert',
    message: 'There is a newer alert by now. Its deliveries are shown below.',
  });
}

/** The forms of the screen of a watch. `path`: the address of the screen. */
export function watchForms({ id: watchId }: Watch, path: string) {
  return pageForms(
    { path, access: requireAdmin, failed: WATCH_FAILED },
    {
      start: { schema: noFields, run: (_, { viewer }) => switchTo(true, watchId, viewer) },
      stop: { schema: noFields, run: (_, { viewer }) => switchTo(false, watchId, viewer) },
      check: {
        schema: noFields,
        run: async (_, { viewer }) => ({ message: await checkNow(watchId, viewer.account.id) }),
      },
      test: {
        schema: z.object({ audience: audienceField, from: textField }),
        run: (values, { viewer }) => testWebhook(watchId, values, viewer),
        done: 'Test alert sent successfully!',
      },
      'set-webhook': {
        schema: z.object({ audience: audienceField, webhook_url: textField }),
        run: ({ audience, webhook_url }, { viewer }) =>
          saveWebhook(watchId, { audience, url: webhook_url }, viewer),
        done: 'Webhook URL updated successfully!',
      },
      'delete-webhook': {
        schema: z.object({ audience: audienceField }),
        async run({ audience }, { viewer }) {
          await deleteWebhook(serverContext().db, { watchId, audience, ...writeOf(viewer) });
          return { details: { audience } };
        },
        done: 'The webhook is deleted.',
      },
      settings: {
        schema: z.object({
          intervalSeconds: textField,
          hoursFrom: textField,
          hoursTo: textField,
          scrappeyDailyLimit: textField,
          roleInstant: textField,
          roleFree: textField,
        }),
        run: ({ hoursFrom, hoursTo, ...fields }, { viewer }) =>
          saveSettings(watchId, { ...fields, hours: `${hoursFrom}-${hoursTo}` }, viewer),
      },
      retry: {
        schema: z.object({ deliveryId: textField }),
        run: ({ deliveryId }, { viewer }) =>
          retryDelivery(serverContext().db, { watchId, deliveryId, ...writeOf(viewer) }),
        done: 'The message is waiting to be sent again.',
      },
      handle: {
        schema: z.object({ deliveryId: textField }),
        run: ({ deliveryId }, { viewer }) =>
          handleDelivery(serverContext().db, { watchId, deliveryId, ...writeOf(viewer) }),
        done: 'Marked as handled.',
      },
      'retry-members': {
        schema: memberFields,
        async run(fields, { viewer }) {
          const count = await onMembers(retryMemberDeliveries, watchId, fields, viewer);
          return {
            message: `${counted(count, 'delivery', 'deliveries')} to members: waiting to be sent again.`,
          };
        },
      },
      'handle-members': {
        schema: memberFields,
        async run(fields, { viewer }) {
          const count = await onMembers(handleMemberDeliveries, watchId, fields, viewer);
          return { message: `${counted(count, 'delivery', 'deliveries')} to members: marked as handled.` };
        },
      },
    },
  );
}
