import { z } from 'zod';
import { DomainError } from '#shared/errors';
import { followFields, type FollowFields } from '#shared/follows/follow-fields';
import { parsePounds, toPounds } from '#shared/money';
import { textField } from '~/http/forms/page-forms.server';

const names = z.array(z.string()).default([]);

/** The fields of the follow form. */
export const followForm = z.object({
  wants: names,
  maxPrice: textField,
  retailers: names,
  variants: names,
  quietFrom: textField,
  quietTo: textField,
});

const orNull = <T>(values: readonly T[]): T[] | null => (values.length === 0 ? null : [...values]);

/** The choices of the form; none ticked means all. Throws `Invalid` `invalid`. */
export function followOf({
  wants,
  maxPrice,
  retailers,
  variants,
  quietFrom,
  quietTo,
}: z.output<typeof followForm>): FollowFields {
  const pence = parsePounds(maxPrice);
  const parsed = followFields.safeParse({
    wants,
    // Text that is not an amount becomes NaN and is refused.
    maxPrice: maxPrice.trim() === '' ? null : pence === null ? Number.NaN : toPounds(pence),
    retailers: orNull(retailers),
    variants: orNull(variants),
    quietHours: quietFrom === quietTo ? null : { from: hourOf(quietFrom), to: hourOf(quietTo) },
  });
  if (parsed.success) return parsed.data;
  const errors = z.flattenError(parsed.error).fieldErrors;
  throw new DomainError('Invalid', {
    code: 'invalid',
    message: 'Please correct the marked fields.',
    fieldErrors: {
      ...errors,
      ...(errors.quietHours && { quietTo: ['Please choose both hours, or none.'] }),
    },
  });
}

const hourOf = (text: string): number => (text === '' ? Number.NaN : Number(text));
