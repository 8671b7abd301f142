import { Form } from '@remix-run/react';
import { MAX_SEARCH_LENGTH, type ProductFilter } from '#shared/products/reading/list-products';
import { Button } from '~/components/ui/button';
import { SelectField, TextField } from '~/components/ui/fields';
import { PRODUCTS_PATH, stateWords } from './product-words';

const STATES = ['in_stock', 'preorder', 'out_of_stock', 'unknown'] as const;

/** The search and the filters of the list. They work without scripts: the form is sent as a GET. */
export function ProductFilterForm({
  filter,
  retailers,
}: {
  filter: ProductFilter;
  retailers: readonly { name: string; host: string }[];
}) {
  return (
    // The order of the fields is that of the parameters in a cached address. `autoComplete`: with Back the browser shows the
    // page again and would fill in what was chosen on it, which is not the filter of the list.
    <Form
      method="get"
      action={PRODUCTS_PATH}
      role="search"
      autoComplete="off"
      className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_auto_auto_auto]"
    >
      <TextField
        id="q"
        name="q"
        type="search"
        label="Search"
        defaultValue={filter.q}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
      />
      <SelectField id="state" name="state" label="State" defaultValue={filter.state ?? ''}>
        <option value="">Any</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {stateWords(state)}
          </option>
        ))}
      </SelectField>
      <SelectField id="retailer" name="retailer" label="Retailer" defaultValue={filter.retailer ?? ''}>
        <option value="">Any</option>
        {retailers.map(({ name, host }) => (
          <option key={host} value={host}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button>Show</Button>
    </Form>
  );
}
