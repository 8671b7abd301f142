/** The screen of the only watch, or the list of the watches once there are two. */
export const MONITOR_PATH = '/dashboard/monitor';

/** The screen of a watch. */
export function watchAddress(slug: string): string {
  return `${MONITOR_PATH}/${encodeURIComponent(slug)}`;
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
export function historyAddress(slug: string, search = ''): string {
  return `${watchAddress(slug)}/history.json${search}`;
}

/** The form of a new watch. */
export const NEW_WATCH_PATH = `${MONITOR_PATH}/new`;

/** The form with the title, the page and the hours of a watch. */
export function editWatchAddress(slug: string): string {
  return `${watchAddress(slug)}/edit`;
}
