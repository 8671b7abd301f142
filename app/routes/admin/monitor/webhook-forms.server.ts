import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { webhookOperations } from '#shared/alerts/webhooks/webhook-operations';
import { AUDIENCES } from '#shared/alerts/webhooks/webhooks';
import type { TestDetails } from '~/components/monitor/screen/test-result';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { operationForm, textField, type FormContext } from '~/http/forms/page-forms.server';

const audience = z.enum(AUDIENCES);

type Owner = { watchId: string } | { retailerId: string };

/** The forms of the webhooks of a watch or a retailer. `ownerOf`: their owner, by the address of the page. */
export function webhookForms(ownerOf: (context: FormContext<Viewer>) => Promise<Owner>) {
  const input = async <Fields>(fields: Fields, context: FormContext<Viewer>) => ({
    ...(await ownerOf(context)),
    ...fields,
  });
  return {
    test: operationForm(webhookOperations.test, {
      schema: z.object({ audience, from: textField }),
      input,
      outcome: (_, { audience, from }) => ({ details: { audience, from } satisfies TestDetails }),
      caught({ code, message, reason = message }, { audience, from }) {
        const details: TestDetails = { audience, from, reason };
        return { ok: false, message: WATCH_FAILED.test, code, details };
      },
    }),
    'set-webhook': operationForm(webhookOperations.set, {
      schema: z.object({ audience, webhook_url: textField }),
      input,
      outcome: (_, { audience }) => ({ details: { audience } }),
      // The specification's sentence above the form, the reason beside its field.
      caught: ({ code, message, fieldErrors: errors = { webhook_url: [message] } }) => ({
        ok: false,
        message: WATCH_FAILED['set-webhook'],
        code,
        errors,
      }),
    }),
    'delete-webhook': operationForm(webhookOperations.remove, {
      schema: z.object({ audience }),
      input,
      outcome: (_, { audience }) => ({ details: { audience } }),
    }),
  };
}
