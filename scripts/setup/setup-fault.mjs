/** A fault that the user has to fix: one sentence, advice, and the end of a log if there is one. */
export class SetupFault extends Error {
  constructor(message, { advice = [], log = '' } = {}) {
    super(message);
    this.name = 'SetupFault';
    this.advice = advice;
    this.log = log;
  }
}

/** Formats a fault for the terminal: the log first, the advice last. Other errors as their stack. */
export function describeFault(error) {
  if (!(error instanceof SetupFault))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const log = error.log.trim() === '' ? '' : `${error.log.trimEnd()}\n\n`;
  return `${log}✗ ${error.message}${error.advice.map((line) => `\n  ${line}`).join('')}`;
}
