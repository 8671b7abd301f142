import { $insertNodeToNearestRoot } from '@lexical/utils';
import { $createParagraphNode, $isElementNode, $isParagraphNode } from 'lexical';
import { firstPictureOf, losesAnimation } from '~/components/animations/animation-note';
import { $ensureSelection } from '~/components/editor/editor-actions';
import { $createImageNode } from './image-node';

const VIDEOS_BELOW = 'Add videos below the text.';

const isVideo = ({ type }: File) => type.startsWith('video/');

/** Splits dropped or pasted files into images for the text and a refusal for the others; null if there are none. */
export function sortFiles(files: readonly File[]): { images: File[]; refusal: string | null } {
  const images = files.filter(({ type }) => type.startsWith('image/') && type !== 'image/svg+xml');
  const refused = files.filter((file) => !images.includes(file));
  const other = refused.find((file) => !isVideo(file));
  const sentences = [
    ...(other === undefined ? [] : [`${other.name} can't be used as an image in the text.`]),
    ...(refused.some(isVideo) ? [VIDEOS_BELOW] : []),
  ];
  return { images, refusal: sentences.length === 0 ? null : sentences.join(' ') };
}

/** The note about images of which only the first frame is kept; null if there are none. */
export async function noticeOfAnimations(images: readonly File[]): Promise<string | null> {
  const lost = await Promise.all(images.map((file) => losesAnimation(file, { keepsSmall: true })));
  const names = images.filter((_, index) => lost[index] === true).map(({ name }) => name);
  return names.length === 0 ? null : firstPictureOf(names);
}

/** Inserts an image at the caret in its own paragraph, followed by a paragraph to write in. Called inside an update. */
export function $insertImage(uploadId: string): void {
  $ensureSelection();
  const paragraph = $createParagraphNode().append($createImageNode({ kind: 'upload', uploadId }, ''));
  $insertNodeToNearestRoot(paragraph);
  const before = paragraph.getPreviousSibling();
  if ($isParagraphNode(before) && before.isEmpty()) before.remove();
  const after = paragraph.getNextSibling();
  if (after === null) paragraph.insertAfter($createParagraphNode());
  // The empty rest of a block that was split at its end.
  else if ($isElementNode(after) && after.isEmpty()) after.replace($createParagraphNode());
  paragraph.getNextSibling()?.selectStart();
}
