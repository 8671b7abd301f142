import { createContext, useContext } from 'react';
import type { NodeKey } from 'lexical';
import type { ImageUploads } from './images/image-uploads';

/** What the images in the text need from the editor around them. */
export interface WriterServices {
  uploads: ImageUploads;
  openImage: (nodeKey: NodeKey) => void;
}

export const WriterContext = createContext<WriterServices | null>(null);

export function useWriterServices(): WriterServices {
  const services = useContext(WriterContext);
  if (services === null) throw new Error('there is no editor around this');
  return services;
}
