import type { AuditRecord } from '#shared/audit/list-audit';
import { clockAndDay } from '~/components/time/time-format';
import { Panel } from '~/components/ui/card';
import { Empty } from './facts';

const ACTIONS: Record<string, string> = {
  'account.disable': 'Account disabled',
  'account.enable': 'Account enabled',
  'account.end_session': 'One session ended',
  'account.link_discord': 'Discord linked',
  'account.refuse_sign_in': 'New browser refused by the member',
  'account.sign_in': 'Signed in',
  'account.sign_out': 'Signed out everywhere',
  'account.sign_out_elsewhere': 'Signed out everywhere else',
  'admin.grant': 'Made an admin',
  'admin.revoke': 'Admin role ended',
  'beta.approve': 'Beta access approved',
  'beta.revoke': 'Beta access revoked',
  'mail_bounces.clear': 'Alert emails allowed again',
  'receipt.resend': 'Receipt sent again',
  'tokens.grant': 'Tokens granted or taken back',
};

/** The last entries of the audit log about a member. */
export function HistoryPanel({ entries, now }: { entries: readonly AuditRecord[]; now: number }) {
  return (
    <Panel title="History">
      {entries.length === 0 ? (
        <Empty>Nothing in the last year.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {entries.map(({ id, action, actor, createdAt }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-5 py-2">
              <span className="min-w-0 wrap-anywhere">
                {ACTIONS[action] ?? action}
                <span className="text-soft"> by {actor ?? 'the operator'}</span>
              </span>
              <time dateTime={createdAt} className="text-small text-soft">
                {clockAndDay(createdAt, now)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
