import { CardFoot, Pocket } from '~/components/ui/card';
import { MEMBERS } from './restock-content';

/** The testimonials and the number of members. */
export function Testimonials() {
  const { testimonials } = MEMBERS;
  return (
    <section className="wrap py-10">
      <h2 className="text-heading">{MEMBERS.title}</h2>
      <ul className="binder mt-6 grid gap-3.5 md:grid-cols-3 lg:punched">
        {testimonials.map(({ words, name, place }) => (
          <li key={name} className="grid">
            <Pocket>
              <blockquote className="text-lead leading-snug">“{words}”</blockquote>
              <CardFoot>{`${name}, ${place}`}</CardFoot>
            </Pocket>
          </li>
        ))}
      </ul>
      <p className="mt-8 font-display text-title font-bold tracking-[-0.02em]">{MEMBERS.claim}</p>
    </section>
  );
}
