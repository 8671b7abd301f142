/** The balance that fills the bar. */
const BAR_TOKENS = 200;

const STATUSES = [
  { above: 100, label: 'Excellent', textClass: 'text-open', barClass: '[--meter:var(--open)]' },
  { above: 20, label: 'Good', textClass: 'text-unknown', barClass: '[--meter:var(--unknown)]' },
] as const;

const LOW = { label: 'Low', textClass: 'text-live', barClass: '[--meter:var(--live)]' } as const;

/** A token balance with its bar and its usage status. */
export function TokenBalance({ balance }: { balance: number }) {
  const { label, textClass, barClass } = STATUSES.find(({ above }) => balance > above) ?? LOW;
  return (
    <div>
      <p className="font-display text-heading leading-none font-bold tracking-[-0.02em]">
        {balance.toLocaleString('en-GB')}{' '}
        <span className="font-sans text-base font-normal tracking-normal text-soft">
          {balance === 1 ? 'token' : 'tokens'}
        </span>
      </p>
      <progress
        aria-hidden="true"
        max={BAR_TOKENS}
        value={Math.min(Math.max(balance, 0), BAR_TOKENS)}
        className={`meter mt-4 mb-2 ${barClass}`}
      />
      <p className="text-small text-soft">
        Usage Status: <span className={`font-semibold ${textClass}`}>{label}</span>
      </p>
      {balance < 0 ? (
        <p className="mt-2 text-small text-soft">
          Tokens of a refunded or disputed payment were already spent, so you owe {-balance}. New tokens count
          towards that first.
        </p>
      ) : null}
    </div>
  );
}
