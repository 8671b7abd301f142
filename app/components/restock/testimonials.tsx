import { ButtonLink } from '~/components/ui/button';
import { Pocket, SetNumber } from '~/components/ui/card';
import { ACTIONS, MEMBERS } from './restock-content';

/** The testimonials and the number of members. */
export function Testimonials() {
  const { testimonials } = MEMBERS;
  return (
    <section className="wrap py-10">
      <h2 className="text-heading">{MEMBERS.title}</h2>
      <ul className="binder mt-6 grid gap-3.5 md:grid-cols-3 lg:punched">
        {testimonials.map(({ words, name, place }, index) => (
          <li key={name} className="grid">
            <Pocket>
              <blockquote className="text-lead leading-snug">“{words}”</blockquote>
              <SetNumber left={`${name}, ${place}`} right={`${index + 1}/${testimonials.length}`} />
            </Pocket>
          </li>
        ))}
      </ul>
      <p className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
        <span className="font-display text-title font-bold tracking-[-0.02em]">{MEMBERS.claim}</span>
        <ButtonLink href={ACTIONS.premium.href} variant="primary">
          {ACTIONS.premium.name}
        </ButtonLink>
      </p>
    </section>
  );
}
