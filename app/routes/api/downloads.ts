import { z } from 'zod';
import { findLatestRelease, listReleases } from '#shared/releases/list-releases';
import type { Release } from '#shared/releases/release';
import {
  releaseChanges,
  releaseFields,
  releaseUploadFields,
  toReleaseChanges,
  type ReleaseUploadFields,
} from '#shared/releases/release-fields';
import { RELEASE_FILE } from '#shared/releases/release-file';
import { releaseOperations } from '#shared/releases/release-operations';
import { call, operationCall } from '~/http/api/call.server';
import { parseFields } from '~/http/api/input.server';
import { guardReleaseUpload, type ReleaseUploadTarget } from './calls/release-upload-guard.server';
import { endpoint } from '~/http/api/endpoint.server';
import {
  latestReleaseSchema,
  publishedReleaseExample,
  publishedReleaseSchema,
  releaseExample,
  releasePayload,
  releaseSchema,
} from './calls/release-schemas.server';
import { actorOf } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';
import { downloadCalls } from './calls/download-calls.server';
import { uploadPaths } from './calls/upload-calls.server';

const params = releaseOperations.delete.input;
const releaseResponse = z.object({ release: releaseSchema });
const example = { response: { release: releaseExample } };

const payloadOf = (release: Release) => releasePayload(release, serverContext().config.appUrl);

function uploadTarget({ version, platform, ...changed }: ReleaseUploadFields): ReleaseUploadTarget {
  return { version, platform, changes: toReleaseChanges(changed) };
}

/** The fields that have arrived before a file. Throws a 422 refusal that names the wrong ones. */
function readUploadTarget(fields: URLSearchParams): ReleaseUploadTarget | null {
  const { version, platform, ...changed } = parseFields(releaseUploadFields.partial(), fields);
  return version === undefined || platform === undefined
    ? null
    : uploadTarget({ version, platform, ...changed });
}

const downloads = endpoint(
  { name: 'downloads', description: 'Releases of the desktop app and their files' },
  {
    'GET /api/downloads/latest': call({
      id: 'readLatestRelease',
      summary: 'Reads the latest release',
      description:
        'The newest published version (semantic order, pre-releases included) that has at least one file. Without one, `version` is null and `platforms` is empty.',
      access: 'beta',
      response: latestReleaseSchema,
      example: { response: publishedReleaseExample },
      async run() {
        const release = await findLatestRelease(serverContext().db);
        return release === null ? { version: null, platforms: {} } : payloadOf(release);
      },
    }),

    'GET /api/downloads/versions': call({
      id: 'listReleases',
      summary: 'Lists the published releases',
      description: 'The newest version comes first (semantic order).',
      access: 'beta',
      response: z.object({ versions: z.array(publishedReleaseSchema) }),
      example: { response: { versions: [publishedReleaseExample] } },
      async run() {
        const releases = await listReleases(serverContext().db, { publishedOnly: true });
        return { versions: releases.map(payloadOf) };
      },
    }),

    'POST /api/downloads/release': operationCall(releaseOperations.create, {
      id: 'createRelease',
      summary: 'Creates a release without files',
      description: 'It is published unless `published` is false.',
      body: releaseFields,
      failures: [409],
      status: 201,
      response: releaseResponse,
      example: {
        body: {
          version: releaseExample.version,
          release_notes: releaseExample.release_notes,
          is_beta: true,
        },
        ...example,
      },
      input: ({ body: { version, release_notes: releaseNotes, is_beta: isBeta, published = true } }) => ({
        version,
        releaseNotes,
        isBeta,
        published,
      }),
      reply: ({ result }) => ({ release: payloadOf(result) }),
    }),

    'PUT /api/downloads/release/{id}': operationCall(releaseOperations.change, {
      id: 'updateRelease',
      summary: 'Changes a release',
      description:
        'Fields that are left out stay as they are. `published: false` withdraws it: members see and get it no more.',
      params,
      body: releaseChanges,
      failures: [409],
      response: releaseResponse,
      example: { body: { published: false }, ...example },
      input: ({ params, body }) => ({ id: params.id, changes: toReleaseChanges(body) }),
      reply: ({ result }) => ({ release: payloadOf(result) }),
    }),

    'DELETE /api/downloads/release/{id}': operationCall(releaseOperations.delete, {
      id: 'deleteRelease',
      summary: 'Deletes a release',
      description: 'Deletes its files, too. Downloads that have begun continue.',
      params,
      failures: [409],
      response: z.object({}),
    }),

    'POST /api/downloads/upload': operationCall(releaseOperations.upload, {
      id: 'uploadReleaseFile',
      summary: 'Uploads the file of a version for a platform',
      description:
        'Creates the release when the version is new; it is then published unless `published` is false. Replaces the platform’s file atomically: downloads of the old file continue. The file can be up to 2 GB. Send it after the other fields, so that a wrong field is refused before the file arrives.',
      multipart: { file: RELEASE_FILE },
      body: releaseUploadFields,
      guard: ({ caller }) => guardReleaseUpload({ actor: actorOf(caller), readTarget: readUploadTarget }),
      failures: [409],
      status: 201,
      response: releaseResponse,
      example,
      input: ({ body, files }) => ({ ...uploadTarget(body), file: files.file }),
      reply: ({ result }) => ({ release: payloadOf(result) }),
    }),

    ...downloadCalls,
    ...uploadPaths,
  },
);

export const loader = downloads;
export const action = downloads;
