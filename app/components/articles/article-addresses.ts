import type { Done } from './article-texts';

const LIST = '/dashboard/articles';

/** Which page of the list an address means: 1 unless it says a whole number above. */
export function listPageOf(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** Every address of the desk knows the list's page, so that the way back leads there. */
function address(path: string, page: number, done?: Done): string {
  const search = new URLSearchParams();
  if (page > 1) search.set('page', String(page));
  if (done !== undefined) search.set('done', done);
  return search.size === 0 ? path : `${path}?${search}`;
}

export const listAddress = (page: number, done?: Done) => address(LIST, page, done);

export const newArticleAddress = (page: number) => address(`${LIST}/new`, page);

export const articleAddress = (id: string, page: number, done?: Done) =>
  address(`${LIST}/${encodeURIComponent(id)}`, page, done);

export const deleteArticleAddress = (id: string, page: number) =>
  address(`${LIST}/${encodeURIComponent(id)}/delete`, page);

export const deleteMediaAddress = (id: string, mediaId: string, page: number) =>
  address(`${LIST}/${encodeURIComponent(id)}/media/${encodeURIComponent(mediaId)}/delete`, page);

/** Where a visitor reads it; a draft is there for admins alone. */
export const publicAddress = (id: string) => `/news/${encodeURIComponent(id)}`;
