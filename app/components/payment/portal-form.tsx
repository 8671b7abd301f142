import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';

/** Opens Stripe's customer portal: the card, and past invoices. */
export function PortalForm() {
  const { Form, result, pending } = useForms(['portal']);
  return (
    <div className="grid gap-3">
      <FormNotice result={result} />
      <Form method="post" className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button name="intent" value="portal" pending={pending !== null}>
          Update card or see invoices
        </Button>
        <span className="text-small text-soft">
          On Stripe’s site, which holds your card. We never see it.
        </span>
      </Form>
    </div>
  );
}
