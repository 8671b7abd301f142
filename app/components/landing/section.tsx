import type { ReactNode } from 'react';

/** One section of the landing page, with its heading and the anchor that the bar leads to. */
export function Section({
  id,
  title,
  intro,
  children,
}: {
  id?: string;
  title: string;
  intro?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} className="wrap py-14">
      <h2 className="text-heading">{title}</h2>
      {intro === undefined ? null : <p className="mt-2.5 max-w-[40em] text-soft">{intro}</p>}
      <div className="mt-7">{children}</div>
    </section>
  );
}
