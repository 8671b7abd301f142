import { WarningIcon } from '~/components/ui/icons';

export interface ChoosableWatch {
  slug: string;
  shop: string;
  title: string;
}

interface WatchChoiceProps {
  watches: readonly ChoosableWatch[];
  chosen: readonly string[] | null;
  errors?: readonly string[];
}

/** The choice between all watches and some. `chosen`: slugs; null: all. Empty while one watch exists and all are chosen. */
export function WatchChoice({ watches, chosen, errors = [] }: WatchChoiceProps) {
  if (watches.length < 2 && chosen === null) return null;
  return (
    <fieldset
      className="group/watches border-t border-line pt-4"
      aria-describedby={errors.length === 0 ? undefined : 'watches-error'}
    >
      <legend className="float-left mb-1.5 w-full font-semibold">Which waiting rooms</legend>
      <div className="clear-both">
        <Radio id="watches-all" value="all" label="All, also those we add later" checked={chosen === null} />
        <Radio id="watches-chosen" value="chosen" label="Only these" checked={chosen !== null} />
      </div>
      {/* Without :has() the list is always shown; its ticks count only with "Only these". */}
      <ul
        className="mt-1.5 ml-8 grid max-h-72 gap-x-4 overflow-y-auto rounded-control border border-line px-3 py-1.5 group-has-[#watches-all:checked]/watches:hidden sm:grid-cols-2"
        aria-label="Waiting rooms"
      >
        {watches.map(({ slug, shop, title }) => (
          <li key={slug}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                name="watches"
                value={slug}
                defaultChecked={chosen?.includes(slug) ?? false}
                className="size-5 shrink-0 cursor-pointer accent-brand"
              />
              <span className="min-w-0 wrap-anywhere">{title === shop ? shop : `${shop}: ${title}`}</span>
            </label>
          </li>
        ))}
      </ul>
      {errors.length === 0 ? null : (
        <p id="watches-error" className="mt-1.5 flex items-start gap-1.5 text-small text-live">
          <WarningIcon />
          <span className="pt-px">{errors.join(' ')}</span>
        </p>
      )}
    </fieldset>
  );
}

interface RadioProps {
  id: string;
  value: string;
  label: string;
  checked: boolean;
}

function Radio({ id, value, label, checked }: RadioProps) {
  return (
    <p className="flex min-h-11 items-center gap-3">
      <input
        type="radio"
        id={id}
        name="watchChoice"
        value={value}
        defaultChecked={checked}
        className="size-5 cursor-pointer accent-brand"
      />
      <label htmlFor={id} className="cursor-pointer">
        {label}
      </label>
    </p>
  );
}
