import type { z } from 'zod';
import type { Access } from './access.server';

export const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ApiMethod = (typeof API_METHODS)[number];

/** What the OpenAPI document says about one call. */
export interface CallDescription {
  summary: string;
  access: Access;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodObject | undefined;
  status: number;
  /** The whole answer, envelope included. */
  answer: z.ZodType;
}

export type PathDescription = Partial<Record<ApiMethod, CallDescription>>;

/** Every declared path, by its template (`/api/news/{id}`). */
export type ApiRegistry = Map<string, PathDescription>;

/** Filled by `endpoint()` as the server build loads its route modules. */
export const apiRegistry: ApiRegistry = new Map();
