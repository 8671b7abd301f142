import type { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { addWatch } from '#shared/monitor/watches/add-watch.server';
import { changeWatch } from '#shared/monitor/watches/change-watch.server';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { NEW_WATCH, watchFields, type WatchFields } from '#shared/monitor/watches/watch-fields';
import { WEBHOOK_FIELDS } from '#shared/monitor/watches/webhook-fields';
import { parseMonitoringHours, DEFAULT_MONITORING_HOURS } from '#shared/monitor/monitoring-hours';
import { urlOf, type Watch } from '#shared/monitor/watches/watches';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';
import type { WatchFormValues } from '~/components/monitor/watches/watch-form';
import { WATCH_PAGE_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, pageForms, textField, type FormOutcome } from '~/http/forms/page-forms.server';
import { actorOf } from '~/http/auth/write-of.server';
import { serverContext, operationContext } from '~/http/server/context.server';
import { watchOrRedirect } from '../watch-page.server';

/** The fields of a watch as its form sends them: the hours are two fields. */
const formFields = watchFields.omit({ hours: true }).extend({ hoursFrom: textField, hoursTo: textField });

const newFormFields = formFields.extend({
  [WEBHOOK_FIELDS.instant]: textField,
  [WEBHOOK_FIELDS.free]: textField,
  [WEBHOOK_FIELDS.admin]: textField,
});

/** The values of the form of a new watch. */
export const EMPTY_WATCH: WatchFormValues = {
  shop: '',
  title: '',
  url: '',
  ...hourValues(NEW_WATCH.hours),
  timeZone: NEW_WATCH.timeZone,
  intervalSeconds: String(NEW_WATCH.intervalSeconds),
};

function hourValues(text: string): Pick<WatchFormValues, 'hoursFrom' | 'hoursTo'> {
  const { from, to } = parseMonitoringHours(text) ?? DEFAULT_MONITORING_HOURS;
  return { hoursFrom: String(from), hoursTo: String(to) };
}

/** The values of the form of a watch that exists. */
export function valuesOf(watch: Watch): WatchFormValues {
  const { shop, title, hours, time_zone, interval_seconds } = watch;
  return {
    shop,
    title,
    url: urlOf(watch, serverContext().config.monitor),
    ...hourValues(hours),
    timeZone: time_zone,
    intervalSeconds: String(interval_seconds),
  };
}

/** The fields of a form with the hours as one field; or the refusal of hours that are none. */
function joinHours({
  hoursFrom,
  hoursTo,
  ...others
}: z.output<typeof formFields>): { fields: WatchFields } | { refusal: FormOutcome } {
  const hours = watchFields.shape.hours.safeParse(`${hoursFrom}-${hoursTo}`);
  if (hours.success) return { fields: { ...others, hours: hours.data } };
  const message = hours.error.issues[0]?.message ?? '';
  return { refusal: { ok: false, message, errors: { hours: [message] } } };
}

/** What to add to a message about a watch whose page cannot be read now. */
function noteOf(pageFault: string | null): string {
  return pageFault === null ? '' : ` Its page cannot be read now: ${pageFault}`;
}

function takeLimit({ account }: Viewer): Promise<void> {
  return serverContext().limits.take([{ limit: 'watchSave', key: account.id }]);
}

/** The form that adds a watch. */
export function addForms() {
  return pageForms(
    { path: MONITOR_PATH, access: requireAdmin, failed: WATCH_PAGE_FAILED },
    {
      add: {
        schema: newFormFields,
        // Webhooks are secrets.
        secret: Object.values(WEBHOOK_FIELDS),
        async run({ webhookInstant, webhookFree, webhookAdmin, ...values }, { viewer }) {
          const joined = joinHours(values);
          if ('refusal' in joined) return joined.refusal;
          await takeLimit(viewer);
          const { slug, pageFault } = await addWatch(operationContext(), {
            fields: joined.fields,
            webhooks: { instant: webhookInstant, free: webhookFree, admin: webhookAdmin },
            actor: actorOf(viewer),
          });
          return {
            to: watchAddress(slug),
            message: `Watch added. It is stopped: press Start when its checks may begin.${noteOf(pageFault)}`,
          };
        },
      },
    },
  );
}

/** The form that changes a watch. */
export function editForms() {
  return pageForms(
    {
      path: ({ params }) => watchAddress(params.slug ?? ''),
      access: requireAdmin,
      failed: WATCH_PAGE_FAILED,
    },
    {
      edit: {
        schema: formFields,
        async run(values, { params, viewer }) {
          const joined = joinHours(values);
          if ('refusal' in joined) return joined.refusal;
          const watch = await watchOrRedirect(params.slug);
          await takeLimit(viewer);
          const actor = actorOf(viewer);
          const changes = joined.fields;
          const { pageFault } = await changeWatch(operationContext(), { watch, changes, actor });
          return { message: `Watch saved.${noteOf(pageFault)}` };
        },
      },
    },
  );
}

/** The form that deletes a watch. */
export function deleteForms() {
  return pageForms(
    { path: MONITOR_PATH, access: requireAdmin, failed: WATCH_PAGE_FAILED },
    {
      delete: {
        schema: noFields,
        async run(_, { params, viewer }) {
          const watch = await watchOrRedirect(params.slug);
          await removeWatch(operationContext(), { watch, actor: actorOf(viewer) });
          return { message: `${watch.title} is deleted.` };
        },
      },
    },
  );
}
