import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { TextField } from '~/components/ui/fields';

/** The fields of a product as its form shows them. */
export interface ProductValues {
  title: string;
  brand: string;
  gtin: string;
  /** A date such as 2026-11-27. */
  releasedOn: string;
  /** In pounds, such as "49.99". */
  listPrice: string;
  /** The address from which the image was or is fetched. */
  imageUrl: string;
}

interface ProductFieldsProps {
  field: ReturnType<typeof fieldsOf>;
  /** Below the field of the GTIN, or of the image. */
  hint: string;
}

/** The fields that a new product and a stored one share. */
export function BrandAndGtinFields({ field, hint }: ProductFieldsProps) {
  return (
    <>
      <TextField {...field('brand')} label="Brand (optional)" maxLength={80} />
      <TextField {...field('gtin')} inputMode="numeric" label="GTIN (optional)" hint={hint} maxLength={30} />
    </>
  );
}

/** The field for the address of a product's image, of a new product and a stored one. */
export function ImageField({ field, hint }: ProductFieldsProps) {
  return (
    <TextField
      {...field('imageUrl')}
      type="url"
      inputMode="url"
      label="Address of its image (optional)"
      hint={hint}
      maxLength={2000}
    />
  );
}

/** Changes a product. */
export function ProductForm({ values }: { values: ProductValues }) {
  const { Form, result, pending } = useForms(['save-product']);
  const field = fieldsOf(result, { ...values });
  return (
    <Panel title="Product">
      <Form method="post" preventScrollReset className="grid gap-4">
        <FormNotice
          result={result}
          fields={['title', 'brand', 'gtin', 'releasedOn', 'listPrice', 'imageUrl']}
        />
        <TextField {...field('title')} label="Title" required maxLength={200} />
        <BrandAndGtinFields field={field} hint="8, 12, 13 or 14 digits; the last is a check digit." />
        <TextField {...field('releasedOn')} type="date" label="Released on (optional)" />
        <TextField
          {...field('listPrice')}
          id="list-price"
          inputMode="decimal"
          label="List price in pounds (optional)"
          maxLength={12}
        />
        <ImageField
          field={field}
          hint="We fetch it once and serve a copy. Enter another address to replace it, or clear the field to remove it."
        />
        <div>
          <Button variant="primary" name="intent" value="save-product" pending={pending !== null}>
            Save product
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** Retires or restores a product. */
export function RetireProduct({ isRetired }: { isRetired: boolean }) {
  const { Form, result, pending } = useForms(['retire-product']);
  return (
    <Panel title={isRetired ? 'This product is retired' : 'Retire this product'}>
      <FormNotice result={result} />
      <p className="text-soft">
        {isRetired
          ? 'Its watches are stopped. Restore it to start them again.'
          : 'Its watches stop. Its public page stays, with its price history, and says that we no longer watch it.'}
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="retired" value={isRetired ? '' : 'on'} />
        <Button name="intent" value="retire-product" pending={pending !== null}>
          {isRetired ? 'Restore product' : 'Retire product'}
        </Button>
      </Form>
    </Panel>
  );
}

/** Deletes a product that no watch names. */
export function DeleteProduct({ isWatched }: { isWatched: boolean }) {
  const { Form, result, pending } = useForms(['delete-product']);
  return (
    <Panel title="Delete this product">
      <FormNotice result={result} />
      <p className="text-soft">
        {isWatched
          ? 'A product with watches cannot be deleted: delete them first.'
          : 'Members no longer follow it, and its page is gone. Its price history is kept.'}
      </p>
      {isWatched ? null : (
        <Form method="post">
          <Button name="intent" value="delete-product" pending={pending !== null}>
            Delete product
          </Button>
        </Form>
      )}
    </Panel>
  );
}
