import {
  $getNodeByKey,
  $isParagraphNode,
  HISTORY_MERGE_TAG,
  mergeRegister,
  type LexicalEditor,
  type NodeKey,
} from 'lexical';
import { $dfs } from '@lexical/utils';
import { $isImageNode, ImageNode } from './image-node';
import type { ImageUploads } from './image-uploads';

/** Must be called inside a read. */
function $uploadIdOf(nodeKey: NodeKey): string | null {
  const node = $getNodeByKey(nodeKey);
  const source = $isImageNode(node) ? node.getSource() : null;
  return source?.kind === 'upload' ? source.uploadId : null;
}

/** Synchronises text and uploads: aborts the upload of a removed image, and removes images without a known upload. */
export function syncUploads(editor: LexicalEditor, uploads: ImageUploads): () => void {
  const uploadIds = new Map<NodeKey, string>();
  return mergeRegister(
    editor.registerNodeTransform(ImageNode, (node) => {
      const source = node.getSource();
      const known = source.kind === 'stored' ? source.src !== '' : uploads.find(source.uploadId) !== null;
      if (!known) node.remove();
    }),
    editor.registerMutationListener(ImageNode, (mutations) => {
      const removed = new Set<string>();
      for (const [nodeKey, mutation] of mutations) {
        const uploadId =
          mutation === 'destroyed'
            ? (uploadIds.get(nodeKey) ?? null)
            : editor.getEditorState().read(() => $uploadIdOf(nodeKey));
        if (uploadId === null) continue;
        if (mutation === 'destroyed') {
          uploadIds.delete(nodeKey);
          removed.add(uploadId);
        } else uploadIds.set(nodeKey, uploadId);
      }
      // Moving an image destroys one node and creates another.
      const remaining = new Set(uploadIds.values());
      for (const uploadId of removed) if (!remaining.has(uploadId)) uploads.abandon(uploadId);
    }),
  );
}

/** Removes images from the text that were deleted from the site while it is open; undo does not restore them. */
export class DeletedImages {
  private readonly folders = new Set<string>();

  constructor(
    private readonly editor: LexicalEditor,
    private readonly uploads: ImageUploads,
  ) {}

  /** Removes them again when undo restores them, until the returned function is called. */
  watch(): () => void {
    return this.editor.registerMutationListener(ImageNode, (mutations) => {
      if (this.folders.size === 0 || ![...mutations.values()].includes('created')) return;
      this.editor.update(() => this.$remove(), { tag: HISTORY_MERGE_TAG });
    });
  }

  /** Removes an image from the text. `folder`: the path below which all its variants are served. */
  remove(folder: string): void {
    this.folders.add(folder);
    this.editor.update(() => this.$remove(), { tag: HISTORY_MERGE_TAG, discrete: true });
  }

  private $remove(): void {
    for (const { node } of $dfs()) {
      if (!$isImageNode(node) || !this.isDeleted(node)) continue;
      const parent = node.getParent();
      node.remove();
      const isLeftover = $isParagraphNode(parent) && parent.isEmpty();
      if (isLeftover && (parent.getPreviousSibling() ?? parent.getNextSibling()) !== null) parent.remove();
    }
  }

  private isDeleted(node: ImageNode): boolean {
    const source = node.getSource();
    const image = source.kind === 'stored' ? source : this.uploads.findImage(source.uploadId);
    return image !== null && [...this.folders].some((folder) => image.src.startsWith(folder));
  }
}
