import type { FollowWant } from '#shared/follows/follow-fields';
import type { Follow, FollowableProduct } from '#shared/follows/follows';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { FieldErrors, TextField } from '~/components/ui/fields';
import { HourField } from '~/components/ui/hour-field';
import { followPath } from './product-words';

/** The choices in the order of the form. */
const WANTS: Record<FollowWant, { label: string; hint: string }> = {
  restock: { label: 'Restock', hint: 'It can be bought again.' },
  preorder: { label: 'Pre-order', hint: 'It can be ordered before its release.' },
  price_drop: { label: 'Price drop', hint: 'It is in stock and the price falls to your limit.' },
  release: { label: 'Release day', hint: 'On the morning of its release day.' },
};

interface FollowFormProps {
  product: Pick<FollowableProduct, 'slug' | 'title' | 'retailers' | 'variants'>;
  /** The member's existing follow; null: none, or the page does not know the visitor. */
  follow: Omit<Follow, 'product' | 'counts' | 'followedAt'> | null;
}

/** The form by which a member follows a product, or changes what they are told. It is sent to the page of the follow. */
export function FollowForm({ product, follow }: FollowFormProps) {
  const { Form, result, pendingIntent } = useForms(['follow']);
  const typed = result?.ok === false ? result.values : undefined;
  const errors = result?.errors ?? {};
  const chosen = (name: string, saved: readonly string[] | null | undefined): readonly string[] =>
    typed === undefined ? (saved ?? []) : (typed[name] ?? '').split(',');
  const wants = chosen('wants', follow?.wants ?? ['restock']);
  const field = fieldsOf(result, {
    maxPrice: follow?.maxPrice?.toFixed(2) ?? '',
    quietFrom: String(follow?.quietHours?.from ?? ''),
    quietTo: String(follow?.quietHours?.to ?? ''),
  });
  return (
    <>
      <FormNotice result={result} fields={['wants', 'maxPrice', 'retailers', 'variants', 'quietTo']} />
      <Form method="post" action={followPath(product.slug)} preventScrollReset className="grid gap-5">
        <fieldset aria-describedby={errors.wants === undefined ? undefined : 'wants-error'}>
          <legend className="mb-1.5 font-semibold">Alert me about</legend>
          {(Object.keys(WANTS) as FollowWant[]).map((want) => (
            <Checkbox
              key={want}
              id={`want-${want}`}
              name="wants"
              value={want}
              label={WANTS[want].label}
              hint={WANTS[want].hint}
              defaultChecked={wants.includes(want)}
            />
          ))}
          <FieldErrors id="wants-error" errors={errors.wants ?? []} />
        </fieldset>
        <TextField
          {...field('maxPrice')}
          label="At most, in pounds"
          inputMode="decimal"
          placeholder="49.99"
          hint="Only offers at this price or less send alerts, including restocks and pre-orders. Leave it empty for any price; a price drop needs it."
        />
        <Choice
          name="retailers"
          legend="Only these retailers"
          options={product.retailers.map(({ name }) => ({ value: name, label: name }))}
          chosen={chosen('retailers', follow?.retailers)}
          errors={errors.retailers}
        />
        <Choice
          name="variants"
          legend="Only these variants"
          options={product.variants.map(({ key, name }) => ({ value: key, label: name }))}
          chosen={chosen('variants', follow?.variants)}
          errors={errors.variants}
        />
        <fieldset>
          <legend className="mb-1.5 font-semibold">Quiet hours</legend>
          <p className="mb-3 text-small text-soft">
            For this product, in addition to those of your account and in its time zone. Emails wait until
            they end, notifications make no sound.
          </p>
          <div className="grid grid-cols-2 gap-4">
            <HourField {...field('quietFrom')} label="From" />
            <HourField {...field('quietTo')} label="Until" />
          </div>
        </fieldset>
        <p>
          <Button variant="primary" name="intent" value="follow" pending={pendingIntent === 'follow'}>
            {follow === null ? 'Follow' : 'Save'}
            <span className="sr-only"> {product.title}</span>
          </Button>
        </p>
      </Form>
    </>
  );
}

interface ChoiceProps {
  name: string;
  legend: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  errors?: readonly string[];
}

/** A choice of some, of which none ticked means all. Empty with fewer than two. */
function Choice({ name, legend, options, chosen, errors = [] }: ChoiceProps) {
  if (options.length < 2) return null;
  return (
    <fieldset aria-describedby={`${name}-hint${errors.length === 0 ? '' : ` ${name}-error`}`}>
      <legend className="font-semibold">{legend}</legend>
      <p id={`${name}-hint`} className="text-small text-soft">
        Tick none to include all.
      </p>
      <ul className="mt-1.5 grid max-h-72 gap-x-4 overflow-y-auto rounded-control border border-line px-3 py-1.5 sm:grid-cols-2">
        {options.map(({ value, label }) => (
          <li key={value}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                name={name}
                value={value}
                defaultChecked={chosen.includes(value)}
                className="size-5 shrink-0 cursor-pointer accent-brand"
              />
              <span className="min-w-0 wrap-anywhere">{label}</span>
            </label>
          </li>
        ))}
      </ul>
      <FieldErrors id={`${name}-error`} errors={errors} />
    </fieldset>
  );
}
