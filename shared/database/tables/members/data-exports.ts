import type { UsersTable } from '../accounts';
import type { OutboxColumns } from '../outbox-columns';
import type { UploadsTable } from '../site';

/**
 * Archives of their data that members requested. They are an outbox: the daemon makes the archive of a pending row, `sent`
 * is one that is made and mailed as a link, `cancelled` one that is no longer wanted.
 */
export interface DataExportsTable extends OutboxColumns {
  user_id: UsersTable['id'];
  /** The stored archive; null before it is made and once it is removed. */
  upload_id: UploadsTable['id'] | null;
  /** Bytes; null before it is made. */
  file_size: number | null;
  /** When the mailed link ends; null before the archive is made. */
  available_until: string | null;
  /** When its owner had all of it: the link worked once. */
  downloaded_at: string | null;
}
