import type { PastAlert } from '#shared/status/past-alerts';
import { PAST } from './status-content';
import { dayAndClock, shortDuration } from './status-view';

/** The rest of the list is behind a disclosure. */
const SHOWN = 10;

interface PastAlertsProps {
  alerts: readonly PastAlert[];
  /** The titles of the watches by slug; with more than one the shop is shown. */
  titles: ReadonlyMap<string, string>;
}

function AlertTable({ alerts, titles, caption }: PastAlertsProps & { caption: string }) {
  const { columns } = PAST;
  const cell = 'px-3 py-2.5 align-top sm:px-5';
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table className="w-full border-collapse text-left max-sm:text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="bg-sunken text-small">
            <th scope="col" className={`${cell} font-semibold`}>
              {columns.opened}
            </th>
            <th scope="col" className={`${cell} text-right font-semibold`}>
              {columns.lasted}
            </th>
            <th scope="col" className={`${cell} text-right font-semibold`}>
              {columns.headStart}
            </th>
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <tr key={`${alert.watch} ${alert.openedAt}`} className="border-t border-line">
              <th scope="row" className={`${cell} font-normal`}>
                <time dateTime={alert.openedAt}>{dayAndClock(alert.openedAt)}</time>
                {titles.size > 1 ? (
                  <span className="block text-small text-soft [overflow-wrap:anywhere]">
                    {titles.get(alert.watch) ?? alert.watch}
                  </span>
                ) : null}
              </th>
              <td className={`${cell} text-right whitespace-nowrap`}>
                {alert.closedAt === null ? (
                  <span className="font-[650] text-live">still open</span>
                ) : alert.lastedSeconds === null ? (
                  'unknown'
                ) : (
                  shortDuration(alert.lastedSeconds)
                )}
              </td>
              <td className={`${cell} text-right whitespace-nowrap`}>
                {alert.headStartSeconds === null ? (
                  <>
                    <span aria-hidden="true">–</span>
                    <span className="sr-only">not measured</span>
                  </>
                ) : (
                  `${alert.headStartSeconds.toFixed(1)} s`
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The last waiting rooms with their length and the measured head start of Pro members. */
export function PastAlerts({ alerts, titles }: PastAlertsProps) {
  const earlier = alerts.slice(SHOWN);
  return (
    <section aria-labelledby="past-title">
      <h2 id="past-title" className="text-title">
        {PAST.title}
      </h2>
      {alerts.length === 0 ? (
        <p className="mt-2 text-soft">{PAST.none}</p>
      ) : (
        <div className="mt-3 grid gap-3">
          <AlertTable alerts={alerts.slice(0, SHOWN)} titles={titles} caption={PAST.caption} />
          {earlier.length === 0 ? null : (
            <details>
              <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{PAST.earlier}</summary>
              <AlertTable alerts={earlier} titles={titles} caption={PAST.earlier} />
            </details>
          )}
          <p className="max-w-[46em] text-small text-soft">{PAST.note}</p>
        </div>
      )}
    </section>
  );
}
