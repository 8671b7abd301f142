import type { Suggestion } from '#shared/follows/suggestions';
import { counted } from '#shared/format';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { suggestedAddress } from '../monitor-addresses';

/** Pages that members would like to follow: an admin looks at one, or removes it from the list. */
export function SuggestionList({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const { Form, result, pending } = useForms(['drop-suggestion']);
  return (
    <Panel title="Suggestions of members">
      <FormNotice result={result} />
      {suggestions.length === 0 ? <p className="text-soft">None waits.</p> : null}
      <ul className="divide-y divide-line">
        {suggestions.map(({ id, url, members }) => (
          <li key={id} className="grid gap-3 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
            <div className="min-w-0">
              <p id={`suggestion-${id}`} className="wrap-anywhere">
                {url}
              </p>
              <p className="text-small text-soft">{counted(members, 'member')}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              <ButtonLink href={suggestedAddress(url)}>Look at the page</ButtonLink>
              <Form method="post" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <Button
                  name="intent"
                  value="drop-suggestion"
                  aria-describedby={`suggestion-${id}`}
                  pending={pending?.get('id') === id}
                >
                  Done
                </Button>
              </Form>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
