import type { Viewer } from '../accounts/account';
import { requireMail } from '../accounts/accounts-context';
import type { Clock } from '../clock';
import type { Database } from '../database/schema';
import type { MailOutbox } from '../mail/mails';
import { operation } from '../operation';
import type { Queues } from '../queues/connection.server';
import { requestExport } from './data-exports';

interface ExportContext {
  db: Database;
  clock: Clock;
  mail: MailOutbox;
  queues: Queues | null;
}

const describeRequest = ({ isNew }: { isNew: boolean }): string =>
  isNew
    ? 'We are making the archive. In a few minutes a mail brings the link, which works once, for a day.'
    : 'The archive is being made already. A mail brings the link in a few minutes.';

/** What members do with the data that is held about them. */
export const personalDataOperations = {
  requestExport: operation({
    access: 'member',
    limit: 'dataExport',
    run(context: ExportContext, { account }: Viewer) {
      requireMail(context);
      return requestExport(context, { accountId: account.id, actor: { userId: account.id } });
    },
    sentence: describeRequest,
  }),
};
