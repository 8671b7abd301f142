import { z } from 'zod';
import { faultLife } from '../../fault-queue';

const life = {
  ...faultLife,
  /** Only events of this type. */
  type: z.string().min(1).max(100).optional(),
};

/**
 * What happens to an event on its way to the endpoint: `drop` never sends it (the log and the API still have it),
 * `delay` sends it late (milliseconds), `duplicate` sends it twice, `late-signature` signs it as if it were sent that many
 * seconds ago, `forge` signs it with another secret.
 */
export const deliveryFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop'), ...life }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0).max(600_000), ...life }),
  z.strictObject({ kind: z.literal('duplicate'), ...life }),
  z.strictObject({ kind: z.literal('late-signature'), seconds: z.int().min(1).max(1_000_000), ...life }),
  z.strictObject({ kind: z.literal('forge'), ...life }),
]);
export type DeliveryFault = z.infer<typeof deliveryFaultSchema>;
