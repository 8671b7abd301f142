import { isInvisible, firstCharacters } from '#shared/text';

/** Error messages from the specification. */
export const SAVE_FAILED = 'Failed to save article. Please try again.';
export const LOAD_FAILED = 'Failed to load article for editing.';
export const DELETE_FAILED = 'Failed to delete article. Please try again.';
export const STATUS_FAILED = 'Failed to update article status. Please try again.';
export const UPLOAD_FAILED = 'Failed to upload media. Please try again.';
export const MEDIA_DELETE_FAILED = 'Failed to delete media. Please try again.';
export const FEATURED_IMAGE_FAILED = 'Failed to set featured image. Please try again.';

/** Messages that the specification does not define. */
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
/** The message about images of the text that could not be stored. `names`: their file names, at least one. */
export function describeFailedUploads(names: readonly string[]): string {
  const [first = '', ...others] = names.map((name) => `“${name}”`);
  return others.length === 0
    ? `${first} in the text could not be uploaded. Try again or remove it before saving.`
    : `${[first, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)} in the text could not be uploaded. Try again or remove them before saving.`;
}

export const NEWS_OFF = 'News section is off';
export const SIGNED_OUT =
  'You are no longer signed in. Sign in again in another tab, then come back and save: your text is still here.';

/** Error messages of the list's forms, by intent. */
export const LIST_FAILED_FORMS = {
  publish: STATUS_FAILED,
  unpublish: STATUS_FAILED,
  feature: STATUS_FAILED,
  unfeature: STATUS_FAILED,
} as const;

/** Error messages of an article's forms, by intent. */
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

/** Adds the list's page number to a path of the editor screen, for the link back to the list. */
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

/** The preview page of an article's form. `id`: the stored article; null for a new one. */
export const previewAddress = (id: string | null) =>
  `${LIST}/preview${id === null ? '' : `?${new URLSearchParams({ article: id })}`}`;

/** The public page of an article; drafts are visible to admins only. */
export const publicAddress = (id: string) => `/news/${encodeURIComponent(id)}`;

/** The key of the local draft of an article; undefined for a new article. */
export function draftKeyOf(articleId: string | undefined): string {
  return articleId ?? 'new';
}

/** The fields of a local draft besides the content. */
export const DRAFT_FIELDS = ['title', 'excerpt'] as const;

/** The field with the version that the form was loaded from. */
export const VERSION_FIELD = 'version';

/** The field of a new article's form with the id of its draft, which the first image in the text creates. */
export const DRAFT_ID_FIELD = 'draft';

/**
 * Fields that a local draft stores besides its text: its base version, so that restoring it does not silently overwrite
 * another save, and the id of a new article's draft, which holds its images.
 */
export const DRAFT_CARRIES = [VERSION_FIELD, DRAFT_ID_FIELD] as const;

export interface MediaDetails {
  /** The image or video that the form concerns. */
  mediaId?: string;
  /** Rejected files of an upload; the others are stored. */
  refusedFiles?: { name: string; reason: string }[];
}

/** The deletion of an image or video. */
export interface MediaDeletion {
  /** The path below which all its sizes were served. */
  folder: string;
  /** The article's versions before and after; undefined if another admin had already deleted it. */
  versions?: { before: string; after: string };
}

/** Returns the first `length` characters of a text, with '…' if it is longer. */
export function shortened(text: string, length: number): string {
  const trimmed = text.trim();
  const beginning = firstCharacters(trimmed, length);
  return beginning.length < trimmed.length ? `${beginning.trimEnd()}…` : beginning;
}

/** Whether HTML contains no visible text; the same rule as the server's. */
export function isBlank(html: string): boolean {
  return isInvisible(html.replace(/<[^<>]*>|&nbsp;/g, ''));
}
