import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { SelectField, TextField } from '~/components/ui/fields';
import { CASES_PATH } from '../monitor-addresses';
import { AVAILABILITIES } from '../products/product-words';

/** Keeps the page of a check with the right answer. */
export function WrongVerdict({ hasPage }: { hasPage: boolean }) {
  const { Form, result, pending } = useForms(['wrong']);
  const field = fieldsOf(result, { availability: '' });
  return (
    <Panel title="This verdict is wrong">
      <p className="text-soft">
        {hasPage
          ? 'Keeps the stored page with the right answer, for admins only, to test the judge later.'
          : 'The page is no longer stored: pages are kept for a week.'}
      </p>
      {hasPage ? (
        <Form method="post" preventScrollReset className="grid gap-4">
          <FormNotice result={result} fields={['availability', 'price', 'note']} />
          <SelectField {...field('availability')} label="What the page shows">
            <option value="" disabled>
              Choose
            </option>
            {AVAILABILITIES.map((availability) => (
              <option key={availability} value={availability}>
                {AVAILABILITY_WORDS[availability]}
              </option>
            ))}
          </SelectField>
          <TextField
            {...field('price')}
            id="right-price"
            inputMode="decimal"
            label="The right price (optional)"
            hint="Such as 49.99."
            maxLength={12}
          />
          <TextField {...field('note')} id="wrong-note" label="What is wrong (optional)" maxLength={200} />
          <div className="flex flex-wrap gap-2.5">
            <Button name="intent" value="wrong" pending={pending !== null}>
              Keep this page
            </Button>
            <ButtonLink href={CASES_PATH}>All kept pages</ButtonLink>
          </div>
        </Form>
      ) : null}
    </Panel>
  );
}
