import type { ListedEntry } from '#shared/tokens/token-ledger';
import { DateAndMinute } from '~/components/time/dates';
import { Link, buttonClass } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { counted } from '#shared/format';
import { memberQuestionAddress } from '../member-addresses';
import { Empty, ListTitle } from './facts';

const KINDS: Record<ListedEntry['kind'], string> = {
  purchase: 'Bought',
  consume: 'Used by a task',
  refund: 'Taken back: refund',
  dispute: 'Taken back: dispute',
  dispute_won: 'Returned: dispute won',
  grant: 'By an admin',
};

const signed = (tokens: number): string => (tokens < 0 ? `−${-tokens}` : `+${tokens}`);

interface TokensPanelProps {
  id: string;
  /** The admin's own account, which has no button. */
  own: boolean;
  balance: number;
  ledger: readonly ListedEntry[];
}

/** The balance of a member, and the newest rows of their ledger. */
export function TokensPanel({ id, own, balance, ledger }: TokensPanelProps) {
  return (
    <Panel title="Tokens">
      <p>
        <strong>{counted(balance, 'token')}</strong>
        {balance < 0 ? ': owed, after a refund or a dispute of tokens that were used.' : null}
      </p>
      {own ? null : (
        <p>
          <Link to={memberQuestionAddress(id, 'grant')} preventScrollReset className={buttonClass()}>
            Grant tokens…
          </Link>
        </p>
      )}
      <ListTitle>Last changes</ListTitle>
      {ledger.length === 0 ? (
        <Empty>None yet.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {ledger.map(({ id: entryId, kind, tokens, balanceAfter, reason, createdAt }) => (
            <li key={entryId} className="flex flex-wrap justify-between gap-x-5 py-2">
              <span>
                {KINDS[kind]} <span className="font-semibold">{signed(tokens)}</span>, then {balanceAfter}
                {reason === null ? null : <span className="text-soft wrap-anywhere">: {reason}</span>}
              </span>
              <span className="text-small text-soft">
                <DateAndMinute iso={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
