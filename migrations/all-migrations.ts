import type { Migration } from 'kysely/migration';
import * as monitorAndAlerts from './0001-monitor-and-alerts';
import * as accounts from './0002-accounts';
import * as news from './0003-news';
import * as signInCodes from './0004-sign-in-codes';
import * as browserSessionsAndPictures from './0005-browser-sessions-and-pictures';
import * as clockSteps from './0006-clock-steps';
import * as monitorStorage from './0007-monitor-storage';
import * as watches from './0008-watches';
import * as uploadsAndArticles from './0009-uploads-and-articles';
import * as membership from './0010-membership';
import * as memberAlerts from './0011-member-alerts';
import * as releases from './0012-releases';
import * as accountControls from './0013-account-controls';
import * as redisFault from './0014-redis-fault';
import * as uncertainSends from './0015-uncertain-sends';
import * as slowJudgements from './0016-slow-judgements';
import * as stripeAccount from './0017-stripe-account';
import * as endedPushSubscriptions from './0018-ended-push-subscriptions';
import * as proxyLives from './0019-proxy-lives';
import * as memberDeliverySums from './0020-member-delivery-sums';
import * as alertOrder from './0021-alert-order';
import * as subscriptionReversals from './0022-subscription-reversals';
import * as submittedPurchases from './0023-submitted-purchases';
import * as deliveryEdits from './0024-delivery-edits';
import * as shareImages from './0025-share-images';
import * as renewalAmounts from './0026-renewal-amounts';
import * as outboxStatuses from './0027-outbox-statuses';
import * as renewalReadAt from './0028-renewal-read-at';
import * as daemonPlaces from './0029-daemon-places';
import * as uploadMachines from './0030-upload-machines';
import * as ledgerTriggers from './0031-ledger-triggers';
import * as largeFiles from './0032-large-files';
import * as products from './0033-products';
import * as productSuggestions from './0034-product-suggestions';
import * as politeChecks from './0035-polite-checks';
import * as pagePreviews from './0036-page-previews';
import * as offerRunsByTime from './0037-offer-runs-by-time';
import * as productAnnouncements from './0038-product-announcements';
import * as productImages from './0039-product-images';
import * as retailerWebhooks from './0040-retailer-webhooks';
import * as distrustedSources from './0041-distrusted-sources';
import * as paidFetches from './0042-paid-fetches';
import * as retiredProducts from './0043-retired-products';
import * as newBrowsers from './0044-new-browsers';
import * as memberSearch from './0045-member-search';
import * as dataExports from './0046-data-exports';
import * as passkeys from './0047-passkeys';
import * as discordRoles from './0048-discord-roles';
import * as tokenGrants from './0049-token-grants';
import * as accountDeletion from './0050-account-deletion';
import * as watchRoles from './0051-watch-roles';
import * as productEnds from './0052-product-ends';
import * as clearedBounces from './0053-cleared-bounces';

/** Every migration by name, in order. Merged migrations never change. */
export const migrations: Record<string, Migration> = {
  '0001-monitor-and-alerts': monitorAndAlerts,
  '0002-accounts': accounts,
  '0003-news': news,
  '0004-sign-in-codes': signInCodes,
  '0005-browser-sessions-and-pictures': browserSessionsAndPictures,
  '0006-clock-steps': clockSteps,
  '0007-monitor-storage': monitorStorage,
  '0008-watches': watches,
  '0009-uploads-and-articles': uploadsAndArticles,
  '0010-membership': membership,
  '0011-member-alerts': memberAlerts,
  '0012-releases': releases,
  '0013-account-controls': accountControls,
  '0014-redis-fault': redisFault,
  '0015-uncertain-sends': uncertainSends,
  '0016-slow-judgements': slowJudgements,
  '0017-stripe-account': stripeAccount,
  '0018-ended-push-subscriptions': endedPushSubscriptions,
  '0019-proxy-lives': proxyLives,
  '0020-member-delivery-sums': memberDeliverySums,
  '0021-alert-order': alertOrder,
  '0022-subscription-reversals': subscriptionReversals,
  '0023-submitted-purchases': submittedPurchases,
  '0024-delivery-edits': deliveryEdits,
  '0025-share-images': shareImages,
  '0026-renewal-amounts': renewalAmounts,
  '0027-outbox-statuses': outboxStatuses,
  '0028-renewal-read-at': renewalReadAt,
  '0029-daemon-places': daemonPlaces,
  '0030-upload-machines': uploadMachines,
  '0031-ledger-triggers': ledgerTriggers,
  '0032-large-files': largeFiles,
  '0033-products': products,
  '0034-product-suggestions': productSuggestions,
  '0035-polite-checks': politeChecks,
  '0036-page-previews': pagePreviews,
  '0037-offer-runs-by-time': offerRunsByTime,
  '0038-product-announcements': productAnnouncements,
  '0039-product-images': productImages,
  '0040-retailer-webhooks': retailerWebhooks,
  '0041-distrusted-sources': distrustedSources,
  '0042-paid-fetches': paidFetches,
  '0043-retired-products': retiredProducts,
  '0044-new-browsers': newBrowsers,
  '0045-member-search': memberSearch,
  '0046-data-exports': dataExports,
  '0047-passkeys': passkeys,
  '0048-discord-roles': discordRoles,
  '0049-token-grants': tokenGrants,
  '0050-account-deletion': accountDeletion,
  '0051-watch-roles': watchRoles,
  '0052-product-ends': productEnds,
  '0053-cleared-bounces': clearedBounces,
};
