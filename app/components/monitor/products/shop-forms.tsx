import type { SourceTrust } from '#shared/monitor/products/source-trust';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { Checkbox } from '~/components/ui/checkbox';
import { SelectField, TextField } from '~/components/ui/fields';
import { Facts } from '../check/check-facts';
import { SOURCE_LABELS } from './product-words';

/** The fields of a shop's form. */
export interface ShopValues {
  name: string;
  supported: boolean;
  /** The slug of its canary; empty without one. */
  canary: string;
  /** Ids of Discord roles, or empty. */
  roleInstant: string;
  roleFree: string;
}

/** The name of a shop, whether it is supported, its canary, one of `watches`, and the roles that its alerts ping. */
export function ShopForm({
  values,
  watches,
}: {
  values: ShopValues;
  watches: readonly { slug: string; title: string }[];
}) {
  const { Form, result, pending } = useForms(['save-shop']);
  const typed = result?.ok === false ? result.values : undefined;
  const { name, canary, roleInstant, roleFree } = values;
  const field = fieldsOf(result, { name, canary, roleInstant, roleFree });
  return (
    <Panel title="Shop">
      <Form method="post" preventScrollReset className="grid gap-4">
        <FormNotice result={result} fields={['name', 'supported', 'canary', 'roleInstant', 'roleFree']} />
        <TextField
          {...field('name')}
          id="shop-name"
          label="Name"
          hint="The name that alerts and pages show."
          required
          maxLength={60}
        />
        <SelectField
          {...field('canary')}
          label="A product that is always in stock"
          hint="While its checks do not see it in stock, the shop may have changed its pages: no alert of this shop opens or closes then, and you are told once."
        >
          <option value="">None</option>
          {watches.map(({ slug, title }) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </SelectField>
        {['roleInstant', 'roleFree'].map((role) => (
          <TextField
            key={role}
            {...field(role)}
            inputMode="numeric"
            label={`Discord role of ${role === 'roleInstant' ? 'instant' : 'free'} alerts (optional)`}
            hint="The id of the role that alerts of its products ping. Empty: the one of the monitor’s settings."
            maxLength={20}
          />
        ))}
        <Checkbox
          id="supported"
          name="supported"
          label="Supported"
          hint="Named among the shops whose products can be followed."
          defaultChecked={typed === undefined ? values.supported : typed.supported !== undefined}
        />
        <div>
          <Button variant="primary" name="intent" value="save-shop" pending={pending !== null}>
            Save shop
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** How often each source of a shop's pages was right, and whether it is distrusted. */
export function TrustPanel({ trust }: { trust: readonly (SourceTrust & { isDistrusted: boolean })[] }) {
  return (
    <Panel title="How reliable its pages are">
      <p className="text-soft">
        At each change that a later check confirmed: how often each source had predicted it. A source that was
        wrong in more than a fifth of at least five changes cannot open an alert alone.
      </p>
      {trust.length === 0 ? (
        <p>No changes have been seen yet.</p>
      ) : (
        <Facts
          facts={trust.map(({ source, agreed, changes, isDistrusted }) => [
            SOURCE_LABELS[source],
            `${Math.round((100 * agreed) / changes)} %: right at ${agreed} of ${changes}${isDistrusted ? '. It cannot open an alert alone' : ''}`,
          ])}
        />
      )}
    </Panel>
  );
}
