import { writeAudit, type Actor } from '../../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../../brand';
import { bumpContentVersion } from '../../content/content-version';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { setWatchRole } from '../../roles/watch-roles';
import { visitNewPage } from '../hosts/visit-new-page.server';
import { moveWatch } from '../follow-target';
import { readWatch, urlOf, type Watch } from './watches';
import type { SavedWatch, WatchContext } from './add-watch.server';
import { requireWatchablePage, type WatchablePage } from './page-address.server';
import { requireInterval, type WatchFields } from './watch-fields';

/**
 * The page to store for a watch: null for the one that the operator configured (MONITOR_TARGET_URL), which only the
 * default watch checks. A page that stays the same is not requested again. A page that cannot be read is refused for a
 * watch that runs: its checks of the old page continue until it is stopped.
 */
async function pageFor(
  context: Pick<WatchContext, 'db' | 'clock' | 'web' | 'targetUrl'>,
  watch: Watch,
  { entered, permission }: { entered: string; permission: string },
): Promise<Pick<WatchablePage, 'fault'> & { url: string | null }> {
  const { web, targetUrl } = context;
  const isEntered = (address: string): boolean =>
    URL.canParse(entered) && new URL(entered).href === new URL(address).href;
  if (watch.id === DEFAULT_WATCH_ID && isEntered(targetUrl)) return { url: null, fault: null };
  if (isEntered(urlOf(watch, { targetUrl }))) return { url: watch.url, fault: null };
  const page = await requireWatchablePage(
    web,
    entered,
    watch.kind === 'product' ? (url, find) => visitNewPage(context, { url, permission }, find) : undefined,
  );
  if (page.fault === null || watch.running === 0) return page;
  const message = `${page.fault} To save it all the same, stop the watch first.`;
  throw new DomainError('Invalid', {
    code: 'address_unreachable',
    message,
    fieldErrors: { url: [message] },
  });
}

/** Throws `Invalid` when a setting of products is meant for a waiting room. */
function requireProduct({ kind }: Watch): void {
  if (kind === 'product') return;
  const message =
    'Only a product has this setting: the daily limit of paid fetches is for all waiting rooms.';
  throw new DomainError('Invalid', {
    code: 'not_a_product',
    message,
    fieldErrors: { paidFetch: [message] },
  });
}

/**
 * Changes fields of a watch and writes the audit log; its slug stays. A new page must be public, and readable unless the
 * watch is stopped; then the alert of the old page ends, and a running check of it is dropped. Throws `Invalid` with the
 * field in `fieldErrors` (`role_taken`: another watch or an audience has the role).
 */
export async function changeWatch(
  context: WatchContext,
  {
    watch,
    changes,
    actor,
  }: {
    watch: Watch;
    changes: { [Name in keyof WatchFields]?: WatchFields[Name] | undefined } & {
      robotsPermission?: string | undefined;
      paidFetch?: boolean | undefined;
      memberRole?: string | undefined;
    };
    actor: Actor;
  },
): Promise<SavedWatch> {
  const { db, clock, targetUrl } = context;
  if (changes.intervalSeconds !== undefined) requireInterval(watch.kind, changes.intervalSeconds);
  const permission = changes.robotsPermission ?? watch.robots_permission ?? '';
  const { url, fault } =
    changes.url === undefined
      ? { url: watch.url, fault: null }
      : await pageFor(context, watch, { entered: changes.url, permission });
  if (changes.paidFetch === true) requireProduct(watch);
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const before = await readWatch(trx, watch.id);
    const after = {
      shop: changes.shop ?? before.shop,
      title: changes.title ?? before.title,
      url: changes.url === undefined ? before.url : url,
      time_zone: changes.timeZone ?? before.time_zone,
      hours: changes.hours ?? before.hours,
      interval_seconds: changes.intervalSeconds ?? before.interval_seconds,
      robots_permission:
        changes.robotsPermission === undefined ? before.robots_permission : changes.robotsPermission || null,
      paid_fetch:
        changes.paidFetch === undefined ? before.paid_fetch : changes.paidFetch ? (1 as const) : (0 as const),
    };
    const names = Object.keys(after) as (keyof typeof after)[];
    const changed = names.filter((name) => after[name] !== before[name]);
    const { memberRole: roleId } = changes;
    const isOtherRole = roleId !== undefined && (await setWatchRole(trx, { watchId: watch.id, roleId }));
    if (changed.length === 0 && !isOtherRole) return { ...before, pageFault: fault };
    await trx
      .updateTable('watches')
      // A product is rescheduled by its new settings.
      .set({ ...after, next_check_at: null })
      .where('id', '=', watch.id)
      .execute();
    const page = urlOf(after, { targetUrl });
    if (page !== urlOf(before, { targetUrl }))
      await moveWatch(trx, { watchId: watch.id, targetUrl: page, now });
    const details = {
      ...Object.fromEntries(changed.map((name) => [name, after[name]])),
      ...(isOtherRole ? { memberRole: roleId } : {}),
      ...(fault === null ? {} : { pageFault: fault }),
    };
    await writeAudit(trx, { actor, action: 'watch.change', subject: watch.id, details }, now);
    await bumpContentVersion(trx);
    return { ...(await readWatch(trx, watch.id)), pageFault: fault };
  });
}
