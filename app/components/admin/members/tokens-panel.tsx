import type { ListedEntry } from '#shared/tokens/token-ledger';
import { DateAndMinute } from '~/components/time/dates';
import { Panel } from '~/components/ui/card';
import { counted } from '#shared/format';
import { Empty, ListTitle } from './facts';

const KINDS: Record<ListedEntry['kind'], string> = {
  purchase: 'Bought',
  consume: 'Used by a task',
  refund: 'Taken back: refund',
  dispute: 'Taken back: dispute',
  dispute_won: 'Returned: dispute won',
};

const signed = (tokens: number): string => (tokens < 0 ? `−${-tokens}` : `+${tokens}`);

/** The balance of a member, and the newest rows of their ledger. */
export function TokensPanel({ balance, ledger }: { balance: number; ledger: readonly ListedEntry[] }) {
  return (
    <Panel title="Tokens">
      <p>
        <strong>{counted(balance, 'token')}</strong>
        {balance < 0 ? ': owed, after a refund or a dispute of tokens that were used.' : null}
      </p>
      <ListTitle>Last changes</ListTitle>
      {ledger.length === 0 ? (
        <Empty>None yet.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {ledger.map(({ id, kind, tokens, balanceAfter, createdAt }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-5 py-2">
              <span>
                {KINDS[kind]} <span className="font-semibold">{signed(tokens)}</span>, then {balanceAfter}
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
