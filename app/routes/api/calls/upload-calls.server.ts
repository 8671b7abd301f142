import { z } from 'zod';
import { releaseOperations } from '#shared/releases/release-operations';
import { call, emptyResponse, performingCall } from '~/http/api/call.server';
import type { ApiCalls } from '~/http/api/endpoint.server';
import { TUS_PATH } from '../tus/tus-path';
import type * as TusServer from '../tus/tus-server.server';

const params = z.object({ id: z.uuid() });

const versionHeader = z.literal('1.0.0').describe('The version of the tus protocol.');
const tusHeaders = z.object({ 'Tus-Resumable': versionHeader });

/** tus 1.0.0, "Tus-Resumable": it is in every response. */
const fixedHeaders = { 'Tus-Resumable': '1.0.0' };
const offset = { 'Upload-Offset': 'How many bytes have arrived.' };
const expires = { 'Upload-Expires': 'When an upload that receives no more bytes is removed.' };

const METADATA =
  'Pairs of a key and a Base64 text, separated by commas: `filename`, `version`, `platform`, and perhaps ' +
  '`release_notes`, `is_beta` and `published` (`true` or `false`). The headers of a request can be up to 16 KB: create ' +
  'the release first if its notes are longer.';

/** The tus server is loaded with the first call: most web processes never receive one. */
async function serveTus(...call: Parameters<typeof TusServer.serveTus>): Promise<Response> {
  const tus = await import('../tus/tus-server.server');
  return tus.serveTus(...call);
}

/** Resumable uploads: the tus protocol, for its clients. The last byte of one does what `uploadReleaseFile` does. */
export const uploadPaths: ApiCalls = {
  [`POST ${TUS_PATH}`]: performingCall(releaseOperations.beginUpload, {
    id: 'beginUpload',
    summary: 'Begins a resumable upload of a release file',
    description:
      'tus 1.0 (tus.io), creation. `Location` is the address of the upload. When the last byte has arrived, its content is ' +
      'checked and it becomes the file of the version for the platform, as with `uploadReleaseFile`.',
    requestHeaders: tusHeaders.extend({
      'Upload-Length': z.string().describe('The size of the whole file in bytes.'),
      'Upload-Metadata': z.string().describe(METADATA),
    }),
    responseHeaders: { Location: 'The address of the upload, from the site’s root.', ...expires },
    fixedHeaders,
    status: 201,
    response: emptyResponse,
    failures: [409, 412, 413, 422],
    run: (begin, { request }) => serveTus(request, { begin }),
  }),

  [`OPTIONS ${TUS_PATH}`]: call({
    id: 'describeUploads',
    summary: 'Tells what the server supports of the tus protocol',
    description: 'Versions, extensions and the largest file.',
    access: 'admin',
    responseHeaders: {
      'Tus-Version': 'The supported versions.',
      'Tus-Extension': 'The supported extensions.',
      'Tus-Max-Size': 'The largest file in bytes.',
    },
    fixedHeaders,
    status: 204,
    response: emptyResponse,
    run: ({ request }) => serveTus(request),
  }),

  [`HEAD ${TUS_PATH}/{id}`]: performingCall(releaseOperations.finishUpload, {
    id: 'readUpload',
    summary: 'Tells how many bytes of an upload have arrived',
    description:
      'An upload whose offset is its length is stored. After a broken connection a client reads the offset, then continues. ' +
      'A site may have several servers: one that does not have the bytes of the upload answers 409; try again.',
    params,
    requestHeaders: tusHeaders,
    responseHeaders: {
      ...offset,
      'Upload-Length': 'The size of the whole file.',
      'Upload-Metadata': 'The metadata of the upload.',
    },
    fixedHeaders,
    response: emptyResponse,
    failures: [409, 412, 422, 423],
    run: (finish, { request, params }) => serveTus(request, { id: params.id, finish }),
  }),

  [`PATCH ${TUS_PATH}/{id}`]: performingCall(releaseOperations.finishUpload, {
    id: 'continueUpload',
    summary: 'Appends bytes to an upload',
    description:
      'At the offset that HEAD tells. The bytes of a request that breaks off stay. The last byte stores the file; a file ' +
      'whose content is refused (422) ends the upload. `offset_conflict` (409): read the offset. `upload_elsewhere` (409): ' +
      'another server of the site has the first part of this upload; try again.',
    params,
    requestHeaders: tusHeaders.extend({
      'Upload-Offset': z.string().describe('How many bytes have arrived before these.'),
    }),
    streamedBody: 'application/offset+octet-stream',
    responseHeaders: { ...offset, ...expires },
    fixedHeaders,
    status: 204,
    response: emptyResponse,
    failures: [409, 412, 423],
    run: (finish, { request, params }) => serveTus(request, { id: params.id, finish }),
  }),

  [`DELETE ${TUS_PATH}/{id}`]: performingCall(releaseOperations.cancelUpload, {
    id: 'cancelUpload',
    summary: 'Cancels an upload',
    description: 'Removes the bytes that have arrived.',
    params,
    requestHeaders: tusHeaders,
    fixedHeaders,
    status: 204,
    response: emptyResponse,
    failures: [412, 423],
    run: (cancel, { request, params }) => serveTus(request, { id: params.id, cancel }),
  }),
};
