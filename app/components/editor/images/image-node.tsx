import {
  $applyNodeReplacement,
  DecoratorNode,
  type EditorConfig,
  type LexicalNode,
  type NodeKey,
  type SerializedLexicalNode,
  type Spread,
} from 'lexical';
import type { ReactElement } from 'react';
import { ownImagePath } from '#shared/news/article-html/article-links';
import { ImageView, type ImageNodeSource } from './image-view';

type SerializedImageNode = Spread<{ source: ImageNodeSource; alt: string }, SerializedLexicalNode>;

/** An image in the text. While it uploads the node holds only the upload's id, so undo cannot revert the upload's state. */
export class ImageNode extends DecoratorNode<ReactElement> {
  __source: ImageNodeSource;
  __alt: string;

  static override getType(): string {
    return 'article-image';
  }

  static override clone(node: ImageNode): ImageNode {
    return new ImageNode(node.__source, node.__alt, node.__key);
  }

  /** Validates its input, because any page can write to the clipboard. */
  static override importJSON({ source, alt }: SerializedImageNode): ImageNode {
    const checked: ImageNodeSource =
      source.kind === 'stored'
        ? { ...source, src: ownImagePath(String(source.src), null) ?? '' }
        : { kind: 'upload', uploadId: String(source.uploadId) };
    return $createImageNode(checked, String(alt));
  }

  constructor(source: ImageNodeSource, alt: string, key?: NodeKey) {
    super(key);
    this.__source = source;
    this.__alt = alt;
  }

  override exportJSON(): SerializedImageNode {
    return { ...super.exportJSON(), source: this.__source, alt: this.__alt };
  }

  override createDOM(config: EditorConfig): HTMLElement {
    const span = document.createElement('span');
    span.className = String(config.theme.image ?? '');
    return span;
  }

  override updateDOM(): false {
    return false;
  }

  override isInline(): true {
    return true;
  }

  getSource(): ImageNodeSource {
    return this.getLatest().__source;
  }

  getAlt(): string {
    return this.getLatest().__alt;
  }

  setAlt(alt: string): this {
    const writable = this.getWritable();
    writable.__alt = alt;
    return writable;
  }

  override decorate(): ReactElement {
    return <ImageView nodeKey={this.getKey()} source={this.__source} alt={this.__alt} />;
  }
}

export function $createImageNode(source: ImageNodeSource, alt: string): ImageNode {
  return $applyNodeReplacement(new ImageNode(source, alt));
}

export function $isImageNode(node: LexicalNode | null | undefined): node is ImageNode {
  return node instanceof ImageNode;
}
