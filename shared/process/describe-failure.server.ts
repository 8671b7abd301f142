import { ConfigError } from '../config.server';
import { describeDatabaseFault } from '../database/database-errors';
import { SchemaError } from '../database/schema-error';
import { DomainError } from '../errors';

/** Why a process or a command ended. */
export interface Failure {
  /** Stable snake_case name for programs. */
  code: string;
  /** One or more sentences for an operator. */
  message: string;
  /** False for a bug, whose stack is worth printing. */
  expected: boolean;
}

/** System errors as part of a sentence (Node's documentation, "Common system errors"). */
const SYSTEM_REFUSALS: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
};

function describeListenFault(error: NodeJS.ErrnoException, variable: string): Failure | null {
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return null;
  const { port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (error.code === 'EADDRINUSE')
    return {
      code: 'port_in_use',
      message: `Port ${port} is in use by another program. End that program, or set ${variable} to a free port.`,
      expected: true,
    };
  if (error.syscall === 'listen')
    return {
      code: 'cannot_listen',
      message: `The process cannot listen on ${address ?? 'any address'}, port ${port}: ${SYSTEM_REFUSALS[error.code ?? ''] ?? error.code}.`,
      expected: true,
    };
  return {
    code: 'cannot_listen',
    message: `The host to listen on is unknown: ${error.message}.`,
    expected: true,
  };
}

/** Classifies an error that ended a process or a command. `portVariable`: the environment variable of this process's port. */
export function describeFailure(error: unknown, { portVariable = 'PORT' } = {}): Failure {
  if (error instanceof ConfigError)
    return { code: 'invalid_configuration', message: error.message, expected: true };
  if (error instanceof DomainError)
    return { code: error.code, message: error.operatorMessage ?? error.message, expected: true };
  if (error instanceof SchemaError) return { code: error.code, message: error.message, expected: true };
  const databaseFault = describeDatabaseFault(error);
  if (databaseFault !== null) return { code: 'database_unusable', message: databaseFault, expected: true };
  if (error instanceof Error && 'syscall' in error) {
    const fault = error as NodeJS.ErrnoException;
    const listenFault = describeListenFault(fault, portVariable);
    if (listenFault !== null) return listenFault;
    const refusal = SYSTEM_REFUSALS[fault.code ?? ''];
    if (refusal !== undefined && fault.path !== undefined)
      return { code: 'file_unusable', message: `${fault.path} cannot be used: ${refusal}.`, expected: true };
  }
  return {
    code: 'internal_error',
    message: error instanceof Error ? error.message : String(error),
    expected: false,
  };
}

/** Formats a failure for printing: its message, or the stack of a bug. */
export function printFailure(error: unknown, options?: { portVariable?: string }): string {
  const { message, expected } = describeFailure(error, options);
  return expected ? message : error instanceof Error ? (error.stack ?? message) : message;
}
