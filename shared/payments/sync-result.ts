/**
 * What a sync did. changed: the database now holds what Stripe says; unchanged: it already did; ignored: the object is
 * not ours, or Stripe does not have it.
 */
export type SyncResult = 'changed' | 'unchanged' | 'ignored';
