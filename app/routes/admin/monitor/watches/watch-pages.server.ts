import { DomainError } from '#shared/errors';
import {
  memberRole,
  NEW_WATCH,
  paidFetch,
  robotsPermission,
  watchFields,
} from '#shared/monitor/watches/watch-fields';
import { WEBHOOK_FIELDS } from '#shared/monitor/watches/webhook-fields';
import { watchOperations } from '#shared/monitor/watches/watch-operations';
import { parseMonitoringHours, DEFAULT_MONITORING_HOURS } from '#shared/monitor/monitoring-hours';
import { urlOf, type Watch } from '#shared/monitor/watches/watches';
import { readWatchRoles } from '#shared/roles/watch-roles';
import { MONITOR_PATH, watchAddress } from '~/components/monitor/monitor-addresses';
import type { WatchFormValues } from '~/components/monitor/watches/watch-form';
import { WATCH_PAGE_FAILED } from '~/components/monitor/watch-texts';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, noFields, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { watchOrRedirect } from '../watch-page.server';

/** The fields of a watch as its form sends them: the hours are two fields. */
const formFields = watchFields.omit({ hours: true }).extend({ hoursFrom: textField, hoursTo: textField });

const newFormFields = formFields.extend({
  [WEBHOOK_FIELDS.instant]: textField,
  [WEBHOOK_FIELDS.free]: textField,
  [WEBHOOK_FIELDS.admin]: textField,
});

export const EMPTY_WATCH: WatchFormValues = {
  shop: '',
  title: '',
  url: '',
  ...hourValues(NEW_WATCH.waiting_room.hours),
  timeZone: NEW_WATCH.waiting_room.timeZone,
  intervalSeconds: String(NEW_WATCH.waiting_room.intervalSeconds),
  memberRole: null,
  product: null,
};

function hourValues(text: string): Pick<WatchFormValues, 'hoursFrom' | 'hoursTo'> {
  const { from, to } = parseMonitoringHours(text) ?? DEFAULT_MONITORING_HOURS;
  return { hoursFrom: String(from), hoursTo: String(to) };
}

/** The values of the form of a watch that exists. */
export async function readValues(watch: Watch): Promise<WatchFormValues> {
  const { kind, shop, title, hours, time_zone, interval_seconds, robots_permission, paid_fetch } = watch;
  return {
    shop,
    title,
    url: urlOf(watch, serverContext().config.monitor),
    ...hourValues(hours),
    timeZone: time_zone,
    intervalSeconds: String(interval_seconds),
    memberRole: (await readWatchRoles(serverContext().db)).get(watch.id) ?? '',
    product:
      kind === 'product' ? { robotsPermission: robots_permission ?? '', paidFetch: paid_fetch === 1 } : null,
  };
}

/** The fields of a form with the hours as one field. Throws `Invalid` for invalid hours. */
function joinHours<Fields>({
  hoursFrom,
  hoursTo,
  ...others
}: Fields & { hoursFrom: string; hoursTo: string }) {
  const hours = watchFields.shape.hours.safeParse(`${hoursFrom}-${hoursTo}`);
  if (hours.success) return { ...others, hours: hours.data };
  const message = hours.error.issues[0]?.message ?? '';
  throw new DomainError('Invalid', { code: 'invalid_hours', message, fieldErrors: { hours: [message] } });
}

export const addForms = pageForms(
  { path: MONITOR_PATH, access: requireAdmin, failed: WATCH_PAGE_FAILED },
  {
    add: operationForm(watchOperations.add, {
      schema: newFormFields,
      // Webhooks are secrets.
      secret: Object.values(WEBHOOK_FIELDS),
      input: (values) => ({ kind: 'waiting_room' as const, ...joinHours(values) }),
      outcome: ({ slug }) => ({ to: watchAddress(slug) }),
    }),
  },
);

/** The form that changes a watch. */
export const editForms = pageForms(
  {
    path: ({ params }) => watchAddress(params.slug ?? ''),
    access: requireAdmin,
    failed: WATCH_PAGE_FAILED,
  },
  {
    edit: operationForm(watchOperations.change, {
      schema: formFields.extend({ robotsPermission, paidFetch, memberRole }),
      async input({ robotsPermission = '', paidFetch = false, ...values }, { params }) {
        const { slug, kind } = await watchOrRedirect(params.slug);
        const ofProduct = kind === 'product' ? { robotsPermission, paidFetch } : {};
        return { slug, ...joinHours(values), ...ofProduct };
      },
    }),
  },
);

/** The form that deletes a watch. */
export const deleteForms = pageForms(
  { path: MONITOR_PATH, access: requireAdmin, failed: WATCH_PAGE_FAILED },
  {
    delete: operationForm(watchOperations.remove, {
      schema: noFields,
      input: (_, { params }) => watchOrRedirect(params.slug),
    }),
  },
);
