import { z } from 'zod';
import { listedIdOf } from '#shared/accounts/sessions';
import { PLATFORM_FILES, PLATFORMS, type Platform } from '#shared/releases/release';
import {
  UPDATE_CHANNELS,
  updateFeedName,
  writeUpdateFeed,
  type UpdateChannel,
} from '#shared/releases/update-feed';
import { call, emptyResponse, type Call } from '~/http/api/call.server';
import type { ApiCalls } from '~/http/api/endpoint.server';
import { sendReleaseFile } from './release-file.server';
import { serverContext } from '~/http/server/context.server';

const platform = z.enum(PLATFORMS);
/** Any text: an unknown version has no file. */
const version = z.string().max(64);

const FILE_DESCRIPTION =
  'Supports `Range`, `If-Range`, `If-Match`, `If-None-Match` and HEAD; the ETag is the SHA-256. Several ranges get the whole ' +
  'file. May redirect to another host. The rest of a file that was replaced since its download began is refused with 412.';

const FILE_RESPONSES = {
  mediaTypes: PLATFORMS.map((platform) => PLATFORM_FILES[platform].mediaType),
  requestHeaders: z.object({
    Range: z.string().describe('The bytes to send, such as `bytes=1000-`.').optional(),
    'If-Range': z.string().describe('Ignores `Range` unless this is the ETag of the file.').optional(),
    'If-Match': z.string().describe('Refuses (412) unless this is the ETag of the file.').optional(),
    'If-None-Match': z.string().describe('304 if this is the ETag of the file.').optional(),
  }),
  responseHeaders: {
    ETag: 'The SHA-256 of the whole file, in quotation marks.',
    'Content-Disposition': 'The name of the file.',
    'Content-Length': 'How many bytes are sent.',
    'Accept-Ranges': '`bytes`.',
  },
  example: { location: 'https://files.packwatch.example/packwatch-windows.exe?signature=b7cQeZ4n' },
  otherStatuses: {
    206: 'The range; `Content-Range` tells which',
    302: 'A redirect to the file',
    304: 'The file has the ETag of `If-None-Match`',
  },
};

const CHANNEL_DESCRIPTIONS: Record<UpdateChannel, string> = {
  latest:
    'the newest version without beta releases (by their flag or their suffix); while there are only betas, the newest',
  beta: 'the newest version, beta releases included',
};

/** The ends of the operation ids of the feeds. */
const FEED_IDS: Record<Platform, string> = {
  windows: 'WindowsUpdateFeed',
  macos: 'MacosUpdateFeed',
  linux: 'LinuxUpdateFeed',
};

function feedExample(channel: UpdateChannel, platform: Platform): string {
  const version = channel === 'beta' ? '1.5.0-beta.1' : '1.4.0';
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${platform}/${version}/${PLATFORM_FILES[platform].fileName}`,
    '    sha512: z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '    size: 94371840',
    'releaseDate: "2026-11-20T12:00:00.000Z"',
    '',
  ].join('\n');
}

/** electron-updater's feed of a platform. */
function feedCall(channel: UpdateChannel, platform: Platform): Call {
  return call({
    id: `read${channel === 'beta' ? 'Beta' : ''}${FEED_IDS[platform]}`,
    summary: `The update feed ${updateFeedName(channel, platform)} of electron-updater`,
    description: `YAML: ${CHANNEL_DESCRIPTIONS[channel]}, that has a file for the platform. \`url\` is relative to this address.`,
    access: 'beta',
    failures: [404],
    mediaTypes: ['text/yaml'],
    response: emptyResponse,
    example: { text: feedExample(channel, platform) },
    async run() {
      const feed = await writeUpdateFeed(serverContext().db, { channel, platform });
      return new Response(feed, {
        headers: { 'Content-Type': 'text/yaml; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
  });
}

/** The calls that send files of releases and electron-updater's feeds. */
export const downloadCalls: ApiCalls = {
  ...Object.fromEntries(
    UPDATE_CHANNELS.flatMap((channel) =>
      PLATFORMS.map((platform) => [
        `GET /api/downloads/${updateFeedName(channel, platform)}`,
        feedCall(channel, platform),
      ]),
    ),
  ),

  'GET /api/downloads/{platform}': call({
    id: 'downloadApp',
    summary: 'Downloads the desktop app',
    description: `The latest version unless \`version\` names one. ${FILE_DESCRIPTION}`,
    access: 'beta',
    params: z.object({ platform }),
    query: z.object({ version: version.optional() }),
    failures: [412, 416],
    ...FILE_RESPONSES,
    response: emptyResponse,
    run: ({ caller, params, query, request }) =>
      sendReleaseFile({
        request,
        accountId: caller.account.id,
        sessionId: listedIdOf(caller.session),
        platform: params.platform,
        version: query.version,
      }),
  }),

  'GET /api/downloads/{platform}/{version}/{fileName}': call({
    id: 'downloadAppFile',
    summary: 'Downloads a version of the desktop app by an address that ends with the file’s name',
    description: `The update feeds name such addresses. ${FILE_DESCRIPTION}`,
    access: 'beta',
    params: z
      .object({ platform, version, fileName: z.string() })
      .refine(({ platform, fileName }) => fileName === PLATFORM_FILES[platform].fileName),
    failures: [412, 416],
    ...FILE_RESPONSES,
    response: emptyResponse,
    run: ({ caller, params, request }) =>
      sendReleaseFile({
        request,
        accountId: caller.account.id,
        sessionId: listedIdOf(caller.session),
        platform: params.platform,
        version: params.version,
      }),
  }),
};
