import type { Exchange } from '../http/app';

export interface Result {
  status?: 200 | 201 | 404;
  value: unknown;
}

/** One command of the control API. `run` validates the body. */
export interface Command {
  method: string;
  pattern: string;
  run(value: unknown, exchange: Exchange): Result;
}
