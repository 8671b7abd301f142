import { PLATFORM_FILES, type Platform } from '#shared/releases/release';

/** An entry of a release's history. */
export interface HistoryEntry {
  id: string;
  /** The admin's name; null for a command on the machine and for a deleted account. */
  actor: string | null;
  /** The admin's action, as the rest of a sentence. */
  description: string;
  createdAt: string;
}

const FIELD_NAMES: Record<string, string> = { releaseNotes: 'the notes', isBeta: 'the beta flag' };

function describeUpdate(details: Record<string, unknown>): string {
  const fields = Array.isArray(details.fields) ? details.fields.map(String) : [];
  const changed = fields.filter((field) => field !== 'version').map((field) => FIELD_NAMES[field] ?? field);
  const renamed =
    typeof details.from === 'string'
      ? [`the version from ${details.from} to ${String(details.version)}`]
      : [];
  return `changed ${[...renamed, ...changed].join(' and ')}`;
}

function describeFile(verb: string, { platform, originalName }: Record<string, unknown>): string {
  const label = PLATFORM_FILES[platform as Platform]?.label ?? String(platform);
  return `${verb} the ${label} file: ${String(originalName)}`;
}

/** Describes an entry of the audit log about a release, as the rest of a sentence about an admin. */
export function describeReleaseAction(action: string, details: Record<string, unknown>): string {
  switch (action) {
    case 'release.create':
      return `created version ${String(details.version)}${details.published === true ? ' and published it' : ''}`;
    case 'release.update':
      return describeUpdate(details);
    case 'release.publish':
      return 'published it';
    case 'release.withdraw':
      return 'withdrew it';
    case 'release.file_add':
      return describeFile('added', details);
    case 'release.file_replace':
      return describeFile('replaced', details);
    default:
      return action;
  }
}
