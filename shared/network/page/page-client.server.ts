import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect as startTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { TLS_OPTIONS, type CompletedTrust } from '../certificates/completed-trust.server';
import { connectTcp, type TcpOptions } from '../connect/connect-tcp.server';
import { errorCode } from '../explain-fetch-failure';
import type { PageRequest, PageResponse } from './page-response';
import { requestOverHttp1 } from './request-http1.server';
import { requestOverHttp2 } from './request-http2.server';

/** Requests pages as a browser does. */
export interface PageClient {
  /**
   * Requests one page over a new connection, with HTTP/2 where the server offers it. Redirects are responses.
   * Rejects with the signal's reason, a `PageError`, or the error of the connection.
   */
  request(request: PageRequest): Promise<PageResponse>;
}

/** OpenSSL's codes for a chain whose next certificate is missing. */
const INCOMPLETE = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
/** Certificates of a chain that are looked at. */
const MAX_CHAIN = 10;
const BOTH_VERSIONS = ['h2', 'http/1.1'];

/** `tcpFor`: how to connect to an address; throws when it must not. `trust`: completes the certificates of servers. */
export function createPageClient({
  tcpFor,
  trust,
}: {
  tcpFor: (url: URL) => TcpOptions;
  trust: CompletedTrust;
}): PageClient {
  let plainContext: SecureContext | undefined;

  async function handshake(
    { url, signal }: PageRequest,
    { protocols, context, verify = true }: { protocols: string[]; context?: SecureContext; verify?: boolean },
  ): Promise<TLSSocket> {
    const socket = await openTcp(url, signal);
    plainContext ??= createSecureContext(TLS_OPTIONS);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const tls = startTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: protocols,
      secureContext: context ?? plainContext,
      rejectUnauthorized: verify,
    });
    return new Promise((resolve, reject) => {
      tls.once('secureConnect', () => resolve(tls));
      tls.on('error', reject);
      tls.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
  }

  async function openTcp(url: URL, signal: AbortSignal): Promise<Socket> {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const socket = await connectTcp({ hostname: url.hostname, port }, { ...tcpFor(url), signal });
    const end = (): void => void socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', end));
    // The reader of the socket receives its first error; a later error must not end the process.
    socket.on('error', () => undefined);
    return socket;
  }

  /** Connects with TLS. If the server does not send an intermediate certificate, finds it and connects again. */
  async function openTls(request: PageRequest, protocols: string[]): Promise<TLSSocket> {
    const { url, signal } = request;
    try {
      return await handshake(request, { protocols, context: trust.find(url.host) });
    } catch (error) {
      signal.throwIfAborted();
      if (!INCOMPLETE.has(errorCode(error) ?? '')) throw error;
      // This connection only shows the certificates; nothing is sent over it.
      const unverified = await handshake(request, { protocols, verify: false });
      const chain = chainOf(unverified);
      unverified.destroy();
      const context = await trust.complete(url.host, chain, signal);
      if (context === undefined) throw error;
      return handshake(request, { protocols, context });
    }
  }

  async function requestOnce(request: PageRequest, protocols: string[]): Promise<PageResponse> {
    if (request.url.protocol === 'http:') {
      const plain = await openTcp(request.url, request.signal);
      request.onRequest?.();
      return requestOverHttp1(plain, request);
    }
    const socket = await openTls(request, protocols);
    request.onRequest?.();
    return socket.alpnProtocol === 'h2'
      ? requestOverHttp2(socket, request)
      : requestOverHttp1(socket, request);
  }

  return {
    async request(request) {
      const { signal } = request;
      signal.throwIfAborted();
      try {
        return await requestOnce(request, BOTH_VERSIONS);
      } catch (error) {
        signal.throwIfAborted();
        if (!(errorCode(error) ?? '').startsWith('ERR_HTTP2')) throw error;
      }
      // If a server's HTTP/2 fails, its HTTP/1.1 often works.
      return requestOnce(request, ['http/1.1']);
    },
  };
}

/** The certificates that a server sent, its own first. */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < MAX_CHAIN) {
    chain.push(certificate);
    const { issuerCertificate } = certificate;
    certificate =
      issuerCertificate?.fingerprint256 === certificate.fingerprint256 ? undefined : issuerCertificate;
  }
  return chain;
}
