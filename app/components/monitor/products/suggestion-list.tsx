import type { Suggestion } from '#shared/follows/suggestions';
import { counted } from '#shared/format';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { clockAndDay } from '~/components/time/time-format';
import { Button, ButtonLink } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { PageLinks } from '~/components/ui/page-links';
import { suggestedAddress, suggestionsAddress } from '../monitor-addresses';

/** A page of suggestions. */
export interface SuggestionPage {
  suggestions: Suggestion[];
  page: number;
  totalPages: number;
  /** The server's time (ISO-8601). */
  now: string;
}

/** Pages that members would like to follow: an admin previews or dismisses each. */
export function SuggestionList({ suggested }: { suggested: SuggestionPage }) {
  const { suggestions, page, totalPages, now } = suggested;
  const { Form, result, pending } = useForms(['drop-suggestion']);
  const failedId = result?.ok === false ? result.values?.id : undefined;
  return (
    <div className="grid gap-4">
      <FormNotice result={result} fields={['reason']} />
      {suggestions.length === 0 ? <p className="text-soft">No suggestion is waiting.</p> : null}
      <ul className="grid gap-3">
        {suggestions.map(({ id, url, members, suggestedAt }) => (
          <li key={id} className="grid gap-3 rounded-card border border-line bg-surface p-5 shadow-card">
            <div className="min-w-0">
              <h2 id={`suggestion-${id}`} className="text-[1rem] wrap-anywhere">
                {url}
              </h2>
              <p className="text-small text-soft">
                {counted(members, 'member')}, first{' '}
                <time dateTime={suggestedAt}>{clockAndDay(suggestedAt, Date.parse(now))}</time>
              </p>
            </div>
            <p>
              <ButtonLink href={suggestedAddress(url)}>Look at the page</ButtonLink>
            </p>
            <Form
              method="post"
              preventScrollReset
              className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
            >
              <input type="hidden" name="id" value={id} />
              <TextField
                {...fieldsOf(failedId === id ? result : null)('reason')}
                id={`reason-${id}`}
                label="Why it is dismissed (optional)"
                hint="The members who suggested it see this sentence in their account."
                maxLength={200}
              />
              <p>
                <Button
                  name="intent"
                  value="drop-suggestion"
                  aria-describedby={`suggestion-${id}`}
                  pending={pending?.get('id') === id}
                >
                  Dismiss
                </Button>
              </p>
            </Form>
          </li>
        ))}
      </ul>
      <PageLinks
        label="Pages of the suggestions"
        page={page}
        totalPages={totalPages}
        addressOf={suggestionsAddress}
      />
    </div>
  );
}
