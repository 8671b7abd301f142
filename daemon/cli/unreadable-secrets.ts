import { openWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import type { Database } from '#shared/database/schema';
import type { Keyring } from '#shared/secrets.server';

/** Names what is stored encrypted and cannot be opened with the present SESSION_SECRET. */
export async function listUnreadableSecrets(db: Database, keyring: Keyring): Promise<string[]> {
  const webhooks = await db.selectFrom('webhooks').select(['watch_id', 'audience', 'sealed_url']).execute();
  const ofRetailers = await db
    .selectFrom('retailer_webhooks')
    .innerJoin('retailers', 'retailers.id', 'retailer_id')
    .select(['host as watch_id', 'audience', 'sealed_url'])
    .execute();
  const keys = await db.selectFrom('push_keys').select('sealed_private_key').execute();
  const proxies = await db.selectFrom('proxy_assignments').select('sealed_proxy').execute();
  const closed = proxies.filter(({ sealed_proxy }) => keyring.open('proxy', sealed_proxy) === null).length;
  return [
    ...[...webhooks, ...ofRetailers]
      .filter(({ sealed_url }) => openWebhook(keyring, sealed_url) === null)
      .map(({ watch_id, audience }) => `the ${audience} webhook of ${watch_id}`),
    ...(keys.some(({ sealed_private_key }) => keyring.open('push', sealed_private_key) === null)
      ? ['the key of web push']
      : []),
    ...(closed === 0 ? [] : [`${closed} ${closed === 1 ? 'proxy' : 'proxies'} of tasks`]),
  ];
}
