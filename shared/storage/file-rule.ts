import type { DomainError } from '../errors';

/** Why a file is not taken: none was sent, it is empty, of another type, too large, or one more than may come at once. */
export type FileFault = 'missing' | 'empty' | 'type' | 'size' | 'count';

/** What a file field takes, and the sentences for what it does not. */
export interface FileRule {
  /** Media type, as its content says it, → the most bytes that are taken. What is not listed is refused. */
  accepted: Readonly<Record<string, number>>;
  refusal(fault: FileFault): DomainError;
}

/** A file that has arrived on this machine and that nothing points at yet. */
export interface StagedFile {
  /** Where it lies, for reading. It is removed by whoever takes it, or with the request that brought it. */
  path: string;
  /** What the sender called it, cleaned for showing; never a path. */
  originalName: string;
  /** What its content says it is. */
  type: string;
  /** Bytes. */
  size: number;
}
