import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import type { HostVisits } from '#shared/monitor/hosts/host-visits';
import type { RecordedCheck, RecorderContext } from '#shared/monitor/checks/recording/record-check';
import type { HostPace } from '#shared/monitor/product-timing';
import type { Judgement } from '#shared/monitor/checks/verdict';
import type { PageFetcher } from '../waiting-room/fetch/fetch-page';
import type { Judge } from './judge';
import type { KnownPages } from './known-pages';

export interface CheckerContext extends RecorderContext {
  db: Database;
  clock: Clock;
  /** Awaited before a stored time is compared with now. */
  handleClockStep: () => Promise<void>;
  logger: Logger;
  monitor: Config['monitor'];
  fetcher: PageFetcher;
  judge: Judge['judge'];
  knownPages: KnownPages;
  hostVisits: HostVisits;
  /** The pace of the host of a product's page. */
  paceOf: (url: string) => HostPace;
  /** The longest that a whole check takes, from its lease to its stored verdict. Default: 45 seconds. */
  checkLimitMs?: number;
  /** Whether the database cannot be reached, as far as is known. */
  isDatabaseOut: () => boolean;
  /** Identifies this process in the lease. */
  owner: string;
  /** Called directly after the commit; sends the alerts. */
  onRecorded: (recorded: RecordedCheck, judgement: Judgement) => void;
  /** Called for each attempt that fails because the disk is full, read-only or broken. */
  onStorageFault: (error: unknown) => void;
}
