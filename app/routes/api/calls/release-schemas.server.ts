import { z } from 'zod';
import { downloadPath, PLATFORMS, type Release } from '#shared/releases/release';

// The releases in API responses, with examples for the OpenAPI document.

const fileSchema = z
  .object({
    fileName: z.string(),
    fileSize: z.number().describe('Bytes.'),
    sha256: z.string().describe('Hexadecimal.'),
    url: z
      .string()
      .describe('Absolute. It always gives this version, and needs the same access as this call.'),
  })
  .meta({ id: 'ReleaseFile' });

const platformsSchema = z
  .object({ windows: fileSchema.optional(), macos: fileSchema.optional(), linux: fileSchema.optional() })
  .describe('A platform without a file is absent.');

/** A release as members see it. */
export const publishedReleaseSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    release_notes: z.string().describe('Markdown.'),
    is_beta: z.boolean(),
    published_at: z.string().nullable().describe('When it was first published.'),
    platforms: platformsSchema,
  })
  .meta({ id: 'PublishedRelease' });

/** A release as admins see it. */
export const releaseSchema = publishedReleaseSchema
  .extend({
    published: z.boolean().describe('Whether members see it.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Release' });

/** The latest release. Without one, `version` is null and the fields of a release are absent. */
export const latestReleaseSchema = publishedReleaseSchema
  .partial()
  .extend({ version: z.string().nullable(), platforms: platformsSchema });

/** A release as the schemas above describe it. `appUrl`: the public base of the site. */
export function releasePayload(release: Release, appUrl: string): z.output<typeof releaseSchema> {
  return {
    id: release.id,
    version: release.version,
    release_notes: release.releaseNotes,
    is_beta: release.isBeta,
    published: release.published,
    published_at: release.publishedAt,
    created_at: release.createdAt,
    updated_at: release.updatedAt,
    platforms: Object.fromEntries(
      PLATFORMS.flatMap((platform) => {
        const file = release.files[platform];
        if (file === undefined) return [];
        const { fileName, fileSize, sha256 } = file;
        const url = new URL(downloadPath(platform, release.version), appUrl).href;
        return [[platform, { fileName, fileSize, sha256, url }]];
      }),
    ),
  };
}

export const publishedReleaseExample: z.output<typeof publishedReleaseSchema> = {
  id: '6b1f9d04-2c7e-4e58-9a3d-8f0c5b7a1e26',
  version: '1.4.0',
  release_notes: '- Faster checkout at **Pokemon Center**',
  is_beta: true,
  published_at: '2026-11-20T11:00:00.000Z',
  platforms: {
    windows: {
      fileName: 'packwatch-windows.exe',
      fileSize: 84_213_760,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      url: 'https://packwatch.example/api/downloads/windows?version=1.4.0',
    },
  },
};

export const releaseExample: z.output<typeof releaseSchema> = {
  ...publishedReleaseExample,
  published: true,
  created_at: '2026-11-20T10:45:00.000Z',
  updated_at: '2026-11-20T11:00:00.000Z',
};
