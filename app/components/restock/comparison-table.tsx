import type { ReactNode } from 'react';
import { Badge } from '~/components/ui/badge';
import { CloseIcon, OpenIcon } from '~/components/ui/icons';
import { COMPARISON } from './restock-content';

/** A text, or Yes or No with an icon. */
function Value({ of }: { of: string | boolean }) {
  if (typeof of === 'string') return of;
  return (
    <span className="inline-flex items-center gap-1.5">
      {of ? <OpenIcon /> : <CloseIcon />}
      {of ? 'Yes' : 'No'}
    </span>
  );
}

function Cell({ children, premium = false }: { children: ReactNode; premium?: boolean }) {
  return (
    <td className={`px-2.5 py-3 align-top sm:px-5 ${premium ? 'bg-surface font-semibold' : 'text-soft'}`}>
      {children}
    </td>
  );
}

/** Compares Free and Premium. */
export function ComparisonTable() {
  const { columns, rows } = COMPARISON;
  return (
    <section className="wrap py-10">
      <h2 className="text-heading">{COMPARISON.title}</h2>
      <div className="mt-6 overflow-hidden rounded-card border border-line bg-sunken">
        <table className="w-full table-fixed border-collapse text-left max-sm:text-small">
          <caption className="sr-only">{COMPARISON.caption}</caption>
          <thead>
            <tr>
              <th scope="col" className="px-3 py-3.5 font-semibold sm:px-5">
                {columns.feature}
              </th>
              <th scope="col" className="px-2.5 py-3.5 font-semibold sm:px-5">
                {columns.free}
              </th>
              <th scope="col" className="bg-surface px-2.5 py-3.5 sm:px-5">
                <Badge variant="pro">{columns.premium}</Badge>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ feature, free, premium }) => (
              <tr key={feature} className="border-t border-line">
                <th scope="row" className="px-3 py-3 align-top font-normal [overflow-wrap:anywhere] sm:px-5">
                  {feature}
                </th>
                <Cell>
                  <Value of={free} />
                </Cell>
                <Cell premium>
                  <Value of={premium} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-3 text-small text-soft">{COMPARISON.note}</p>
    </section>
  );
}
