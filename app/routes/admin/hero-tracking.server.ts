import { z } from 'zod';
import {
  changeTrackingSet,
  enableTrackingSets,
  moveTrackingSet,
  removeTrackingSet,
} from '#shared/settings/change-tracking-sets';
import { trackingOperations } from '#shared/settings/setting-operations';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { TRACKING_FAILED } from '~/components/admin/tracking-forms';
import { operationForm, pageForms, switchField, textField } from '~/http/forms/page-forms.server';
import { requireAdmin, writeOf } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';

const setForm = z.object({ id: textField });

/** The forms of the tracking sets' page. */
export function trackingForms(path: string) {
  const files = { intent: 'add', shape: { files: { image: TRACKING_IMAGE_FILE } } };
  return pageForms(
    { path, access: requireAdmin, failed: TRACKING_FAILED, files },
    {
      enable: {
        schema: z.object({ enabled: switchField }),
        async run({ enabled }, { viewer }) {
          await enableTrackingSets(serverContext().db, { enabled, ...writeOf(viewer) });
          return { message: enabled ? 'Tracking slides are on.' : 'Tracking slides are off.' };
        },
      },
      add: operationForm(trackingOperations.add, {
        schema: z.object({ name: textField, imageUrl: textField }),
        // With scripts the browser has uploaded the image through the API before.
        input: ({ name, imageUrl }, { files }) => ({ name, image: files === null ? imageUrl : files[0] }),
      }),
      switch: {
        schema: z.object({ id: textField, enabled: switchField }),
        async run({ id, enabled }, { viewer }) {
          await changeTrackingSet(serverContext().db, { id, changes: { enabled }, ...writeOf(viewer) });
          return { message: enabled ? 'Tracking set switched on.' : 'Tracking set switched off.' };
        },
      },
      rename: {
        schema: z.object({ id: textField, name: textField }),
        async run({ id, name }, { viewer }) {
          await changeTrackingSet(serverContext().db, { id, changes: { name }, ...writeOf(viewer) });
        },
        done: 'Name saved.',
      },
      up: {
        schema: setForm,
        async run({ id }, { viewer }) {
          await moveTrackingSet(serverContext().db, { id, direction: 'up', ...writeOf(viewer) });
        },
        done: 'Order saved.',
      },
      down: {
        schema: setForm,
        async run({ id }, { viewer }) {
          await moveTrackingSet(serverContext().db, { id, direction: 'down', ...writeOf(viewer) });
        },
        done: 'Order saved.',
      },
      remove: {
        schema: setForm,
        async run({ id }, { viewer }) {
          await removeTrackingSet(serverContext().db, { id, ...writeOf(viewer) });
        },
        done: 'Tracking set removed.',
      },
    },
  );
}
