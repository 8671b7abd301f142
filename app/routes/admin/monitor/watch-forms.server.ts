import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { handleDelivery, retryDelivery } from '#shared/alerts/deliveries/delivery-actions';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { DomainError } from '#shared/errors';
import { handleMemberDeliveries, retryMemberDeliveries } from '#shared/member-alerts/member-results';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin, writeOf } from '~/http/auth/session.server';
import {
  operationForm,
  noFields,
  pageForms,
  textField,
  type FormContext,
} from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { counted } from '#shared/format';
import { findOnlyWatch, watchOrRedirect } from './watch-page.server';
import { webhookForms } from './webhook-forms.server';
import { MEMBER_CHANNELS, type MemberChannel } from '#shared/member-channels';

const deliveryFields = z.object({ deliveryId: textField });
const memberFields = z.object({
  channel: z.enum(MEMBER_CHANNELS, 'The channel is email or push.'),
  alertId: textField,
});

/** The settings by their field of the form. */
const SETTING_OF = {
  intervalSeconds: 'check_interval_seconds',
  hours: 'monitoring_hours',
  scrappeyDailyLimit: 'scrappey_daily_limit',
  roleInstant: 'discord_role_id_instant',
  roleFree: 'discord_role_id_free',
} as const;

const FIELDS = Object.entries(SETTING_OF) as [keyof typeof SETTING_OF, string][];

/** The settings of the form. */
function settingsOf(fields: Record<keyof typeof SETTING_OF, string>) {
  return FIELDS.map(([field, key]) => ({ setting_key: key, setting_value: fields[field] }));
}

/** The sentences of a refusal by their field of the form. */
function fieldsOf(fieldErrors: Readonly<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(
    FIELDS.flatMap(([field, key]) => {
      const sentences = fieldErrors[key];
      return sentences === undefined ? [] : [[field, sentences]];
    }),
  );
}

interface Address {
  params: { slug?: string | undefined };
}

/** The watch whose screen is at the address: without a slug, the only one. */
async function ofWatch<Values>(values: Values, { params: { slug } }: Address) {
  const watch = (slug === undefined ? await findOnlyWatch() : null) ?? (await watchOrRedirect(slug));
  return { watchId: watch.id, ...values };
}

async function onDelivery(
  change: typeof retryDelivery,
  fields: { deliveryId: string },
  context: FormContext<Viewer>,
): Promise<void> {
  const key = await ofWatch(fields, context);
  await change(serverContext().db, { ...key, ...writeOf(context.viewer) });
}

async function onMembers(
  change: typeof retryMemberDeliveries,
  fields: { channel: MemberChannel; alertId: string },
  context: FormContext<Viewer>,
): Promise<number> {
  const { db } = serverContext();
  const { watchId, channel, alertId } = await ofWatch(fields, context);
  const [alert] = await listRecentAlerts(db, { limit: 1, watchId });
  if (alert?.id === alertId) return change(db, { alertId, channel, ...writeOf(context.viewer) });
  throw new DomainError('Conflict', {
    code: 'newer_alert',
    message: 'There is a newer alert now. Its deliveries are shown below.',
  });
}

/** The forms of the screen of a watch. */
export const watchForms = pageForms(
  {
    path: ({ params: { slug } }) => (slug === undefined ? MONITOR_PATH : watchAddress(slug)),
    access: requireAdmin,
    failed: WATCH_FAILED,
  },
  {
    start: operationForm(monitorOperations.start, { schema: noFields, input: ofWatch }),
    stop: operationForm(monitorOperations.stop, { schema: noFields, input: ofWatch }),
    check: operationForm(monitorOperations.check, { schema: noFields, input: ofWatch }),
    ...webhookForms((context) => ofWatch({}, context)),
    settings: operationForm(monitorOperations.changeSettings, {
      schema: z.object({
        intervalSeconds: textField,
        hoursFrom: textField,
        hoursTo: textField,
        scrappeyDailyLimit: textField,
        roleInstant: textField,
        roleFree: textField,
      }),
      input: ({ hoursFrom, hoursTo, ...fields }, context) =>
        ofWatch({ settings: settingsOf({ ...fields, hours: `${hoursFrom}-${hoursTo}` }) }, context),
      caught: ({ code, message, fieldErrors }) =>
        fieldErrors === undefined ? null : { ok: false, message, code, errors: fieldsOf(fieldErrors) },
    }),
    retry: {
      schema: deliveryFields,
      run: (fields, context) => onDelivery(retryDelivery, fields, context),
      done: 'The message is waiting to be sent again.',
    },
    handle: {
      schema: deliveryFields,
      run: (fields, context) => onDelivery(handleDelivery, fields, context),
      done: 'Marked as handled.',
    },
    'retry-members': {
      schema: memberFields,
      async run(fields, context) {
        const count = await onMembers(retryMemberDeliveries, fields, context);
        return {
          message: `${counted(count, 'delivery', 'deliveries')} to members: waiting to be sent again.`,
        };
      },
    },
    'handle-members': {
      schema: memberFields,
      async run(fields, context) {
        const count = await onMembers(handleMemberDeliveries, fields, context);
        return { message: `${counted(count, 'delivery', 'deliveries')} to members: marked as handled.` };
      },
    },
  },
);
