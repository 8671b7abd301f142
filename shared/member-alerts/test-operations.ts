import type { Viewer } from '../accounts/account';
import type { WriteContext } from '../database/transaction';
import { operation } from '../operation';
import { sendTestAlerts } from './send-test-alerts';

interface Context extends WriteContext {
  mail: { enabled: boolean };
}

export const testOperations = {
  send: operation({
    access: 'member',
    limit: 'alertTest',
    async run({ db, mail, clock }: Context, { account }: Viewer) {
      const sent = await sendTestAlerts(db, { account, mailEnabled: mail.enabled, clock });
      return { sent, address: account.email };
    },
    sentence({ sent: { email, push }, address }) {
      const devices = push === 1 ? 'one device' : `${push} devices`;
      const targets = [...(email > 0 ? [address] : []), ...(push > 0 ? [devices] : [])];
      return `A test is on its way to ${targets.join(' and ')}. It arrives within a minute.`;
    },
  }),
};
