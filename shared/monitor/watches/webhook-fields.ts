/**
 * The name of the field of each audience's webhook in the form of a new watch. Not in `watch-fields.ts`: the form is
 * browser code, and zod would become part of the scripts of every page.
 */
export const WEBHOOK_FIELDS = {
  instant: 'webhookInstant',
  free: 'webhookFree',
  admin: 'webhookAdmin',
} as const;
