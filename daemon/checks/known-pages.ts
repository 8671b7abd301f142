import { createHash } from 'node:crypto';
import { isPast, MINUTE, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import type { PageIdentity } from '#shared/monitor/checks/recording/check-row';
import { judgementSchema, type Judgement, type PageAnswer } from '#shared/monitor/checks/verdict';
import type { Watch } from '#shared/monitor/watches/watches';

const NOT_MODIFIED = 304;
/** A page whose shop says that it has not changed is read this often all the same: some say so of a page that has. */
const READ_EVERY_MS = 30 * MINUTE;

/** Recognises pages of products that have not changed since the last check, which are not judged again. */
export interface KnownPages {
  /** The headers of a conditional request; none when the page must be read. */
  conditionsOf(watch: Watch): Record<string, string>;
  /** The judgement of the last check, when its page is still the same; else null. `conditions`: those of the request. */
  recognise(
    db: Database,
    watch: Watch,
    received: { answer: PageAnswer; conditions: Record<string, string> },
  ): Promise<Judgement | null>;
  /** By what the answer is known again at the next check; `wasRecognised`: it is still the page of the last check. */
  identify(watch: Watch, answer: PageAnswer, wasRecognised: boolean): PageIdentity;
}

const digestOf = (body: string): string => createHash('sha256').update(body).digest('base64url');

/** Longer names are not sent back: servers limit the headers of a request. */
const LONGEST_NAME = 1_000;

function headerOf({ headers }: PageAnswer, name: string): string | null {
  const value = [headers[name] ?? []].flat()[0] ?? null;
  // Only what a header may hold (RFC 9110, section 5.5).
  return value !== null && value.length <= LONGEST_NAME && /^[\u0020-\u007e]+$/.test(value) ? value : null;
}

/**
 * Recognises the pages that this process has judged itself: a page that another release has judged is judged again, because
 * its rules may have been others.
 */
export function createKnownPages(clock: Clock): KnownPages {
  /** The digests of the pages that were judged here, and when they were read, by the watch's id. */
  const judged = new Map<string, { hash: string; readAt: number }>();
  const isKnown = (watch: Watch): boolean =>
    watch.body_hash !== null && judged.get(watch.id)?.hash === watch.body_hash;
  return {
    conditionsOf(watch) {
      const readAt = judged.get(watch.id)?.readAt ?? 0;
      const now = clock.now();
      if (!isKnown(watch) || !isPast(readAt, now) || now - readAt >= READ_EVERY_MS) return {};
      return {
        ...(watch.etag !== null && { 'if-none-match': watch.etag }),
        ...(watch.last_modified !== null && { 'if-modified-since': watch.last_modified }),
      };
    },
    async recognise(db, watch, { answer, conditions }) {
      if (!isKnown(watch) || watch.last_check_id === null) return null;
      // The answer to another request than a conditional one is never 304 (RFC 9110, section 15.4.5).
      const isSame =
        (answer.status === NOT_MODIFIED && Object.keys(conditions).length > 0) ||
        (answer.status === 200 && digestOf(answer.body) === watch.body_hash);
      if (!isSame) return null;
      const last = await db
        .selectFrom('monitor_checks')
        .select('content_analysis')
        .where('id', '=', watch.last_check_id)
        .executeTakeFirst();
      if (last === undefined) return null;
      return judgementSchema.safeParse(JSON.parse(last.content_analysis)).data ?? null;
    },
    identify(watch, answer, wasRecognised) {
      if (wasRecognised && answer.status === NOT_MODIFIED) {
        const { body_hash, etag, last_modified } = watch;
        return { body_hash, etag, last_modified };
      }
      const body_hash = answer.status === 200 ? digestOf(answer.body) : null;
      if (body_hash === null) judged.delete(watch.id);
      else judged.set(watch.id, { hash: body_hash, readAt: clock.now() });
      // After a redirect the names belong to another address.
      const isDirect = body_hash !== null && answer.hops.length === 0;
      return {
        body_hash,
        etag: isDirect ? headerOf(answer, 'etag') : null,
        last_modified: isDirect ? headerOf(answer, 'last-modified') : null,
      };
    },
  };
}
