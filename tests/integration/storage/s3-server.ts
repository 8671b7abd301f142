import S3rver from '@20minutes/s3rver';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Config } from '#shared/config.server';
import { refusalOfSignature } from './s3-signature';

const BUCKET = 'packwatch-files';
/** s3rver knows no other id. */
const KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'a secret that no log may show' };
/** Where s3rver keeps the parts of uploads (lib/stores/filesystem.js, `initiateUpload`). */
const PARTS = '._S3rver_uploads';

/** A request as a test sees it, such as `PUT uploads/{id}/480.webp` with `partNumber`. */
export interface S3Call {
  method: string;
  key: string;
  query: URLSearchParams;
}

/** `cut`: the connection breaks before the response; `cut-body`: in the middle of the response's body. */
type S3Fault = 'slow-down' | 'cut' | 'cut-body' | 'hang';

export interface S3Server {
  config: S3Config;
  /** Returns the fault of each request. */
  fault: (call: S3Call) => S3Fault | null;
  /** The ids of uploads in parts that were neither completed nor aborted. */
  openUploads(): string[];
  /** Ends all connections and refuses new ones, on the same port until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/**
 * Starts an S3 server with an empty bucket: s3rver, behind a server that adds what s3rver lacks and S3 does. It checks
 * signatures and the digest of each body, stores nothing of a body that broke off, aborts and lists uploads in parts, and
 * lists files in pages.
 */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'packwatch-s3-'));
  const inner = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    // It refuses the SDK's bucket addresses, which end with a slash; `refusalOfSignature` replaces it.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port: innerPort } = await inner.run();

  const partsFolder = join(directory, BUCKET, PARTS);
  function openUploads(): string[] {
    try {
      return readdirSync(partsFolder);
    } catch {
      return [];
    }
  }

  function listUploads(prefix: string): string {
    const uploads = openUploads().map((id) => {
      const keyFile = join(partsFolder, id, 'key');
      const initiated = statSync(keyFile).mtime.toISOString();
      return { id, key: readFileSync(keyFile, 'utf8'), initiated };
    });
    const items = uploads
      .filter(({ key }) => key.startsWith(prefix))
      .map(
        ({ id, key, initiated }) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
      );
    return `<ListMultipartUploadsResult>${items.join('')}</ListMultipartUploadsResult>`;
  }

  /**
   * Lists files as version 2 of the call does, through version 1: s3rver encrypts the tokens of version 2 with DES, which
   * Node no longer has (lib/controllers/bucket.js, `generateContinuationToken`).
   */
  async function listFiles(query: URLSearchParams): Promise<string> {
    const first = new URLSearchParams(query);
    for (const name of ['list-type', 'continuation-token']) first.delete(name);
    first.set('marker', query.get('continuation-token') ?? '');
    const response = await fetch(`http://127.0.0.1:${innerPort}/${BUCKET}?${first}`);
    const xml = (await response.text()).replace(/^<\?xml[^>]*>/, '');
    const last = [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].at(-1)?.[1];
    return xml.replace(
      '<IsTruncated>true</IsTruncated>',
      `$&<NextContinuationToken>${last}</NextContinuationToken>`,
    );
  }

  function forward(request: IncomingMessage, body: Buffer, response: ServerResponse, cutBody: boolean): void {
    const { method, url: path, headers } = request;
    const forwarded = sendRequest(
      { host: '127.0.0.1', port: innerPort, method, path, headers, agent: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        if (!cutBody) {
          answer.pipe(response);
          return;
        }
        answer.once('data', (chunk: Buffer) => {
          answer.destroy();
          response.write(chunk.subarray(0, Math.ceil(chunk.byteLength / 2)), () => response.destroy());
        });
      },
    );
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    forwarded.end(body);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3.invalid');
    const [, bucket, ...path] = decodeURIComponent(pathname).split('/');
    const call = { method: request.method ?? '', key: path.join('/'), query };
    const fault = server.fault(call);
    if (fault === 'cut') {
      // In the middle of the body, if there is one.
      if (request.headers['content-length'] !== undefined) await once(request, 'data');
      return void request.socket.destroy();
    }
    if (fault === 'hang') return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (fault === 'slow-down') return sendError(response, 503, 'SlowDown');

    const refusal = refusalOfSignature(request, body, KEY);
    if (refusal !== null) return sendError(response, 403, refusal);
    const uploadId = query.get('uploadId');
    if (bucket === BUCKET && request.method === 'DELETE' && uploadId !== null) {
      rmSync(join(partsFolder, uploadId), { recursive: true, force: true });
      return void response.writeHead(204).end();
    }
    if (bucket === BUCKET && request.method === 'GET' && query.has('uploads'))
      return sendXml(response, 200, listUploads(query.get('prefix') ?? ''));
    if (bucket === BUCKET && query.get('list-type') === '2')
      return sendXml(response, 200, await listFiles(query));
    forward(request, body, response, fault === 'cut-body');
  }

  const front = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  let port = 0;
  const server: S3Server = {
    config: { url: '', region: 'eu-west-2', bucket: BUCKET, ...KEY },
    fault: () => null,
    openUploads,
    async start() {
      front.listen(port, '127.0.0.1');
      await once(front, 'listening');
      ({ port } = front.address() as AddressInfo);
      server.config.url = `http://127.0.0.1:${port}`;
    },
    async stop() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
    },
    async close() {
      if (front.listening) await server.stop();
      await inner.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
