import { Link } from '@remix-run/react';
import { SECOND } from '#shared/clock';
import { FormNotice, useForms, type Forms } from '~/components/forms/use-forms';
import { Button, buttonClass, ButtonLink } from '~/components/ui/button';
import { Card } from '~/components/ui/card';
import { PageLinks } from '~/components/ui/page-links';
import {
  NEW_WATCH_PATH,
  PRODUCTS_PATH,
  deleteWatchAddress,
  editWatchAddress,
  watchAddress,
  watchesJsonAddress,
  watchListAddress,
} from '../monitor-addresses';
import { StatePill } from '../state-pill';
import { clockAndDay, clockSecond } from '../../time/time-format';
import { useRefreshed } from '../use-refreshed';
import { listedState, planText, type ListedWatch, type WatchListData } from './listed-watch';

const REFRESH_MS = 30 * SECOND;

function Facts({ watch, nowMs }: { watch: ListedWatch; nowMs: number }) {
  const { alertOpenedAt, lastCheck, nextCheck } = watch;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
      {alertOpenedAt === null ? null : (
        <li className="font-semibold text-live">
          Waiting room since <time dateTime={alertOpenedAt}>{clockAndDay(alertOpenedAt, nowMs)}</time>
        </li>
      )}
      <li>
        {lastCheck === null ? (
          'Not checked yet'
        ) : (
          <>
            Checked <time dateTime={lastCheck}>{clockAndDay(lastCheck, nowMs)}</time>
          </>
        )}
      </li>
      {nextCheck === null ? null : (
        <li>
          Next check <time dateTime={nextCheck}>{clockAndDay(nextCheck, nowMs)}</time>
        </li>
      )}
      <li>{planText(watch)}</li>
    </ul>
  );
}

function Row({ watch, nowMs, forms }: { watch: ListedWatch; nowMs: number; forms: Forms }) {
  const { slug, shop, title, running, permanent } = watch;
  const { Form, pending } = forms;
  const { state, label } = listedState(watch);
  const headingId = `watch-${slug}`;
  return (
    <li>
      <Card edge={watch.alertOpenedAt === null ? 'plain' : 'foil'} label={title}>
        <div className="grid gap-3 p-5 sm:grid-cols-[11rem_minmax(0,1fr)_auto] sm:items-center sm:gap-5">
          <div>
            <StatePill state={state} label={label} />
          </div>
          <div className="grid min-w-0 gap-1.5">
            <h2 id={headingId} className="text-lead [overflow-wrap:anywhere]">
              <Link to={watchAddress(slug)} className="underline underline-offset-4 hover:text-brand">
                {title}
              </Link>
            </h2>
            {shop === title ? null : <p className="text-small wrap-anywhere">{shop}</p>}
            <Facts watch={watch} nowMs={nowMs} />
          </div>
          <div className="flex flex-wrap gap-2">
            <Form method="post" preventScrollReset>
              <input type="hidden" name="slug" value={slug} />
              <Button
                name="intent"
                value={running ? 'stop' : 'start'}
                aria-describedby={headingId}
                pending={pending?.get('slug') === slug}
              >
                {running ? 'Stop' : 'Start'}
              </Button>
            </Form>
            <Link to={editWatchAddress(slug)} aria-describedby={headingId} className={buttonClass()}>
              Edit
            </Link>
            {permanent ? null : (
              <Link to={deleteWatchAddress(slug)} aria-describedby={headingId} className={buttonClass()}>
                Delete
              </Link>
            )}
          </div>
        </div>
      </Card>
    </li>
  );
}

/** The watches with their states, and the forms that stop and start them. */
export function WatchList({ list: loaded }: { list: WatchListData }) {
  const fetched = useRefreshed(watchesJsonAddress(loaded.page), loaded, () => REFRESH_MS);
  const { watches, summary, page, totalPages, now, lost } = fetched ?? { ...loaded, lost: false };
  const forms = useForms(['start', 'stop', 'delete']);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <p className="text-soft">{summary}</p>
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href={PRODUCTS_PATH}>Products</ButtonLink>
          <ButtonLink href={NEW_WATCH_PATH} variant="primary">
            Add a watch
          </ButtonLink>
        </div>
      </div>
      <FormNotice result={forms.result} />
      {lost ? (
        <p role="status" className="font-semibold text-unknown">
          Not up to date: last updated at <time dateTime={now}>{clockSecond(now)}</time>. We keep trying.
        </p>
      ) : null}
      <ul className="grid gap-3">
        {watches.map((watch) => (
          <Row key={watch.slug} watch={watch} nowMs={Date.parse(now)} forms={forms} />
        ))}
      </ul>
      <PageLinks
        label="Pages of the watches"
        page={page}
        totalPages={totalPages}
        addressOf={watchListAddress}
      />
    </div>
  );
}
