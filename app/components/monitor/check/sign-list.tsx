import type { Sign } from '#shared/monitor/checks/verdict';
import { signName } from './sign-names';

const POINTS_TO: Record<Sign['pointsTo'], { label: string; text: string; fill: string }> = {
  waiting_room: { label: 'a waiting room', text: 'text-live', fill: 'fill-live' },
  open: { label: 'the open shop', text: 'text-open', fill: 'fill-open' },
  wall: { label: 'a bot check or a refusal', text: 'text-unknown', fill: 'fill-unknown' },
  error: { label: 'an error page', text: 'text-unknown', fill: 'fill-unknown' },
  nothing: { label: 'nothing', text: 'text-soft', fill: 'fill-soft' },
};

/** The weight of a sign that decides alone. */
const FULL_WEIGHT = 100;

function SignRow({ sign: { id, pointsTo, weight, evidence } }: { sign: Sign }) {
  const { label, text, fill } = POINTS_TO[pointsTo];
  return (
    <li className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-3">
      <div className="row-span-2">
        <p className="font-display text-lead font-bold">
          <span className="sr-only">Weight </span>
          {weight}
        </p>
        <svg viewBox="0 0 56 6" width="56" height="6" aria-hidden="true">
          <rect width="56" height="6" rx="3" className="fill-sunken" />
          <rect
            width={(56 * Math.min(FULL_WEIGHT, Math.max(0, weight))) / FULL_WEIGHT}
            height="6"
            rx="3"
            className={fill}
          />
        </svg>
      </div>
      <p className="wrap-anywhere">
        <strong>{signName(id)}</strong>
        <span className={`text-small ${text}`}>{`: points to ${label}`}</span>
      </p>
      <p className="font-mono text-small [overflow-wrap:anywhere] text-soft">{evidence}</p>
    </li>
  );
}

/** The evidence of a verdict: each sign with its weight, the heaviest first. */
export function SignList({ signs }: { signs: readonly Sign[] }) {
  if (signs.length === 0) return <p className="text-soft">No signs were found on this page.</p>;
  return (
    <ul className="divide-y divide-line">
      {signs
        .toSorted((a, b) => b.weight - a.weight)
        .map((sign) => (
          <SignRow key={sign.id} sign={sign} />
        ))}
    </ul>
  );
}
