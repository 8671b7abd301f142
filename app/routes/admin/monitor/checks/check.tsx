import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Link,
  useLoaderData,
  useLocation,
  useParams,
  useRouteError,
} from '@remix-run/react';
import type { CheckDetails } from '#shared/monitor/checks/reading/check-details';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { Facts, ResponseLength, ResponseTime } from '~/components/monitor/check/check-facts';
import { formatMoney } from '#shared/money';
import { JUDGE_FAILED, JudgeAgain } from '~/components/monitor/check/judge-again';
import { WrongVerdict } from '~/components/monitor/check/wrong-verdict';
import { ProductSignList } from '~/components/monitor/products/product-sign-list';
import { AVAILABILITY_STATES, availabilityText } from '~/components/monitor/products/product-words';
import { RawResponse } from '~/components/monitor/check/raw-response';
import { SignList } from '~/components/monitor/check/sign-list';
import { checkAddress, watchAddress } from '~/components/monitor/monitor-addresses';
import { VERDICT_LABELS } from '~/components/monitor/verdict-labels';
import { StatePill } from '~/components/monitor/state-pill';
import { titled } from '~/components/site/page-title';
import { clockSecond, dateAndSecond } from '~/components/time/time-format';
import { Badge } from '~/components/ui/badge';
import { buttonClass } from '~/components/ui/button';
import { counted } from '#shared/format';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { requireAdmin } from '~/http/auth/session.server';
import { checkForms, readCheckPage } from '~/routes/admin/monitor/checks/check.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return readCheckPage(params);
}

export const action = checkForms.action;

export const clientAction = keepFormOnNetworkError(JUDGE_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  titled(data === undefined ? 'Check' : headingOf(data.check));

type CheckView = Omit<CheckDetails, 'body'>;

const headingOf = ({ at }: Pick<CheckView, 'at'>) => `Check at ${clockSecond(at)}`;

const TRIGGERS: Record<CheckView['trigger'], string> = {
  schedule: 'by schedule',
  manual: 'by hand (Check now)',
  confirm: 'to confirm a weak sign',
};

/** How the page was fetched. */
const FETCHED: Record<CheckView['scrappeyStatus'], string> = {
  disabled: 'directly',
  success: 'through Scrappey',
  error: 'through Scrappey, which failed',
  other: 'through Scrappey, which gave no page',
};

const STRENGTHS = {
  strong: ' (strong: it opens an alert at once)',
  weak: ' (weak: a second check confirms it)',
};

function Verdict({ check }: { check: CheckView }) {
  const { verdict, strength, reason, alertSent } = check;
  const product = check.analysis?.product;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {product === undefined ? (
        <StatePill state={verdict} label={VERDICT_LABELS[verdict]} />
      ) : (
        <>
          <StatePill state={AVAILABILITY_STATES[product.availability]} label={availabilityText(product)} />
          {product.price === null ? null : (
            <p className="font-display text-lead font-bold">{formatMoney(product.price)}</p>
          )}
        </>
      )}
      {alertSent ? <Badge variant="error">Alert sent</Badge> : null}
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {reason}
        {strength === null ? null : <span className="text-soft">{STRENGTHS[strength]}</span>}
      </p>
    </div>
  );
}

/** The pause that `Retry-After` requested, and whether it was kept. */
function pauseText(seconds: number): string {
  return `${counted(seconds, 'second')} (Retry-After); kept outside the monitoring hours, noted inside them`;
}

function CheckFacts({ check }: { check: CheckView }) {
  const { at, trigger, targetUrl, finalUrl, httpStatus, analysis, flags } = check;
  return (
    <Facts
      facts={[
        ['Checked', <time dateTime={at}>{dateAndSecond(at)}, UK time</time>],
        ['Started', TRIGGERS[trigger]],
        ['Address', targetUrl],
        ...(analysis?.redirects === undefined
          ? []
          : ([['Redirected by', analysis.redirects.join(', ')]] as const)),
        ['Page came from', finalUrl === null || finalUrl === targetUrl ? 'the same address' : finalUrl],
        ['Status', httpStatus === null ? 'no response' : `HTTP ${httpStatus}`],
        ...(analysis?.retryAfterSeconds === undefined
          ? []
          : ([['Pause requested by the shop', pauseText(analysis.retryAfterSeconds)]] as const)),
        ['Response time', <ResponseTime ms={check.responseMs} slow={flags.slow} />],
        ['Response length', <ResponseLength characters={check.bodyLength} short={flags.short} />],
        ['Error', check.errorMessage ?? 'none'],
        [
          'Fetched',
          `${FETCHED[check.scrappeyStatus]}${check.scrappeyRequestId === null ? '' : `, request ${check.scrappeyRequestId}`}`,
        ],
        ['Proxy used', check.proxyUsed ?? 'none'],
        ...((analysis?.unverified ?? analysis?.doubted) === true
          ? ([['Verified', 'no: Scrappey could not verify the page']] as const)
          : []),
      ]}
    />
  );
}

export default function Check() {
  const { watch, check, response, neighbours } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={headingOf(check)}
      intro={
        <>
          One check of{' '}
          <Link to={watchAddress(watch.slug)} className="underline underline-offset-4 hover:text-brand">
            {watch.title}
          </Link>
          : what the shop answered, and why it was judged so.
        </>
      }
    >
      {/* Resets the state of the page when the check changes. */}
      <div key={check.id} className="grid gap-5">
        <Verdict check={check} />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <div className="grid gap-5">
            {check.analysis?.product === undefined ? null : (
              <Panel title="Evidence about the product">
                <ProductSignList signs={check.analysis.product.signs} />
              </Panel>
            )}
            <Panel
              title={check.analysis?.product === undefined ? 'Evidence' : 'Evidence about a waiting room'}
            >
              {check.analysis === null ? (
                <p className="text-soft">The judgement of this check cannot be read.</p>
              ) : (
                <SignList signs={check.analysis.signs} />
              )}
            </Panel>
            <JudgeAgain
              stored={check.verdict}
              storedOffer={check.analysis?.product?.availability ?? null}
              hasPage={response.beginning !== null}
            />
            {check.analysis?.product === undefined ? null : (
              <WrongVerdict hasPage={response.beginning !== null} />
            )}
          </div>
          <Panel title="Debug data">
            <CheckFacts check={check} />
            <h3 className="font-semibold">Response headers</h3>
            {check.headers.length === 0 ? (
              <p className="text-soft">None.</p>
            ) : (
              <Facts facts={check.headers} />
            )}
            <h3 className="font-semibold">Raw response</h3>
            <RawResponse slug={watch.slug} response={response} />
          </Panel>
        </div>
        <nav aria-label="Neighbouring checks" className="flex flex-wrap gap-3">
          {neighbours.older === null ? null : (
            <Link to={checkAddress(watch.slug, neighbours.older)} rel="prev" className={buttonClass()}>
              Previous check
            </Link>
          )}
          {neighbours.newer === null ? null : (
            <Link to={checkAddress(watch.slug, neighbours.newer)} rel="next" className={buttonClass()}>
              Next check
            </Link>
          )}
        </nav>
      </div>
    </AdminSection>
  );
}

/** Shown when there is no such check (404), or it could not be loaded. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const { slug = '' } = useParams();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <AdminSection heading="Check" intro="What the shop answered at one check, and why it was judged so.">
      {missing ? (
        <p>
          There is no such check of this watch. Checks are kept for 90 days.{' '}
          <Link to={watchAddress(slug)} className="underline underline-offset-4 hover:text-brand">
            Go to the monitor
          </Link>
        </p>
      ) : (
        <LoadFailed retryPath={pathname}>The check could not be loaded.</LoadFailed>
      )}
    </AdminSection>
  );
}
