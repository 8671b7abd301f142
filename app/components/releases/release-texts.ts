import type { Release } from '#shared/releases/release';
import { PLATFORMS, PLATFORM_FILES, type Platform } from '#shared/releases/release';

/** By intent, the sentence for an unexpected failure. */
export const RELEASE_FAILED = {
  create: 'The release could not be created. Please try again.',
  save: 'The release could not be saved. Please try again.',
  preview: 'The preview could not be made. Please try again.',
  publish: 'The release could not be published. Please try again.',
  withdraw: 'The release could not be withdrawn. Please try again.',
  upload: 'The file could not be uploaded. Please try again.',
  'cancel-upload': 'The upload could not be cancelled. Please try again.',
  delete: 'The release could not be deleted. Please try again.',
} as const;

/** What a release without files needs before it can be published; also the refusal of a press. */
export const PUBLISH_WAITS = `To publish it, upload a file first: that of ${namePlatforms(PLATFORMS, 'or')}.`;

export const LIST_FAILED = 'Failed to load the releases';

/** The state of a release in one word: one that members never saw is a draft. */
export function releaseState({
  published,
  publishedAt,
}: Pick<Release, 'published' | 'publishedAt'>): 'Published' | 'Withdrawn' | 'Draft' {
  if (published) return 'Published';
  return publishedAt === null ? 'Draft' : 'Withdrawn';
}

/** The platforms of which a release has a file, and the others. */
export function splitPlatforms({ files }: Pick<Release, 'files'>): {
  present: Platform[];
  missing: Platform[];
} {
  return {
    present: PLATFORMS.filter((platform) => files[platform] !== undefined),
    missing: PLATFORMS.filter((platform) => files[platform] === undefined),
  };
}

/** The names of platforms in a sentence: "Windows", "Windows and macOS", "Windows, macOS and Linux". */
function namePlatforms(platforms: readonly Platform[], conjunction: 'and' | 'or' = 'and'): string {
  const labels = platforms.map((platform) => PLATFORM_FILES[platform].label);
  const last = labels.pop() ?? '';
  return labels.length === 0 ? last : `${labels.join(', ')} ${conjunction} ${last}`;
}

/** Whether members see a release, and the files that it lacks. The API can publish a release without a file. */
export function publishingTexts(release: Pick<Release, 'files' | 'published' | 'publishedAt'>): {
  members: string;
  files: string;
} {
  const { present, missing } = splitPlatforms(release);
  const none = present.length === 0;
  const members = {
    Published: none
      ? 'There is no file yet that members can download.'
      : 'Members can download this version.',
    Draft: 'Only admins see this version.',
    Withdrawn: 'Members no longer see this version.',
  }[releaseState(release)];
  if (missing.length === 0) return { members, files: 'It has a file for each platform.' };
  if (!none)
    return {
      members,
      files: `Missing: ${namePlatforms(missing)}. Members there are told that their version is not available yet.`,
    };
  return { members, files: release.published ? 'Upload the file of at least one platform.' : PUBLISH_WAITS };
}
