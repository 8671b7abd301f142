/** The screen of the only watch, or the list of the watches once there are two. */
export const MONITOR_PATH = '/dashboard/monitor';

/** The form of a new watch. */
export const NEW_WATCH_PATH = `${MONITOR_PATH}/new`;

/** A page of the list of watches. */
export function watchListAddress(page: number): string {
  return page === 1 ? MONITOR_PATH : `${MONITOR_PATH}?page=${page}`;
}

/** The watches of a page of the list, as JSON, for its open screen. */
export function watchesJsonAddress(page: number): string {
  return `${MONITOR_PATH}/watches.json?page=${page}`;
}

/** The screen of a watch. */
export function watchAddress(slug: string): string {
  return `${MONITOR_PATH}/${encodeURIComponent(slug)}`;
}

/** The form of a watch. */
export function editWatchAddress(slug: string): string {
  return `${watchAddress(slug)}/edit`;
}

/** The page that asks before a watch is deleted. */
export function deleteWatchAddress(slug: string): string {
  return `${watchAddress(slug)}/delete`;
}

/** The screen of a watch with the dialog that asks before a webhook is deleted. `path`: the address of the screen. */
export function deleteWebhookAddress(path: string, audience: string): string {
  return `${path}?${new URLSearchParams({ 'delete-webhook': audience })}`;
}

/** The page of one check of a watch. */
export function checkAddress(slug: string, checkId: string): string {
  return `${watchAddress(slug)}/checks/${encodeURIComponent(checkId)}`;
}

/** The response that a check received, as plain text. */
export function pageTextAddress(slug: string, checkId: string): string {
  return `${checkAddress(slug, checkId)}/page.txt`;
}

/** What a watch shows now, as JSON, for its open screen. */
export function liveAddress(slug: string): string {
  return `${watchAddress(slug)}/live.json`;
}

/** The checks of the last day of a watch, as JSON, for its open screen. `search`: the query of the screen. */
export function historyAddress(slug: string, search: string): string {
  return `${watchAddress(slug)}/history.json${search}`;
}
