/** Something a person has to put right: one sentence, what to do about it, and the end of a log if there is one. */
export class SetupFault extends Error {
  constructor(message, { advice = [], log = '' } = {}) {
    super(message);
    this.name = 'SetupFault';
    this.advice = advice;
    this.log = log;
  }
}

/** The fault as printed: the log's end first, because the last thing read should be what to do. */
export function describeFault(error) {
  if (!(error instanceof SetupFault))
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const log = error.log.trim() === '' ? '' : `${error.log.trimEnd()}\n\n`;
  return `${log}✗ ${error.message}${error.advice.map((line) => `\n  ${line}`).join('')}`;
}
