import { z } from 'zod';

/** The result of one check. `unknown` neither opens nor closes an alert. */
export const VERDICTS = ['open', 'waiting_room', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A strong waiting-room sign opens an alert at once; a weak one must be seen twice. */
export type Strength = 'strong' | 'weak';

/** Why a check was not conclusive. Challenges and blocks slow down the next checks. */
export const UNKNOWN_REASONS = ['challenge', 'blocked', 'error', 'unrecognised'] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** One piece of evidence, with the weight it carried in the verdict (0: seen, but proves nothing). */
export const signSchema = z.object({
  id: z.string(),
  pointsTo: z.enum(['waiting_room', 'open', 'wall', 'error', 'nothing']),
  weight: z.number(),
  evidence: z.string(),
});
export type Sign = z.infer<typeof signSchema>;

/** The judgement of a page. */
export const judgementSchema = z.object({
  verdict: z.enum(VERDICTS),
  strength: z.enum(['strong', 'weak']).nullable(),
  unknownReason: z.enum(UNKNOWN_REASONS).nullable(),
  /** One sentence for people: the deciding sign. */
  reason: z.string(),
  signs: z.array(signSchema),
});
export type Judgement = z.infer<typeof judgementSchema>;

/** What `monitor_checks.content_analysis` holds beside flags for people: the judgement, and facts of the fetch. */
export const storedAnalysisSchema = judgementSchema.extend({
  /** The URLs that redirected on the way to the page; missing when there was none. */
  redirects: z.array(z.string()).optional(),
  /** Present when the fetching service could not verify the page. */
  unverified: z.boolean().optional(),
  /** The same in checks of earlier releases. */
  doubted: z.boolean().optional(),
  /** The pause that the shop asked for (`Retry-After`), at most a day; missing when it asked for none. */
  retryAfterSeconds: z.number().optional(),
});
export type StoredAnalysis = z.infer<typeof storedAnalysisSchema>;

/** A redirect that was followed on the way to the page. */
export interface Hop {
  url: string;
  status: number;
  location: string | null;
  headers: Record<string, string | string[]>;
}

/** The shop's response, however it was fetched. Header names are lower case. */
export interface PageAnswer {
  requestUrl: string;
  finalUrl: string;
  /** 0 without a response. */
  status: number;
  headers: Record<string, string | string[]>;
  /** Decoded text; empty for an empty or binary response. */
  body: string;
  /** False when the bytes cannot be decoded as text (binary, broken compression). */
  decodable: boolean;
  hops: Hop[];
  /** The fetching service could not verify the page (Scrappey's `verified: false`). */
  unverified: boolean;
}
