import {
  continueAlert,
  closeAlert,
  closeUnseenAlert,
  findNewestAlert,
  keepOffer,
  markAlertSeen,
  openAlert,
  type Alert,
} from '../../../alerts/alert-changes';
import type { AdminContacts } from '../../../alerts/admin-notices';
import { announceEnd, announcePriceDrop } from '../../../alerts/product-announcements';
import type { Delivery } from '../../../alerts/deliveries/deliveries';
import { fromIso, SECOND, toIso, type Clock } from '../../../clock';
import { prepareQuery } from '../../../database/prepare-query';
import type { Database, Transaction } from '../../../database/schema';
import { inTransaction } from '../../../database/transaction';
import { newId } from '../../../ids';
import { toRow, type FinishedCheck, type PageIdentity } from './check-row';
import { countCheck } from './check-counts';
import { isBuyable, REOPENINGS_TO_TRICKLE } from './decide-restock';
import { decideTransition, isStale, type BeforeCheck, type Decision } from './decide-transition';
import { recordRuns } from './offer-runs';
import { pauseAfter } from './pause-after';
import { reopeningsOf, decideOffer, type OfferDecision } from './decide-offer';
import { storePage } from '../stored-body.server';
import { settingsOf } from '../../monitor-settings';
import { reportCanary } from '../../products/canary';
import { reportDiscontinued } from '../../products/discontinued';
import { isWithinHours, windowStart } from '../../monitoring-hours';
import { nextProductCheck } from '../../product-timing';
import { readWatch, type Watch } from '../../watches/watches';

/** A weak sign is checked again after this long. */
const RECHECK_AFTER_MS = 10 * SECOND;

export interface RecordedCheck {
  watchId: string;
  checkId: string;
  decision: Decision;
  /** Outbox rows to send; new rows that are due are claimed by this process. */
  deliveries: Delivery[];
  /** The alert that this check opened, reopened or added a variant to: its members must be listed. */
  announced: string | null;
  /** Whether a lower price of a product, or its end, was announced to its followers. */
  isProductNews: boolean;
  /** When a confirming check of a waiting room is due (epoch ms). */
  recheckAt: number | null;
  /** The page, when it is to be stored after the message that this process sends at once; null when it is stored. */
  unstoredPage: Parameters<typeof storePage>[1] | null;
  /** Whether a product is in stock again, so that other shops may have it again, too. */
  cameBack: boolean;
  /** Of a product watch: the page that is behind a waiting room; else null. */
  roomAt: string | null;
}

/** Another check took the lease while this one ran: its result is stale and is not stored. */
export class LeaseLostError extends Error {
  constructor() {
    super('another check began before this one ended');
    this.name = 'LeaseLostError';
  }
}

function describeBefore(
  state: Watch,
  newest: Alert | null,
  { trigger, startedAt }: FinishedCheck,
  now: number,
): BeforeCheck {
  let alert: BeforeCheck['alert'] = { kind: 'none' };
  if (newest?.status === 'open') alert = { kind: 'open' };
  else if (newest?.status === 'suspended')
    alert = { kind: 'suspended', forMs: now - fromIso(newest.suspended_at ?? newest.last_seen_at) };
  else if (newest?.status === 'closed')
    alert = { kind: 'closed', forMs: now - fromIso(newest.closed_at ?? newest.last_seen_at) };
  return {
    alert,
    weakForMs: state.weak_since === null ? null : now - fromIso(state.weak_since),
    opensInRow: state.opens_in_row,
    mayOpen:
      trigger === 'schedule'
        ? state.running === 1
        : state.stopped_at === null || fromIso(state.stopped_at) < startedAt,
  };
}

/** Whether a live alert was last confirmed before the hours ended, or too long ago (see `isStale`). */
function isStaleAlert(alert: Alert, watch: Watch, now: number): boolean {
  if (alert.status === 'closed') return false;
  const seenAt = fromIso(alert.last_seen_at);
  const { hours, timeZone } = settingsOf(watch);
  return isStale({
    seenAt,
    seenWithinHours: isWithinHours(seenAt, hours, timeZone),
    windowStart: windowStart(now, hours, timeZone),
    now,
  });
}

/** The decision about a check for one kind of watch. */
interface Ruling {
  decision: Decision;
  /** Whether the check saw what it looked for, or its absence. */
  isConclusive: boolean;
  isRefused: boolean;
  strength: Alert['strength'];
  /** The alert that this check opens. */
  kind: Alert['kind'];
  /** Null for a waiting room. */
  offer: OfferDecision | null;
}

const isRefusal = (reason: string | null): boolean => reason === 'challenge' || reason === 'blocked';

function ruleRoom(before: BeforeCheck, judgement: FinishedCheck['judgement']): Ruling {
  return {
    decision: decideTransition(before, judgement),
    isConclusive: judgement.verdict !== 'unknown',
    isRefused: isRefusal(judgement.unknownReason),
    strength: judgement.strength ?? 'strong',
    kind: 'waiting_room',
    offer: null,
  };
}

async function ruleProduct(trx: Transaction, input: Parameters<typeof decideOffer>[1]): Promise<Ruling> {
  const offer = await decideOffer(trx, input);
  const { product, decision } = offer;
  return {
    decision,
    isConclusive: product.availability !== 'unknown',
    isRefused: isRefusal(product.unknownReason),
    strength: product.strength ?? 'strong',
    kind: decision.kind ?? 'restock',
    offer,
  };
}

interface Applied {
  /** The alert that was opened. */
  alertId: string | null;
  deliveries: Delivery[];
  /** The alert whose members must be listed. */
  announced: string | null;
}

interface ApplyInput {
  check: FinishedCheck;
  checkId: string;
  ruling: Ruling;
  newest: Alert | null;
  /** When the first check of the row that closes an alert was made. */
  firstOpenAt: string;
  now: number;
  sender: string | null;
  adminContacts: AdminContacts;
}

async function applyDecision(
  trx: Transaction,
  { check, checkId, ruling, newest, firstOpenAt, now, sender, adminContacts }: ApplyInput,
): Promise<Applied> {
  const { action } = ruling.decision;
  const offer = ruling.offer?.offer ?? null;
  switch (action) {
    case 'none':
    case 'recheck':
      return { alertId: null, deliveries: [], announced: null };
    case 'open': {
      // A pre-order ends where the stock begins; when a suspended alert really ended is not known.
      const closedAt = newest?.status === 'open' ? toIso(now) : newest?.last_seen_at;
      const before =
        newest === null || newest.status === 'closed' || closedAt === undefined
          ? []
          : await closeAlert(trx, { alert: newest, checkId, closedAt, isRestocked: true, now });
      const opened = await openAlert(trx, {
        watchId: check.watchId,
        targetUrl: check.targetUrl,
        kind: ruling.kind,
        offer,
        newest,
        strength: ruling.strength,
        checkId,
        now,
        sender,
        adminContacts,
      });
      const { alertId } = opened;
      return { alertId, deliveries: [...opened.deliveries, ...before], announced: alertId };
    }
  }
  if (newest === null) throw new Error(`${action} needs an alert`);
  switch (action) {
    case 'keep':
      if (ruling.offer !== null) {
        const { isEdited } = ruling.offer;
        const input = { alert: newest, offer: ruling.offer.offer, isEdited, now };
        const { deliveries, hasNewVariant } = await keepOffer(trx, input);
        return { alertId: null, deliveries, announced: hasNewVariant ? newest.id : null };
      }
      await markAlertSeen(trx, newest, now);
      return { alertId: null, deliveries: [], announced: null };
    case 'reopen':
    case 'resume': {
      const changes =
        ruling.offer === null || action === 'resume' ? {} : reopening(newest, ruling.offer, now);
      return {
        alertId: null,
        deliveries: await continueAlert(trx, { alert: newest, offer, changes, now }),
        announced: action === 'reopen' ? newest.id : null,
      };
    }
    case 'close': {
      // While stock comes and goes, more than two checks in a row may have seen none.
      const closedAt = newest.trickling === 1 ? newest.last_seen_at : firstOpenAt;
      return {
        alertId: null,
        deliveries: await closeAlert(trx, { alert: newest, checkId, closedAt, now }),
        announced: null,
      };
    }
  }
}

/** The columns for reopening an alert: adds the time, and keeps only recent times. */
function reopening(alert: Alert, { decision }: OfferDecision, now: number) {
  const times = [...reopeningsOf(alert), toIso(now)].slice(-REOPENINGS_TO_TRICKLE);
  return { reopened_at: JSON.stringify(times), trickling: decision.trickling ? (1 as const) : (0 as const) };
}

const insertCheck = prepareQuery((db, row: ReturnType<typeof toRow>) =>
  db.insertInto('monitor_checks').values(row),
);

type WatchChange = Pick<
  Watch,
  | 'id'
  | 'last_check_id'
  | 'last_verdict'
  | 'last_checked_at'
  | 'last_conclusive_at'
  | 'opens_in_row'
  | 'weak_since'
  | 'recheck_due_at'
  | 'refusals_in_row'
  | 'not_before'
  | 'lease_owner'
  | 'lease_until'
>;

const updateWatch = prepareQuery((db, { id, ...change }: WatchChange) =>
  db.updateTable('watches').set(change).where('id', '=', id),
);

type OfferChange = PageIdentity &
  Pick<
    Watch,
    | 'id'
    | 'last_availability'
    | 'last_detail'
    | 'last_price_amount'
    | 'last_price_currency'
    | 'next_check_at'
    | 'hurried_until'
    | 'page_read_at'
    | 'discontinued_at'
  >;

const updateOffer = prepareQuery((db, { id, ...change }: OfferChange) =>
  db.updateTable('watches').set(change).where('id', '=', id),
);

/** The latest times at which an offer came back that count for its timing. */
const REMEMBERED_RESTOCKS = 20;

const listRestocks = prepareQuery((db, { watchId }: { watchId: string }) =>
  db
    .selectFrom('alerts')
    .select('opened_at')
    .where('watch_id', '=', watchId)
    .where('kind', '=', 'restock')
    .orderBy('ordinal', 'desc')
    .limit(REMEMBERED_RESTOCKS),
);

const NO_IDENTITY: PageIdentity = { body_hash: null, etag: null, last_modified: null };

/**
 * Stores what a check saw of an offer: in the watch, and in the offer's runs. `besideRestock`: an alert tells those who ask for
 * restocks. Returns whether a lower price, or the end of the product, was announced.
 */
async function recordOffer(
  trx: Transaction,
  {
    check,
    checkId,
    watch,
    ruling,
    recheckAt,
    besideRestock,
    now,
  }: {
    check: FinishedCheck;
    checkId: string;
    watch: Watch;
    ruling: OfferDecision;
    recheckAt: number | null;
    besideRestock: boolean;
    now: number;
  },
): Promise<boolean> {
  const { product, held, decision, detail, price, discontinuedAt, isDiscontinued } = ruling;
  const isSame = isBuyable(watch.last_availability) && price?.amount === watch.last_price_amount;
  const pricesFell =
    held === null &&
    price !== null &&
    watch.product_id !== null &&
    !isSame &&
    isBuyable(product.availability) &&
    isBuyable(decision.availability) &&
    (await announcePriceDrop(trx, {
      watchId: watch.id,
      productId: watch.product_id,
      price,
      weakSince: watch.weak_since,
      besideRestock,
      now,
    }));
  if (held === null) await recordRuns(trx, { watch, product, isDiscontinued, price, checkId, now });
  const next = nextProductCheck(
    { ...watch, last_availability: decision.availability, discontinued_at: discontinuedAt },
    {
      product,
      cameBackAt: (await listRestocks(trx, { watchId: watch.id })).map(({ opened_at }) => opened_at),
      pace: check.pace,
      startedAt: check.startedAt,
    },
  );
  await updateOffer(trx, {
    id: watch.id,
    last_availability: decision.availability,
    last_detail: detail,
    last_price_amount: price?.amount ?? null,
    last_price_currency: price?.currency ?? null,
    next_check_at: toIso(recheckAt ?? next.at),
    discontinued_at: discontinuedAt,
    page_read_at: check.isPage ? toIso(now) : watch.page_read_at,
    hurried_until: next.hurriedUntil === null ? watch.hurried_until : toIso(next.hurriedUntil),
    ...(product.availability === 'unknown' ? NO_IDENTITY : (check.pageIdentity ?? NO_IDENTITY)),
  });
  const isEndChanged =
    held === null &&
    (discontinuedAt !== null || watch.discontinued_at !== null || watch.last_availability === null);
  const hasEnded =
    isEndChanged &&
    watch.product_id !== null &&
    (await announceEnd(trx, { productId: watch.product_id, now }));
  return pricesFell || hasEnded;
}

/**
 * Whether the page of a check is stored. Of products there are thousands of checks a day whose page says the same: stored
 * are the ones that say something else than the check before, and the first of each day.
 */
function keepsBody(watch: Watch, { offer }: Ruling, now: number): boolean {
  if (offer === null) return true;
  const { product, decision, price, detail } = offer;
  return (
    watch.last_checked_at?.slice(0, 10) !== toIso(now).slice(0, 10) ||
    product.availability !== watch.last_availability ||
    decision.action !== 'none' ||
    price?.amount !== (watch.last_price_amount ?? undefined) ||
    detail !== watch.last_detail
  );
}

export interface RecorderContext {
  db: Database;
  clock: Clock;
  adminContacts: AdminContacts;
  /** The process that sends due rows right after the commit; null leaves them to the sweep. */
  sender: string | null;
}

/**
 * Stores a check and its consequences in one transaction: the check, the state of its watch, the alert and its outbox
 * rows, and the page unless a message waits for the commit. Throws `LeaseLostError` when another check has taken the lease.
 */
export async function recordCheck(
  { db, clock, adminContacts, sender }: RecorderContext,
  check: FinishedCheck,
  intervalMs: number,
): Promise<RecordedCheck> {
  const checkId = newId();
  /** A commit that holds must be known: the message of its alert is claimed by this process. */
  const isStored = async () =>
    (await db.selectFrom('monitor_checks').select('id').where('id', '=', checkId).executeTakeFirst()) !==
    undefined;
  return inTransaction(
    db,
    async (trx) => {
      const state = await readWatch(trx, check.watchId);
      const now = clock.now();
      const stamp = toIso(now);
      if (state.lease_token !== check.leaseToken) throw new LeaseLostError();
      const found = await findNewestAlert(trx, check);
      const ended = found !== null && isStaleAlert(found, state, now) ? found : null;
      const outdated = ended === null ? [] : await closeUnseenAlert(trx, { alert: ended, now });
      const newest: Alert | null =
        ended === null ? found : { ...ended, status: 'closed', closed_at: ended.last_seen_at };
      const { judgement } = check;
      const before = describeBefore(state, newest, check, now);
      const ruling =
        state.kind === 'product'
          ? await ruleProduct(trx, { watch: state, newest, before, judgement, now })
          : ruleRoom(before, judgement);
      const { decision, isConclusive: conclusive, isRefused: refused } = ruling;

      const firstOpenAt =
        state.opens_in_row >= 1 && state.last_conclusive_at !== null ? state.last_conclusive_at : stamp;
      const applied = await applyDecision(trx, {
        check,
        checkId,
        ruling,
        newest,
        firstOpenAt,
        now,
        sender,
        adminContacts,
      });
      await insertCheck(
        trx,
        toRow(check, {
          kind: state.kind,
          checkId,
          alertId: applied.alertId,
          held: ruling.offer?.held ?? null,
          now,
        }),
      );
      const isSending = applied.deliveries.some(({ status }) => status === 'sending');
      const page = { watchId: check.watchId, checkId, checkedAt: stamp, page: check.body };
      if (!isSending && keepsBody(state, ruling, now)) await storePage(trx, page);
      await countCheck(trx, {
        watchId: check.watchId,
        checkedAt: stamp,
        conclusive,
        scrappeyCalls: check.scrappey.calls,
      });

      const refusals = conclusive ? 0 : refused ? state.refusals_in_row + 1 : state.refusals_in_row;
      // A shop is paused as a whole where its products are refused (hosts/host-turns.ts).
      const pausedUntil =
        ruling.offer === null
          ? pauseAfter(state, check, { refusals: refused ? refusals : 0, intervalMs, now })
          : null;
      const recheckAt = decision.action === 'recheck' ? now + RECHECK_AFTER_MS : null;
      await updateWatch(trx, {
        id: check.watchId,
        last_check_id: checkId,
        last_verdict: judgement.verdict,
        last_checked_at: stamp,
        last_conclusive_at: conclusive ? stamp : state.last_conclusive_at,
        opens_in_row: decision.opensInRow,
        weak_since: decision.weak === 'begin' ? stamp : decision.weak === 'keep' ? state.weak_since : null,
        recheck_due_at: recheckAt === null ? null : toIso(recheckAt),
        refusals_in_row: refusals,
        not_before: pausedUntil === null ? null : toIso(pausedUntil),
        lease_owner: null,
        lease_until: null,
      });
      const reports: Delivery[] = [];
      let isProductNews = false;
      if (ruling.offer !== null) {
        const besideRestock = applied.announced !== null && ruling.kind === 'restock';
        const input = { check, checkId, watch: state, ruling: ruling.offer, recheckAt, besideRestock, now };
        isProductNews = await recordOffer(trx, input);
        reports.push(...(await reportCanary(trx, { ...ruling.offer, watch: state, adminContacts, now })));
        const { discontinuedAt, product } = ruling.offer;
        const gone = { watch: state, discontinuedAt, reason: product.reason, adminContacts, now };
        reports.push(...(await reportDiscontinued(trx, gone)));
      }
      return {
        watchId: check.watchId,
        checkId,
        decision,
        deliveries: [...applied.deliveries, ...outdated, ...reports],
        announced: applied.announced,
        isProductNews,
        recheckAt: ruling.offer === null ? recheckAt : null,
        unstoredPage: isSending ? page : null,
        cameBack: ruling.kind === 'restock' && ['open', 'reopen'].includes(decision.action),
        roomAt: ruling.offer?.product.unknownReason === 'waiting_room' ? check.targetUrl : null,
      };
    },
    { watch: check.watchId },
    { isCommitted: isStored },
  );
}
