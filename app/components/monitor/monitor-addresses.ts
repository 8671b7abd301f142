/** The screen of the only watch, or the list of the watches once there are two. */
export const MONITOR_PATH = '/dashboard/monitor';

/** The form of a new watch. */
export const NEW_WATCH_PATH = `${MONITOR_PATH}/new`;

/** The watches of products, by shop. */
export const PRODUCTS_PATH = `${MONITOR_PATH}/products`;

/** The form of a new product watch. */
export const NEW_PRODUCT_PATH = `${PRODUCTS_PATH}/new`;

/** The form of a new product watch with the address of a page. */
export const suggestedAddress = (url: string): string =>
  `${NEW_PRODUCT_PATH}?${new URLSearchParams({ url })}`;

/** The form of a new product watch with what a page shows. */
export const previewAddress = (id: string): string =>
  `${NEW_PRODUCT_PATH}?${new URLSearchParams({ preview: id })}`;

/** The form of a product, and its watches. */
export const productAddress = (slug: string): string => `${PRODUCTS_PATH}/${encodeURIComponent(slug)}`;

/** A page of the products of a shop. */
export function retailerAddress(host: string, page = 1): string {
  const path = `${MONITOR_PATH}/retailers/${encodeURIComponent(host)}`;
  return page === 1 ? path : `${path}?page=${page}`;
}

/** A page of what members suggest. */
export function suggestionsAddress(page = 1): string {
  const path = `${PRODUCTS_PATH}?tab=suggestions`;
  return page === 1 ? path : `${path}&page=${page}`;
}

/** The pages that were judged wrongly. */
export const CASES_PATH = `${MONITOR_PATH}/cases`;

/** A page of the list of watches. */
export const watchListAddress = (page: number): string =>
  page === 1 ? MONITOR_PATH : `${MONITOR_PATH}?page=${page}`;

/** The watches of a page of the list, as JSON, for its open screen. */
export const watchesJsonAddress = (page: number): string => `${MONITOR_PATH}/watches.json?page=${page}`;

/** The screen of a watch. */
export const watchAddress = (slug: string): string => `${MONITOR_PATH}/${encodeURIComponent(slug)}`;

/** The form of a watch. */
export const editWatchAddress = (slug: string): string => `${watchAddress(slug)}/edit`;

/** The page that asks before a watch is deleted. */
export const deleteWatchAddress = (slug: string): string => `${watchAddress(slug)}/delete`;

/** The screen of a watch with the dialog that asks before a webhook is deleted. `path`: the address of the screen. */
export const deleteWebhookAddress = (path: string, audience: string): string =>
  `${path}?${new URLSearchParams({ 'delete-webhook': audience })}`;

/** The page of one check of a watch. */
export const checkAddress = (slug: string, checkId: string): string =>
  `${watchAddress(slug)}/checks/${encodeURIComponent(checkId)}`;

/** The response that a check received, as plain text. */
export const pageTextAddress = (slug: string, checkId: string): string =>
  `${checkAddress(slug, checkId)}/page.txt`;

/** The current state of a watch as JSON, for its open screen. */
export const liveAddress = (slug: string): string => `${watchAddress(slug)}/live.json`;

/** The checks of the last day of a watch, as JSON, for its open screen. `search`: the query of the screen. */
export const historyAddress = (slug: string, search: string): string =>
  `${watchAddress(slug)}/history.json${search}`;
