import valid from 'semver/functions/valid.js';
import { z } from 'zod';
import { PLATFORMS, RELEASE_NOTES_LIMIT, VERSION_LIMIT, type ReleaseChanges } from './release';

const VERSION_RULE =
  'Enter a semantic version such as 1.4.0 or 2.0.0-beta.1, without a leading v or build metadata.';

/**
 * Control characters but tab and line break, lone surrogates, bidirectional controls, and noncharacters: one of them in the
 * notes makes an update feed unreadable (YAML 1.1, section 5.1).
 */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/** A semantic version without build metadata, exactly as it is stored (semver.org 2.0.0). */
export const versionField = z
  .string(VERSION_RULE)
  .max(VERSION_LIMIT, VERSION_RULE)
  .refine((version) => valid(version) === version, VERSION_RULE);

/** Markdown. Line breaks become `\n`. */
export const releaseNotesField = z
  .string('The release notes must be a text.')
  .transform((notes) => notes.replace(/\r\n?/g, '\n').trim())
  .refine(
    (notes) => notes.length <= RELEASE_NOTES_LIMIT,
    `The release notes can be up to ${RELEASE_NOTES_LIMIT.toLocaleString('en-GB')} characters long.`,
  )
  .refine((notes) => !UNPRINTABLE.test(notes), 'The release notes contain characters that cannot be shown.');

export const platformField = z.enum(PLATFORMS, `The platform must be one of: ${PLATFORMS.join(', ')}.`);

/** The fields of a new release. */
export const releaseFields = z.object({
  version: versionField,
  release_notes: releaseNotesField,
  is_beta: z.boolean(),
  published: z.boolean().optional(),
});

/** The fields to change of a release. Fields that are left out stay unchanged. */
export const releaseChanges = releaseFields.partial();

/** A flag in a form or in the metadata of a resumable upload. */
function flagField(name: string) {
  return z.enum(['true', 'false'], `${name} must be true or false.`).transform((text) => text === 'true');
}

/** The fields beside a file, all of them sent as text. */
export const releaseUploadFields = z.object({
  version: versionField,
  platform: platformField,
  release_notes: releaseNotesField.optional(),
  is_beta: flagField('is_beta').optional(),
  published: flagField('published').optional(),
});

export type ReleaseUploadFields = z.output<typeof releaseUploadFields>;

/** Parsed fields under the names that the functions of this folder use. Fields that were not sent stay absent. */
export function toReleaseChanges(fields: z.output<typeof releaseChanges>): ReleaseChanges {
  const { version, release_notes: releaseNotes, is_beta: isBeta, published } = fields;
  return {
    ...(version !== undefined && { version }),
    ...(releaseNotes !== undefined && { releaseNotes }),
    ...(isBeta !== undefined && { isBeta }),
    ...(published !== undefined && { published }),
  };
}
