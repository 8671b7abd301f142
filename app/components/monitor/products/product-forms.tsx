import { FormNotice, useForms } from '~/components/forms/use-forms';
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
  typed: { brand?: string | undefined; gtin?: string | undefined; imageUrl?: string | undefined };
  errors: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** Below the field of the GTIN, or of the image. */
  hint: string;
}

/** The fields that a new product and a stored one share. */
export function BrandAndGtinFields({ typed, errors, hint }: ProductFieldsProps) {
  return (
    <>
      <TextField
        id="brand"
        name="brand"
        label="Brand (optional)"
        autoComplete="off"
        maxLength={80}
        defaultValue={typed.brand}
        errors={errors?.brand}
      />
      <TextField
        id="gtin"
        name="gtin"
        inputMode="numeric"
        label="GTIN (optional)"
        hint={hint}
        autoComplete="off"
        maxLength={30}
        defaultValue={typed.gtin}
        errors={errors?.gtin}
      />
    </>
  );
}

/** The field for the address of a product's image, of a new product and a stored one. */
export function ImageField({ typed, errors, hint }: ProductFieldsProps) {
  return (
    <TextField
      id="image-url"
      name="imageUrl"
      type="url"
      inputMode="url"
      label="Address of its image (optional)"
      hint={hint}
      autoComplete="off"
      maxLength={2000}
      defaultValue={typed.imageUrl}
      errors={errors?.imageUrl}
    />
  );
}

/** Changes a product. */
export function ProductForm({ values }: { values: ProductValues }) {
  const { Form, result, pending } = useForms(['save-product']);
  const typed = { ...values, ...(result?.ok === false ? result.values : undefined) };
  const errors = result?.errors;
  return (
    <Panel title="Product">
      <Form method="post" preventScrollReset className="grid gap-4">
        <FormNotice
          result={result}
          fields={['title', 'brand', 'gtin', 'releasedOn', 'listPrice', 'imageUrl']}
        />
        <TextField
          id="title"
          name="title"
          label="Title"
          autoComplete="off"
          required
          maxLength={200}
          defaultValue={typed.title}
          errors={errors?.title}
        />
        <BrandAndGtinFields
          typed={typed}
          errors={errors}
          hint="8, 12, 13 or 14 digits; the last is a check digit."
        />
        <TextField
          id="released-on"
          name="releasedOn"
          type="date"
          label="Released on (optional)"
          autoComplete="off"
          defaultValue={typed.releasedOn}
          errors={errors?.releasedOn}
        />
        <TextField
          id="list-price"
          name="listPrice"
          inputMode="decimal"
          label="List price in pounds (optional)"
          autoComplete="off"
          maxLength={12}
          defaultValue={typed.listPrice}
          errors={errors?.listPrice}
        />
        <ImageField
          typed={typed}
          errors={errors}
          hint="We fetch it once and serve a copy. Another address replaces it, an empty one removes it."
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

/** Ends watching a product, or lets its watches be started again. */
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
