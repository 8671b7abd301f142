import { Link } from '@remix-run/react';
import type { ListedShop } from '#shared/monitor/products/list-shops';
import { counted } from '#shared/format';
import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { clockSecond } from '~/components/time/time-format';
import { Badge } from '~/components/ui/badge';
import { Card } from '~/components/ui/card';
import { retailerAddress } from '../monitor-addresses';
import { AVAILABILITIES, intervalText } from './product-words';

/** "3 in stock, 1 out of stock". */
function statesText({ states }: ListedShop): string {
  return AVAILABILITIES.flatMap((state) => {
    const count = states[state];
    const label = state === 'unknown' ? 'without a verdict' : AVAILABILITY_WORDS[state].toLowerCase();
    return count === undefined ? [] : [`${count} ${label}`];
  }).join(', ');
}

/** "45 products here, each every 90 s". */
function loadText({ load }: ListedShop): string {
  if (load === null) return '';
  const paused = load.pausedUntil === null ? '' : `, paused until ${clockSecond(load.pausedUntil)}`;
  return ` · ${counted(load.products, 'product')} checked here, each every ${intervalText(load.everySeconds)}${paused}`;
}

/** The shops with their products. */
export function ShopList({ shops }: { shops: readonly ListedShop[] }) {
  if (shops.length === 0) return <p className="text-soft">There are no products yet.</p>;
  return (
    <ul className="grid gap-3">
      {shops.map((shop) => (
        <li key={shop.host}>
          <Card edge="plain" label={shop.name}>
            <div className="grid gap-1.5 p-5">
              <h2 className="text-lead [overflow-wrap:anywhere]">
                <Link
                  to={retailerAddress(shop.host)}
                  className="underline underline-offset-4 hover:text-brand"
                >
                  {shop.name}
                </Link>
              </h2>
              <p className="text-small wrap-anywhere text-soft">
                {shop.host} · {counted(shop.watches, 'watch', 'watches')}
                {shop.watches === 0 ? '' : `: ${statesText(shop)}`}
                {loadText(shop)}
              </p>
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-soft">
                <span className="wrap-anywhere">
                  {shop.canary === null ? 'No product that is always in stock' : `Canary: ${shop.canary}`}
                </span>
                {shop.isHeld ? <Badge variant="error">Verdicts held back</Badge> : null}
                {shop.distrusted.length === 0 ? null : (
                  <Badge variant="warning">
                    {counted(shop.distrusted.length, 'source')} of its pages often wrong
                  </Badge>
                )}
                {shop.supported ? <Badge>Supported</Badge> : null}
              </p>
            </div>
          </Card>
        </li>
      ))}
    </ul>
  );
}
