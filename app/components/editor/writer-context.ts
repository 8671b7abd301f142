import { createContext, useContext } from 'react';
import type { NodeKey } from 'lexical';
import type { ImageUploads } from './image-uploads';

/** What the pictures in the text need of the editor around them. */
export interface WriterServices {
  /** Null: no pictures can be put in. */
  uploads: ImageUploads | null;
  openImage: (nodeKey: NodeKey) => void;
}

export const WriterContext = createContext<WriterServices>({ uploads: null, openImage: () => undefined });

export const useWriterServices = () => useContext(WriterContext);
