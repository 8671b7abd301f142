import { useId, type ReactNode } from 'react';
import { Part } from './part';

/** A card with a heading, for one topic of a signed-in page. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id={id} className="text-title">
        {title}
      </h2>
      <Part>{children}</Part>
    </section>
  );
}
