import { SECOND } from '../../clock';
import type { HttpClient } from '../connect/http-client.server';
import type { DownloadCertificate } from './missing-issuers.server';

const TIMEOUT_MS = 5 * SECOND;
/** A certificate has about 2 KB; PKCS #7 files contain a few. */
const MAX_BYTES = 64 * 1024;

/** Downloads certificates with a client, which decides what addresses are allowed. Follows no redirects. */
export function createCertificateDownload(client: HttpClient): DownloadCertificate {
  return async (address, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
    const { statusCode, body } = await client.request(address, { signal });
    body.on('error', () => undefined);
    try {
      if (statusCode !== 200) throw new Error(`the address answers ${statusCode}`);
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of body as AsyncIterable<Buffer>) {
        length += piece.length;
        if (length > MAX_BYTES) throw new Error('the certificate is too large');
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    } finally {
      body.destroy();
    }
  };
}
