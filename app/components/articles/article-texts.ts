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

/** What a form leads back to, and what it then says. */
const DONE = {
  created: 'Article created. You can now add images and videos.',
  saved: 'Article saved.',
  deleted: 'Article deleted.',
  published: 'Article published.',
  unpublished: 'Article unpublished. It is a draft again.',
  featured: 'Article featured.',
  unfeatured: 'Article no longer featured.',
  uploaded: 'Files uploaded.',
  caption: 'Caption saved.',
  moved: 'Order changed.',
  'featured-image': 'Featured image set.',
  'no-featured-image': 'Featured image removed.',
  'media-deleted': 'File deleted.',
} as const;

export type Done = keyof typeof DONE;

/** What a page says after the form that led to it, by the name in its address; null for no such name. */
export function doneText(name: string | null): string | null {
  return name !== null && Object.hasOwn(DONE, name) ? DONE[name as Done] : null;
}
