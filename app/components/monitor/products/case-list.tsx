import type { JudgeCase } from '#shared/monitor/products/judge-cases.server';
import { AVAILABILITY_WORDS } from '#shared/monitor/checks/availability-words';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { dateAndSecond } from '~/components/time/time-format';
import { Button } from '~/components/ui/button';

/** The pages that were judged wrongly, with their right answers. */
export function CaseList({ cases }: { cases: readonly JudgeCase[] }) {
  const { Form, result, pending } = useForms(['delete-case']);
  return (
    <div className="grid gap-4">
      <FormNotice result={result} />
      {cases.length === 0 ? <p className="text-soft">No pages are kept.</p> : null}
      <ul className="grid gap-3">
        {cases.map(({ id, title, url, answer, note, createdAt }) => (
          <li key={id} className="grid gap-2 rounded-card border border-line bg-surface p-5 shadow-card">
            <h2 id={`case-${id}`} className="text-lead wrap-anywhere">
              {title}
            </h2>
            <p className="text-small wrap-anywhere text-soft">{url}</p>
            <p className="wrap-anywhere">
              Right: {AVAILABILITY_WORDS[answer.availability].toLowerCase()}
              {answer.price === null ? '' : `, ${answer.price.toFixed(2)}`}
              {note === null ? '' : `. ${note}`}
            </p>
            <p className="text-small text-soft">
              Kept <time dateTime={createdAt}>{dateAndSecond(createdAt)}</time>
            </p>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <Button
                name="intent"
                value="delete-case"
                aria-describedby={`case-${id}`}
                pending={pending?.get('id') === id}
              >
                Delete
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </div>
  );
}
