import { $dfs } from '@lexical/utils';
import { $isParagraphNode, HISTORY_MERGE_TAG, type LexicalEditor } from 'lexical';
import { $isImageNode, ImageNode } from './image-node';
import type { ImageUploads } from './image-uploads';

/** Removes images from the text that are deleted from the site while the text is open; undo does not restore them. */
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
      const isLeftOver = $isParagraphNode(parent) && parent.isEmpty();
      if (isLeftOver && (parent.getPreviousSibling() ?? parent.getNextSibling()) !== null) parent.remove();
    }
  }

  private isDeleted(node: ImageNode): boolean {
    const source = node.getSource();
    const image = source.kind === 'stored' ? source : this.uploads.findImage(source.uploadId);
    return image !== null && [...this.folders].some((folder) => image.src.startsWith(folder));
  }
}
