import { createContext, useContext } from 'react';
import type { NodeKey } from 'lexical';
import type { ImageUploads } from './images/image-uploads';

/** The editor's services for images in the text. */
export interface WriterServices {
  uploads: ImageUploads;
  openImage: (nodeKey: NodeKey) => void;
}

export const WriterContext = createContext<WriterServices | null>(null);

/** Returns the editor's services; throws outside the editor. */
export function useWriterServices(): WriterServices {
  const services = useContext(WriterContext);
  if (services === null) throw new Error('useWriterServices is called outside the editor');
  return services;
}
