import type { z } from 'zod';
import type { Access } from '../auth/access.server';

export const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ApiMethod = (typeof API_METHODS)[number];

/** What the OpenAPI document says about one call. */
export interface CallDescription {
  summary: string;
  access: Access;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodObject | undefined;
  /** The file fields of a form; with any, `body` are its other fields. */
  files: readonly string[];
  status: number;
  /** The whole answer, envelope included; null for a redirect. */
  answer: z.ZodType | null;
  /** Other successes by their status, envelope included. */
  otherAnswers: Partial<Record<number, z.ZodType>>;
  /** Failures that are this call's own, beside those its parts bring. */
  failures: readonly number[];
  /** Whether a limit counts its uses. */
  limited: boolean;
}

export type PathDescription = Partial<Record<ApiMethod, CallDescription>>;

/** Every declared path, by its template (`/api/news/{id}`). */
export type ApiRegistry = Map<string, PathDescription>;

/** Filled by `endpoint()` as the server build loads its route modules. */
export const apiRegistry: ApiRegistry = new Map();
