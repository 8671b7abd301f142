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
export const MEDIA_CHANGE_FAILED = 'Failed to save the caption. Please try again.';
export const MEDIA_MOVE_FAILED = 'Failed to change the order. Please try again.';
export const WORDS_FIRST = 'Give the article a title and some words first; then pictures can be put in.';
export const DRAFT_MADE = 'Saved as a draft, so that its pictures have a place.';
export const CONFLICT =
  'Somebody else has changed this article since you opened it. Nothing of yours is lost: compare with the saved version, then save over it, or leave theirs.';
export const GONE =
  'Somebody has deleted this article. What you wrote is still here: copy it into a new one to keep it.';
export const SIGNED_OUT =
  'You are no longer signed in. Sign in again in another tab, then come back and save: nothing you wrote is lost.';

/** What a form leads back to, and what it then says. */
const DONE = {
  created: 'Article created. You can add pictures and films now.',
  saved: 'Article saved.',
  deleted: 'Article deleted.',
  published: 'Article published.',
  unpublished: 'Article is a draft again.',
  featured: 'Article featured.',
  unfeatured: 'Article no longer featured.',
  uploaded: 'Files uploaded.',
  caption: 'Caption saved.',
  moved: 'Order changed.',
  'featured-image': 'Featured image set.',
  'no-featured-image': 'Featured image taken away.',
  'media-deleted': 'File deleted.',
} as const;

export type Done = keyof typeof DONE;

/** What a page says after the form that led to it, by the name in its address; null for no such name. */
export function doneText(name: string | null): string | null {
  return name !== null && Object.hasOwn(DONE, name) ? DONE[name as Done] : null;
}
