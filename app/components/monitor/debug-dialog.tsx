import { Link } from '@remix-run/react';
import type { CheckDetails } from '#shared/monitor/checks/reading/check-details';
import { formatMoney } from '#shared/money';
import { buttonClass } from '~/components/ui/button';
import { LoadFailed } from '~/components/ui/notice';
import { PageDialog } from '~/components/ui/dialogs';
import { Facts, ResponseLength, ResponseTime } from './check/check-facts';
import { RawResponse, type ResponseText } from './check/raw-response';
import { checkAddress } from './monitor-addresses';
import { availabilityText } from './products/product-words';
import { VERDICT_LABELS } from './verdict-labels';
import { dateAndSecond } from '../time/time-format';

/** The response that the last check received. */
export interface DebugData {
  slug: string;
  /** `none` before the first check, `failed` if it could not be read. */
  latest: 'none' | 'failed' | (Omit<CheckDetails, 'body'> & { response: ResponseText });
}

function Latest({ slug, latest }: { slug: string; latest: Exclude<DebugData['latest'], string> }) {
  const { id, at, verdict, responseMs, bodyLength, flags, errorMessage, httpStatus, analysis } = latest;
  const offer = analysis?.product;
  return (
    <>
      <Facts
        facts={[
          ['Checked', <time dateTime={at}>{dateAndSecond(at)}</time>],
          ...(offer === undefined
            ? ([
                ['Verdict', VERDICT_LABELS[verdict]],
                ['Waiting room detected', verdict === 'waiting_room' ? 'yes' : 'no'],
              ] as const)
            : ([
                ['Verdict', availabilityText(offer)],
                ['Price', offer.price === null ? 'none' : formatMoney(offer.price)],
              ] as const)),
          ['Status', httpStatus === null ? 'no response' : `HTTP ${httpStatus}`],
          ['Response time', <ResponseTime ms={responseMs} slow={flags.slow} />],
          ['Response length', <ResponseLength characters={bodyLength} short={flags.short} />],
          ['Error', errorMessage ?? 'none'],
        ]}
      />
      <p>
        <Link
          to={checkAddress(slug, id)}
          className="font-semibold text-brand underline underline-offset-4 hover:no-underline"
        >
          Evidence and all data of this check
        </Link>
      </p>
      <RawResponse slug={slug} response={latest.response} />
    </>
  );
}

/** The dialog "Latest Debug Data". `leaveTo`: the address of the screen. */
export function DebugDialog({ debug, leaveTo }: { debug: DebugData; leaveTo: string }) {
  const { slug, latest } = debug;
  return (
    <PageDialog title="Latest Debug Data" leaveTo={leaveTo}>
      {latest === 'none' ? (
        <p className="text-soft">There is no check yet. Run one with Check now.</p>
      ) : latest === 'failed' ? (
        <LoadFailed retryPath={`${leaveTo}?debug=1`}>The debug data could not be loaded.</LoadFailed>
      ) : (
        <Latest slug={slug} latest={latest} />
      )}
      <p>
        <Link to={leaveTo} preventScrollReset className={buttonClass()}>
          Close
        </Link>
      </p>
    </PageDialog>
  );
}
