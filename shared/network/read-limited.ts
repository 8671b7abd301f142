import type { Dispatcher } from 'undici';

/** Reads at most `maxBytes` of a response as UTF-8 and cancels the rest, so that no service can exhaust the memory. */
export async function readLimited(
  body: Dispatcher.ResponseData['body'],
  { maxBytes }: { maxBytes: number },
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      body.destroy();
      break;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
