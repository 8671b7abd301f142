import { type ReactNode, useId } from 'react';
import { Part } from './part';

interface CardProps {
  edge?: 'plain' | 'foil';
  label?: string;
  children: ReactNode;
}

/** A surface in the shape of a card. Only a live alert has `edge="foil"`. */
export function Card({ edge = 'plain', label, children }: CardProps) {
  return (
    <article
      aria-label={label}
      className={`flex flex-col rounded-card border border-line bg-surface shadow-card ${edge === 'foil' ? 'foil-edge' : ''}`}
    >
      {children}
    </article>
  );
}

/** A cell of a binder grid. `empty`: for a planned feature, with a dashed border and no background. */
export function Pocket({ empty = false, children }: { empty?: boolean; children: ReactNode }) {
  return (
    <article
      className={`flex flex-col gap-2.5 rounded-pocket border p-5 sm:min-h-44 ${empty ? 'border-dashed border-soft' : 'border-line bg-surface'}`}
    >
      {children}
    </article>
  );
}

/** The caption of a figure. `live`: announced to screen readers when it changes. */
export function Caption({ live = false, children }: { live?: boolean; children: ReactNode }) {
  return (
    <figcaption aria-live={live ? 'polite' : undefined} className="mt-2 text-small text-soft">
      {children}
    </figcaption>
  );
}

/** The small line at the foot of a card: what it is. `number`: its place among the pages of a carousel. */
export function CardFoot({ number, children }: { number?: string; children: ReactNode }) {
  return (
    <p className="mt-auto flex items-center justify-between gap-4 pt-2 text-small tracking-[0.02em] text-soft">
      <span>{children}</span>
      {number === undefined ? null : <span>{number}</span>}
    </p>
  );
}

/** A card with a heading, for one topic of a signed-in page. `id`: where links lead that end with it. */
export function Panel({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className="flex scroll-mt-24 flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <h2 id={headingId} className="text-title">
        {title}
      </h2>
      <Part>{children}</Part>
    </section>
  );
}
