import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { FormResult } from '#shared/site/form-result';
import { Button, ButtonLink, buttonClass } from '~/components/ui/button';
import { AddressDialog } from '~/components/ui/dialogs';
import { FormNotice, useForms, type Forms } from './use-forms';

/** The buttons of a page that asks before it deletes something; `delete` is the intent. */
export function DeleteForm({ leaveTo, label }: { leaveTo: string; label: string }) {
  const { Form, result, pending } = useForms(['delete']);
  return (
    <>
      <FormNotice result={result} />
      <Form method="post" className="flex flex-wrap gap-2.5">
        <ButtonLink href={leaveTo}>Keep it</ButtonLink>
        <Button variant="primary" name="intent" value="delete" pending={pending !== null}>
          {label}
        </Button>
      </Form>
    </>
  );
}

interface FormDialogProps {
  title: string;
  text: ReactNode;
  /** The page without the dialog, and the label of the link to it. */
  leaveTo: string;
  leave?: string;
  forms: Pick<Forms, 'Form' | 'pendingIntent'>;
  /** An open dialog shows the refusal of its form. */
  refusal: FormResult | null;
  intent: string;
  label: string;
  /** The names and values of its hidden fields. */
  fields?: Readonly<Record<string, string>>;
}

/** A confirmation dialog that the URL opens, with its form. */
export function FormDialog({ leave = 'Cancel', forms, fields = {}, intent, ...props }: FormDialogProps) {
  const { title, text, leaveTo, refusal, label } = props;
  return (
    <AddressDialog title={title} text={text} leaveTo={leaveTo}>
      <FormNotice result={refusal} />
      <Link to={leaveTo} replace preventScrollReset className={buttonClass()}>
        {leave}
      </Link>
      <forms.Form method="post" preventScrollReset>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button variant="primary" name="intent" value={intent} pending={forms.pendingIntent === intent}>
          {label}
        </Button>
      </forms.Form>
    </AddressDialog>
  );
}
