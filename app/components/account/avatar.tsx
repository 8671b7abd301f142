/**
 * The first letter of a name in a circle. Discord's picture is not shown: fetching it would tell Discord which
 * pages its people read here.
 */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-sunken font-display text-small font-bold uppercase"
    >
      {[...name][0] ?? '?'}
    </span>
  );
}
