import type { X509Certificate } from 'node:crypto';
import { parseCertificates } from './parse-certificates.server';

/** Reads the file at an address. Rejects when it is not reachable, not public or too large. */
export type DownloadCertificate = (address: URL, signal: AbortSignal) => Promise<Buffer>;

/** Certificates that may be missing between those of the server and a root. */
const MAX_MISSING = 3;

/**
 * Finds the intermediate certificates that a server should have sent, at the addresses that the certificates name
 * ("CA Issuers", RFC 5280, section 4.2.2.1), as browsers do. `chain`: what the server sent, its own certificate first.
 * Null unless the completed chain leads to one of the `roots` by valid signatures. Only certificates of authorities that
 * are not self-signed are returned: with them, OpenSSL still demands a known root and checks dates, names and purposes.
 */
export async function findMissingIssuers(
  chain: readonly X509Certificate[],
  {
    roots,
    download,
    signal,
  }: {
    roots: readonly X509Certificate[];
    download: DownloadCertificate;
    signal: AbortSignal;
  },
): Promise<X509Certificate[] | null> {
  const [own, ...others] = chain;
  if (own === undefined) return null;
  // Servers send certificates in any order, and superfluous ones.
  let last = own;
  for (let link = 0; link < others.length; link += 1)
    last = others.find((other) => hasIssued(other, last)) ?? last;
  const found: X509Certificate[] = [];
  while (!roots.some((root) => hasIssued(root, last))) {
    const address = issuerAddress(last);
    if (address === null || found.length === MAX_MISSING) return null;
    const candidates = parseCertificates(await download(address, signal));
    const issuer = candidates.find((candidate) => !isSelfSigned(candidate) && hasIssued(candidate, last));
    if (issuer === undefined) return null;
    found.push(issuer);
    last = issuer;
  }
  return found;
}

/** Whether an authority's certificate signed another one. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  if (issuer.fingerprint256 === certificate.fingerprint256) return false;
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** OpenSSL takes a self-signed certificate among the trusted ones for a root. */
function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer || certificate.verify(certificate.publicKey);
}

/** The first http address of the issuer's certificate, or null. */
function issuerAddress({ infoAccess }: X509Certificate): URL | null {
  for (const line of (infoAccess ?? '').split('\n')) {
    const address = line.startsWith('CA Issuers - URI:') ? line.slice('CA Issuers - URI:'.length) : '';
    const url = URL.parse(address.replaceAll('"', ''));
    if (url?.protocol === 'http:') return url;
  }
  return null;
}
