import { betaOperations } from '#shared/beta/beta-operations';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { operationForm } from '../../http/forms/page-forms.server';

export const betaForms = {
  'request-beta': operationForm(betaOperations.request, {
    // Already requested, perhaps in another tab; the page shows the request.
    caught: ({ kind }) => (kind === 'Conflict' ? {} : null),
    refused: () => DASHBOARD_FAILED['request-beta'],
  }),
};
