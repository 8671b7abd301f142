import type { Viewer } from '#shared/accounts/account';
import { requestBeta } from '#shared/beta/request-beta';
import { DomainError } from '#shared/errors';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { noFields, type PageForm } from '../../http/forms/page-forms.server';
import { serverContext } from '../../http/server/context.server';

/** The form that requests beta access. */
export const betaForms = {
  'request-beta': {
    schema: noFields,
    async run(_, { viewer }) {
      const { db, clock } = serverContext();
      try {
        await requestBeta(db, { accountId: viewer.account.id, clock });
      } catch (error) {
        // Already requested, perhaps in another tab; the page shows that request.
        if (!(error instanceof DomainError && error.kind === 'Conflict')) throw error;
      }
    },
    refused: () => DASHBOARD_FAILED['request-beta'],
  },
} satisfies Record<string, PageForm<typeof noFields, Viewer>>;
