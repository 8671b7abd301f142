import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { emptyPage } from '../parse/parsed-page';
import { parseHtml } from '../parse/parse-html';
import { readRefresh } from '../parse/read-refresh';
import { walkPage } from '../parse/walk-page';

/** A page with content is longer, and is not parsed here. In characters. */
const MAX_PAGE = 8 * 1024;
/** What such a page may say: "Redirecting to …". In characters. */
const MAX_TEXT = 300;
const MAX_SECONDS = 1;
/** What every refresh element contains: its name, or a reference to one of its characters. Parsing would delay the alert. */
const REFRESH_NAME = /refresh|&#/i;

/**
 * Where a page that is otherwise empty sends the browser at once, by a `Refresh` header or element. Null for every other
 * page. `url`: the page's address.
 */
export function instantRefresh(
  { headers, text, decodable }: Pick<PageAnswer, 'headers' | 'decodable'> & { text: string },
  url: string,
): string | null {
  if (!decodable || text.length > MAX_PAGE) return null;
  if (headers['refresh'] === undefined && !REFRESH_NAME.test(text)) return null;
  const page = emptyPage('html');
  walkPage(parseHtml(text), page);
  const header = [headers['refresh'] ?? []].flat()[0];
  const refresh = (header === undefined ? null : readRefresh(header)) ?? page.refreshes[0];
  if (refresh === undefined || refresh.seconds > MAX_SECONDS) return null;
  const shown = page.text.trim() || page.addressedText.trim();
  const isEmpty = shown === '' || (shown.length <= MAX_TEXT && shown.includes('redirect'));
  const runs = page.scripts.length + page.scriptAddresses.length + page.frames.length;
  if (!isEmpty || runs > 0 || page.formAddresses.length > 0) return null;
  // Without an address the page reloads itself, perhaps with a cookie that it has set.
  return URL.parse(refresh.url ?? url, url)?.href ?? null;
}
