/** A version of the desktop app. */
export interface ReleasesTable {
  id: string;
  /** A semantic version without build metadata (semver.org 2.0.0), such as `1.4.0` or `2.0.0-beta.1`. Unique. */
  version: string;
  /** Markdown, as an admin wrote it. */
  release_notes: string;
  /** The sanitised HTML of the notes, made at each save. */
  release_notes_html: string;
  is_beta: 0 | 1;
  /** 1: members see it (written when it is published); 0: draft or withdrawn. */
  published: 0 | 1;
  /** When it was first published. */
  published_at: string | null;
  created_at: string;
  updated_at: string;
}
