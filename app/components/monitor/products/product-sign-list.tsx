import type { ProductSign } from '#shared/monitor/checks/verdict';
import { SAYS_LABELS, SOURCE_LABELS, SUBJECT_LABELS } from './product-words';

/** The product signs of a page with the quoted lines, the heaviest first. */
export function ProductSignList({ signs }: { signs: readonly ProductSign[] }) {
  if (signs.length === 0) return <p className="text-soft">No signs were found on this page.</p>;
  return (
    <ul className="divide-y divide-line">
      {signs
        .map((sign, index) => ({ sign, index }))
        .toSorted((a, b) => b.sign.weight - a.sign.weight || a.index - b.index)
        .map(({ sign: { source, says, subject, weight, evidence }, index }) => (
          <li key={index} className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-3">
            <p className="row-span-2 font-display text-lead font-bold">
              <span className="sr-only">Weight </span>
              {weight}
            </p>
            <p className="wrap-anywhere">
              <strong>{SOURCE_LABELS[source]}</strong>
              <span className="text-small text-soft">
                {` of ${SUBJECT_LABELS[subject]}: ${SAYS_LABELS[says]}`}
              </span>
            </p>
            <p className="font-mono text-small [overflow-wrap:anywhere] text-soft">{evidence}</p>
          </li>
        ))}
    </ul>
  );
}
