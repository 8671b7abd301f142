declare module 'html-encoding-sniffer' {
  /** Returns the name of an encoding (Encoding standard, 4.2), or `defaultEncoding`. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string | undefined; defaultEncoding?: string },
  ): string;
}
