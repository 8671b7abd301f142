import { isInvisible, firstCharacters } from '#shared/text';

/** The specification's words for what did not work. */
export const SAVE_FAILED = 'Failed to save article. Please try again.';
export const LOAD_FAILED = 'Failed to load article for editing.';
export const DELETE_FAILED = 'Failed to delete article. Please try again.';
export const STATUS_FAILED = 'Failed to update article status. Please try again.';
export const UPLOAD_FAILED = 'Failed to upload media. Please try again.';
export const MEDIA_DELETE_FAILED = 'Failed to delete media. Please try again.';
export const FEATURED_IMAGE_FAILED = 'Failed to set featured image. Please try again.';

/** Beyond the specification: what it has no words for. */
export const LIST_FAILED = 'Failed to load articles. Please try again.';
const MEDIA_CHANGE_FAILED = 'Failed to save the caption. Please try again.';
const MEDIA_MOVE_FAILED = 'Failed to change the order. Please try again.';
export const TEXT_FIRST = 'Add a title and some text before inserting images.';
export const DRAFT_MADE = 'Saved as a draft so images can be attached.';
export const CONFLICT =
  'Someone else has changed this article since you opened it. None of your work is lost: compare it with the saved version, then overwrite that version or keep it.';
export const GONE =
  'Someone has deleted this article. Your text is still here: copy it into a new article to keep it.';
export const DRAFT_GONE =
  'Someone has deleted this draft along with its images. Your text is still here: save again to create a new article, and add the images again.';
export const UPLOADS_FAILED =
  'An image in the text could not be uploaded. Try again or remove it before saving.';
export const NEWS_OFF = 'News section is off';
export const SIGNED_OUT =
  'You are no longer signed in. Sign in again in another tab, then come back and save: your text is still here.';

/** Of the forms of the list, by intent. */
export const LIST_FAILED_FORMS = {
  publish: STATUS_FAILED,
  unpublish: STATUS_FAILED,
  feature: STATUS_FAILED,
  unfeature: STATUS_FAILED,
} as const;

/** Of the forms of an article and its media, by intent. */
export const ARTICLE_FAILED = {
  save: SAVE_FAILED,
  overwrite: SAVE_FAILED,
  caption: MEDIA_CHANGE_FAILED,
  'move-up': MEDIA_MOVE_FAILED,
  'move-down': MEDIA_MOVE_FAILED,
  'feature-image': FEATURED_IMAGE_FAILED,
  'unfeature-image': FEATURED_IMAGE_FAILED,
  upload: UPLOAD_FAILED,
} as const;

const LIST = '/dashboard/articles';

/** Which page of the list an address means: 1 unless it says a whole number above. */
export function listPageOf(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** Every address of the editor screen carries the list's page, so that the way back leads there. */
function address(path: string, page: number): string {
  return page > 1 ? `${path}?page=${page}` : path;
}

export const listAddress = (page: number) => address(LIST, page);

export const newArticleAddress = (page: number) => address(`${LIST}/new`, page);

export const articleAddress = (id: string, page: number) =>
  address(`${LIST}/${encodeURIComponent(id)}`, page);

export const deleteArticleAddress = (id: string, page: number) =>
  address(`${LIST}/${encodeURIComponent(id)}/delete`, page);

export const deleteMediaAddress = (id: string, mediaId: string, page: number) =>
  address(`${LIST}/${encodeURIComponent(id)}/media/${encodeURIComponent(mediaId)}/delete`, page);

/** Where a visitor reads it; a draft is there for admins alone. */
export const publicAddress = (id: string) => `/news/${encodeURIComponent(id)}`;

/** The key of the draft that a browser keeps of an article, or of one that does not exist yet. */
export function draftKeyOf(articleId: string | undefined): string {
  return articleId ?? 'new';
}

/** The fields that belong to it beside the content. */
export const DRAFT_FIELDS = ['title', 'excerpt'] as const;

/** The field that says which version of the article a form was made from. */
export const VERSION_FIELD = 'version';

/** The field of a new article's form that names the draft it became when an image was put into its text. */
export const DRAFT_ID_FIELD = 'draft';

/**
 * What a kept draft carries beside its text: the version it was made from, so that restoring it overwrites no other save
 * silently, and, of a new article, the draft that its images were sent to.
 */
export const DRAFT_CARRIES = [VERSION_FIELD, DRAFT_ID_FIELD] as const;

/** What a form on an article's images and videos reports beside its result. */
export interface MediaDetails {
  /** Which of them it concerns. */
  mediaId?: string;
  /** Files of an upload that were not taken; the others were. */
  refusedFiles?: { name: string; reason: string }[];
}

/** One of an article's media that was deleted. */
export interface MediaDeletion {
  /** Where all its sizes were served from. */
  folder: string;
  /** The versions of its article before and after; undefined: another admin had deleted it before. */
  versions?: { before: string; after: string };
}

/** The first `length` characters of a text, with '…' when more follows. */
export function shortened(text: string, length: number): string {
  const trimmed = text.trim();
  const beginning = firstCharacters(trimmed, length);
  return beginning.length < trimmed.length ? `${beginning.trimEnd()}…` : beginning;
}

/** Whether HTML has no text to read, as saving it will judge. */
export function isBlank(html: string): boolean {
  return isInvisible(html.replace(/<[^>]*>|&nbsp;/g, ''));
}
