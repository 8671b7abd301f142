import { X509Certificate } from 'node:crypto';

/** The most certificates that are read from one file. */
const MAX_CERTIFICATES = 10;
const SEQUENCE = 0x30;
const CONTEXT_0 = 0xa0;

/** The certificates of a file in DER, PEM or PKCS #7 (RFC 5280, section 4.2.2.1); an empty list when it is none of these. */
export function parseCertificates(bytes: Buffer): X509Certificate[] {
  const text = bytes.toString('latin1');
  const sources = text.includes('-----BEGIN') ? pemBlocks(text) : [bytes];
  return sources
    .flatMap((source) => {
      const single = parse(source);
      return single === null ? certificatesInPkcs7(source).flatMap((der) => parse(der) ?? []) : [single];
    })
    .slice(0, MAX_CERTIFICATES);
}

function parse(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}

function pemBlocks(text: string): Buffer[] {
  return text
    .split('-----BEGIN ')
    .slice(1, MAX_CERTIFICATES + 1)
    .map((block) => {
      const start = block.indexOf('-----') + 5;
      const end = block.indexOf('-----END', start);
      return Buffer.from(block.slice(start, end === -1 ? undefined : end), 'base64');
    });
}

interface Element {
  tag: number;
  /** The content and the whole element, as positions. */
  start: number;
  contentAt: number;
  end: number;
}

/** Reads one element of DER (X.690, section 8.1); null when it does not fit. */
function readElement(bytes: Buffer, start: number, limit: number): Element | null {
  if (start + 2 > limit) return null;
  const tag = bytes[start] ?? 0;
  const first = bytes[start + 1] ?? 0;
  const extra = first > 0x80 ? first - 0x80 : 0;
  if (first === 0x80 || extra > 4 || start + 2 + extra > limit) return null;
  const length = extra === 0 ? first : bytes.readUIntBE(start + 2, extra);
  const contentAt = start + 2 + extra;
  return contentAt + length > limit ? null : { tag, start, contentAt, end: contentAt + length };
}

function childrenOf(bytes: Buffer, { contentAt, end }: Element): Element[] {
  const children: Element[] = [];
  for (let at = contentAt; at < end && children.length < 100;) {
    const child = readElement(bytes, at, end);
    if (child === null) return children;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** ContentInfo { type, [0] SignedData { version, digests, content, [0] certificates, … } } (RFC 5652, sections 3, 5.1). */
function certificatesInPkcs7(bytes: Buffer): Buffer[] {
  const outer = readElement(bytes, 0, bytes.length);
  if (outer?.tag !== SEQUENCE) return [];
  const wrapper = childrenOf(bytes, outer).find(({ tag }) => tag === CONTEXT_0);
  const signedData = wrapper && childrenOf(bytes, wrapper)[0];
  if (signedData?.tag !== SEQUENCE) return [];
  const certificates = childrenOf(bytes, signedData).find(({ tag }) => tag === CONTEXT_0);
  if (certificates === undefined) return [];
  return childrenOf(bytes, certificates)
    .filter(({ tag }) => tag === SEQUENCE)
    .map(({ start, end }) => bytes.subarray(start, end));
}

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
