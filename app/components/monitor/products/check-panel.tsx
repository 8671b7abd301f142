import { counted } from '#shared/format';
import { dateAndSecond } from '~/components/time/time-format';
import { Panel } from '~/components/ui/card';
import { Facts } from '../check/check-facts';
import { intervalText } from './product-words';
import type { LiveOffer } from '../screen/live-watch';

const READS = {
  page: 'the page',
  shopify_json: 'Shopify’s JSON; the page every half hour',
  woo_store_api: 'WooCommerce’s JSON; the page every half hour',
} as const;

const ROBOTS = {
  rules: 'It allows the page.',
  none: 'The site has none, so any page may be read.',
  unreachable: 'It cannot be read, so the page is not requested.',
} as const;

function robotsText({ robots, robotsRefusal, robotsPermission }: LiveOffer): string {
  if (robots === null) return 'not read yet';
  const said = robotsRefusal ?? ROBOTS[robots.kind];
  const permission = robotsPermission === null ? '' : ` Permission of the shop: ${robotsPermission}`;
  return `${said} Read ${dateAndSecond(robots.readAt)}.${permission}`;
}

/** "45 products here, each every 90 s", with the least time between two requests. */
function hostText({ host }: LiveOffer): string {
  if (host === null) return 'The watch is stopped.';
  const { products, everySeconds, spacingSeconds, pausedUntil } = host;
  const pause =
    pausedUntil === null ? '' : ` Paused until ${dateAndSecond(pausedUntil)}: the shop refused a request.`;
  return `${counted(products, 'product')} here; this one is checked every ${intervalText(everySeconds)}. At least ${spacingSeconds} s between two requests.${pause}`;
}

/** How a product is checked: the source, the interval, and the state of robots.txt. */
export function CheckPanel({ offer }: { offer: LiveOffer }) {
  return (
    <Panel title="How it is checked">
      <Facts
        facts={[
          ['A check reads', READS[offer.fetchAs]],
          ['Paid fetches', offer.paidFetch ? 'through Scrappey, within the daily limit' : 'none'],
          ['Requests', hostText(offer)],
          ['robots.txt', robotsText(offer)],
        ]}
      />
    </Panel>
  );
}
