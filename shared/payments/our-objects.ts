import { z } from 'zod';
import type { StripeConfig } from '../config.server';
import { isLiveKey } from '../production-faults.server';

const metadataSchema = z.object({
  app: z.literal('packwatch'),
  kind: z.enum(['tokens', 'subscription']),
  row: z.string().min(1),
  user: z.string().min(1),
  /** The package that was bought; objects from before it was written have none. */
  package: z.string().min(1).optional(),
});

/** The metadata of an object at Stripe: which attempt created it. */
export type OurMetadata = z.infer<typeof metadataSchema>;

/** The metadata of an object that an attempt creates at Stripe. `row`: the id of the attempt's row. */
export function ourMetadata(about: Omit<OurMetadata, 'app'>): OurMetadata {
  return { app: 'packwatch', ...about };
}

/** Whether an object or event belongs to the mode (test or live) of the configured keys. */
export function isOurMode(
  { livemode }: { livemode: boolean },
  config: Pick<StripeConfig, 'secretKey'>,
): boolean {
  return livemode === isLiveKey(config.secretKey);
}

/** The metadata of an object that one of our attempts created in the configured mode; null for foreign objects. */
export function readOurMetadata(
  object: { livemode: boolean; metadata: Record<string, string> | null },
  config: Pick<StripeConfig, 'secretKey'>,
): OurMetadata | null {
  if (!isOurMode(object, config)) return null;
  return metadataSchema.safeParse(object.metadata ?? {}).data ?? null;
}

/** The id of a field of Stripe that is an id, or the object when it was expanded. */
export function idOf(field: string | { id: string } | null | undefined): string | null {
  return typeof field === 'string' ? field : (field?.id ?? null);
}
