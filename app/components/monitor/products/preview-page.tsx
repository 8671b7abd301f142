import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { SECOND } from '#shared/clock';
import type { DescribedPreview, SeenPage } from '#shared/monitor/products/describe-preview';
import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { SelectField, TextField } from '~/components/ui/fields';
import { Notice } from '~/components/ui/notice';
import { Facts } from '../check/check-facts';
import { NEW_PRODUCT_PATH, previewAddress, PRODUCTS_PATH, watchAddress } from '../monitor-addresses';
import { StatePill } from '../state-pill';
import { PaidFetchField } from '../watches/watch-form';
import { BrandAndGtinFields, ImageField } from './product-forms';
import { ProductSignList } from './product-sign-list';
import {
  availabilityText,
  AVAILABILITY_STATES,
  priceText,
  SAYS_LABELS,
  SOURCE_LABELS,
} from './product-words';

/** The form that asks for the address of a page. `url`: at first; `isSeen`: what it shows is below. */
export function AddressForm({ url, isSeen }: { url: string; isSeen: boolean }) {
  const { Form, result, pending } = useForms(['preview']);
  return (
    <Form method="post" action={NEW_PRODUCT_PATH} className="grid max-w-2xl gap-4">
      <FormNotice result={result} fields={['url']} />
      <TextField
        {...fieldsOf(result, { url })('url')}
        id="page-url"
        type="url"
        inputMode="url"
        label="Address of the product’s page"
        hint="We fetch the page once and show what we find. Nothing is saved until you confirm it."
        required
        maxLength={2000}
      />
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant={isSeen ? 'plain' : 'primary'}
          name="intent"
          value="preview"
          pending={pending !== null}
        >
          Look at the page
        </Button>
        <ButtonLink href={PRODUCTS_PATH}>Cancel</ButtonLink>
      </div>
      {pending === null ? null : (
        <p role="status" className="text-small text-soft">
          Fetching the page. This can take a few seconds.
        </p>
      )}
    </Form>
  );
}

const LOOK_AGAIN_MS = 2 * SECOND;

/** While the daemon has not looked yet: a link, and with scripts a new look every two seconds. */
function StillLooking({ id }: { id: string }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <Panel title="The daemon is still fetching the page">
      <p role="status">The shop has not answered yet. That can take up to 20 seconds.</p>
      <p>
        <ButtonLink href={previewAddress(id)}>Look again</ButtonLink>
      </p>
    </Panel>
  );
}

/** "The structured data says in stock: “InStock”." */
function Contradictions({ seen }: { seen: SeenPage }) {
  const { contradictions, availability } = seen;
  if (contradictions.length === 0 || availability === 'unknown') return null;
  return (
    <Notice kind="error">
      The page contradicts itself. It was judged as {AVAILABILITY_WORDS[availability].toLowerCase()}, although{' '}
      {contradictions
        .map(
          ({ source, says, evidence }) =>
            `${SOURCE_LABELS[source].toLowerCase()} says ${SAYS_LABELS[says]} (“${evidence}”)`,
        )
        .join(', and ')}
      .
    </Notice>
  );
}

const PLATFORM_LABELS = { shopify_json: 'Shopify', woo_store_api: 'WooCommerce' } as const;

function Seen({ seen }: { seen: SeenPage }) {
  const { product, availability, signs } = { ...seen, product: seen.title ?? 'not found' };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Panel title="What we found">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <StatePill state={AVAILABILITY_STATES[availability]} label={availabilityText(seen)} />
          <p className="font-display text-lead font-bold">{priceText(seen.price)}</p>
        </div>
        <p className="wrap-anywhere">
          {seen.reason}
          {seen.strength === 'weak' ? (
            <span className="text-soft"> (weak: a second check confirms it)</span>
          ) : null}
        </p>
        <Contradictions seen={seen} />
        <Facts
          facts={[
            ['Title', product],
            ['GTIN', seen.gtin ?? 'none'],
            ['Sold by', seen.seller ?? 'not named'],
            ['Page came from', seen.finalUrl],
            ['Answer', seen.status === 0 ? 'none' : `HTTP ${seen.status}`],
            [
              'Size and time',
              `${seen.bodyLength.toLocaleString('en-GB')} characters in ${seen.responseTimeMs.toLocaleString('en-GB')} ms`,
            ],
            [
              'Platform JSON',
              seen.platform === null
                ? 'not found'
                : `${PLATFORM_LABELS[seen.platform.fetchAs]}, ${seen.platform.agrees ? 'agrees with the page' : 'contradicts the page'}: ${seen.platform.reason}`,
            ],
            ['robots.txt', seen.robots ?? 'allows the page'],
            ...(seen.error === null ? [] : ([['Error', seen.error]] as const)),
          ]}
        />
        {seen.variants.length === 0 ? null : (
          <>
            <h3 className="font-semibold">Variants</h3>
            <Facts
              facts={seen.variants.map((variant) => [
                variant.name,
                `${AVAILABILITY_WORDS[variant.availability]}, ${priceText(variant.price)} (${variant.key})`,
              ])}
            />
          </>
        )}
      </Panel>
      <Panel title="Evidence">
        <ProductSignList signs={signs} />
      </Panel>
    </div>
  );
}

/** The fields that the form has for a page; a fault of another one is shown above them. */
const fieldsFor = ({ variants, platform, robots }: SeenPage): string[] => [
  'title',
  'shop',
  'productSlug',
  'brand',
  'gtin',
  'imageUrl',
  'intervalSeconds',
  'paidFetch',
  ...(variants.length === 0 ? [] : ['variantKey']),
  ...(platform?.agrees === true ? ['fetchAs'] : []),
  ...(robots === null ? [] : ['robotsPermission']),
];

function ConfirmForm({
  preview,
  seen,
  products,
}: {
  preview: DescribedPreview;
  seen: SeenPage;
  products: readonly KnownProduct[];
}) {
  const { Form, result, pending } = useForms(['add']);
  const field = fieldsOf(result, {
    title: seen.title ?? undefined,
    shop: seen.retailer ?? new URL(preview.url).host.replace(/^www\./, ''),
    productSlug: seen.known?.slug,
    brand: seen.brand ?? undefined,
    gtin: seen.gtin ?? undefined,
    imageUrl: seen.imageUrl ?? undefined,
    intervalSeconds: '120',
    fetchAs: seen.platform?.fetchAs,
  });
  return (
    <Panel title="Add this product">
      <Form method="post" className="grid max-w-2xl gap-5">
        <FormNotice result={result} fields={fieldsFor(seen)} />
        <input type="hidden" name="url" value={preview.url} />
        {seen.watches.length === 0 ? null : (
          <p>
            This page is already checked by{' '}
            {seen.watches.map(({ slug }, index) => (
              <span key={slug}>
                {index === 0 ? '' : ', '}
                <a href={watchAddress(slug)} className="text-brand underline underline-offset-4">
                  {slug}
                </a>
              </span>
            ))}
            .{seen.variants.length === 0 ? '' : ' Choose another variant to add a second watch.'}
          </p>
        )}
        <TextField
          {...field('productSlug')}
          label="Existing product (optional)"
          hint={
            seen.known === null
              ? 'Its name in URLs. Leave it empty for a new product.'
              : `${seen.known.title} has the same GTIN.`
          }
          list="known-products"
          maxLength={100}
        />
        <datalist id="known-products">
          {products.map(({ slug, title }) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </datalist>
        <TextField {...field('title')} id="product-title" label="Title of a new product" maxLength={200} />
        <BrandAndGtinFields
          field={field}
          hint="The digits below its barcode. Pages of other shops with the same GTIN belong to the same product."
        />
        <ImageField
          field={field}
          hint="For a product without an image: we fetch it once, after the product is saved, and serve a copy."
        />
        <TextField
          {...field('shop')}
          label="Name of the shop"
          hint={seen.retailer === null ? 'A new shop.' : 'A known shop: it keeps its current name.'}
          maxLength={60}
        />
        {seen.variants.length === 0 ? null : (
          <SelectField {...field('variantKey')} label="Variant">
            <option value="">The best of all variants</option>
            {seen.variants.map(({ key, name, availability, price }) => (
              <option key={key} value={key}>
                {`${name}: ${AVAILABILITY_WORDS[availability].toLowerCase()}, ${priceText(price)}`}
              </option>
            ))}
          </SelectField>
        )}
        {seen.platform?.agrees === true ? (
          <SelectField
            {...field('fetchAs')}
            label="What a check reads"
            hint="The JSON is a few KB instead of the page, which is read every half hour."
          >
            <option value={seen.platform.fetchAs}>
              {`The JSON of ${PLATFORM_LABELS[seen.platform.fetchAs]}`}
            </option>
            <option value="page">The page</option>
          </SelectField>
        ) : null}
        {seen.robots === null ? null : (
          <TextField
            {...field('robotsPermission')}
            label="Permission of the shop"
            hint="robots.txt forbids this page. Who permitted the checks, and when?"
            maxLength={500}
          />
        )}
        <TextField
          {...field('intervalSeconds')}
          id="interval"
          inputMode="numeric"
          label="Seconds between two checks"
          hint="30 to 3600."
          required
        />
        <PaidFetchField isOn={result?.ok === false && result.values?.paidFetch !== undefined} />
        <div>
          <Button variant="primary" name="intent" value="add" pending={pending !== null}>
            Add product
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** A product that can be chosen for a new watch. */
export interface KnownProduct {
  slug: string;
  title: string;
}

/** The result for a page, and the form that confirms the new watch. */
export function PreviewPage({
  preview,
  products,
}: {
  preview: DescribedPreview;
  products: readonly KnownProduct[];
}) {
  const { id, seen } = preview;
  if (seen === null) return <StillLooking id={id} />;
  return (
    <>
      <Seen seen={seen} />
      <ConfirmForm key={id} preview={preview} seen={seen} products={products} />
    </>
  );
}
