import { FormNotice, useForms } from '~/components/forms/use-forms';
import { ButtonLink } from '~/components/ui/button';
import { ADD_WATCH_PATH, deleteWatchAddress, editWatchAddress } from '../monitor-addresses';

/** The links of a watch's screen to the forms about it, and their notices. `permanent`: it cannot be deleted. */
export function WatchActions({ slug, permanent }: { slug: string; permanent: boolean }) {
  const { result } = useForms(['add', 'edit']);
  return (
    <div className="grid gap-3">
      <FormNotice result={result} />
      <nav aria-label="Watches" className="flex flex-wrap gap-2.5">
        <ButtonLink href={editWatchAddress(slug)}>Edit this watch</ButtonLink>
        <ButtonLink href={ADD_WATCH_PATH}>Add a watch</ButtonLink>
        {permanent ? null : <ButtonLink href={deleteWatchAddress(slug)}>Delete this watch</ButtonLink>}
      </nav>
    </div>
  );
}
