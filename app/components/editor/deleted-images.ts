import { $dfs } from '@lexical/utils';
import { $isParagraphNode, HISTORY_MERGE_TAG, type LexicalEditor } from 'lexical';
import { $isImageNode, ImageNode } from './image-node';
import type { ImageUploads } from './image-uploads';

/** The images that were deleted from the site while they stood in a text: they leave it, and no undo brings one back. */
export class DeletedImages {
  private readonly folders = new Set<string>();

  constructor(
    private readonly editor: LexicalEditor,
    private readonly uploads: ImageUploads,
  ) {}

  /** Keeps them out of the text until the returned function is called. */
  watch(): () => void {
    return this.editor.registerMutationListener(ImageNode, (mutations) => {
      if (this.folders.size === 0 || ![...mutations.values()].includes('created')) return;
      this.editor.update(() => this.$remove(), { tag: HISTORY_MERGE_TAG });
    });
  }

  /** Takes an image out of the text at once; `folder` is where all its forms are served from. */
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
