import type { ReactNode } from 'react';
import type { Story } from '~/components/news/story';
import { StoryCard } from '~/components/news/story-card';
import { useSiteFacts } from '~/components/site/site-facts';
import { Badge } from '~/components/ui/badge';
import { ButtonLink } from '~/components/ui/button';
import { Card, CardFoot, Pocket } from '~/components/ui/card';
import { ProductGrid } from '~/components/products/product-grid';
import type { ProductSummary } from '~/components/products/product-summary';
import { PRODUCTS_PATH } from '~/components/products/product-words';
import {
  BACK_IN_STOCK,
  NEWS,
  FEATURES,
  FINAL_CALL,
  HOW,
  PRICING,
  RETAILERS,
  ROADMAP,
  WHY,
} from './landing-content';
import { accessCallOf, RequestAccess } from './request-access';

interface SectionProps {
  id?: string;
  title: string;
  intro?: string;
  children: ReactNode;
}

/** A section of the landing page. `id`: its anchor. */
function Section({ id, title, intro, children }: SectionProps) {
  return (
    <section id={id} className="wrap py-14">
      <h2 className="text-heading">{title}</h2>
      {intro === undefined ? null : <p className="mt-2.5 max-w-[40em] text-soft">{intro}</p>}
      <div className="mt-7">{children}</div>
    </section>
  );
}

export function LatestNews({ stories }: { stories: readonly Story[] }) {
  return (
    <Section id="news" title={NEWS.title}>
      <ul className="grid grid-cols-1 gap-5 md:grid-cols-3">
        {stories.map((story) => (
          <li key={story.id}>
            <StoryCard story={story} />
          </li>
        ))}
      </ul>
      <p className="mt-6">
        <ButtonLink href={NEWS.href}>{NEWS.all}</ButtonLink>
      </p>
    </Section>
  );
}

/** The products in stock that came back last. `nowMs`: epoch ms. */
export function BackInStock({ products, nowMs }: { products: readonly ProductSummary[]; nowMs: number }) {
  return (
    <Section id="restocks" title={BACK_IN_STOCK.title}>
      <ProductGrid products={products} nowMs={nowMs} heading="h3" />
      <p className="mt-6">
        <ButtonLink href={PRODUCTS_PATH}>{BACK_IN_STOCK.all}</ButtonLink>
      </p>
    </Section>
  );
}

export function HowItTravels() {
  return (
    <Section id="how" title={HOW.title} intro={HOW.intro}>
      <ol className="grid gap-y-1 lg:grid-cols-4">
        {HOW.steps.map(({ at, name, text }) => (
          <li
            key={name}
            className="relative border-l-2 border-line pb-6 pl-7 last:border-transparent lg:border-t-2 lg:border-l-0 lg:pt-6 lg:pr-8 lg:pl-0 lg:last:border-line"
          >
            <span
              aria-hidden="true"
              className="absolute top-1 -left-[9px] size-4 rounded-full border-[3px] border-brand bg-page lg:-top-[9px] lg:left-0"
            />
            <p className="text-small font-[650] tracking-[0.02em] text-brand">{at}</p>
            <h3 className="mt-1 text-title">{name}</h3>
            <p className="mt-2 text-soft">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-4 max-w-[40em] font-semibold">{HOW.promise}</p>
    </Section>
  );
}

export function Features() {
  const { items } = FEATURES;
  return (
    <Section id="features" title={FEATURES.title} intro={FEATURES.intro}>
      <div className="binder grid gap-3.5 sm:grid-cols-2 lg:punched lg:grid-cols-3">
        {items.map(({ name, text, kind, planned = false }) => (
          <Pocket key={name} empty={planned}>
            <h3 className="text-lead leading-tight tracking-[-0.01em]">{name}</h3>
            <p className="text-soft">{text}</p>
            <CardFoot>{planned ? <Badge variant="planned">{kind}</Badge> : kind}</CardFoot>
          </Pocket>
        ))}
      </div>
    </Section>
  );
}

export function WhyJoin() {
  return (
    <Section title={WHY.title}>
      <dl className="grid gap-x-10 gap-y-7 sm:grid-cols-2">
        {WHY.reasons.map(({ name, text }) => (
          <div key={name}>
            <dt className="font-display text-lead font-bold tracking-[-0.01em]">{name}</dt>
            <dd className="mt-1 text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function Roadmap() {
  return (
    <Section id="roadmap" title={ROADMAP.title} intro={ROADMAP.intro}>
      <ol className="binder grid gap-3.5 md:grid-cols-3 lg:punched">
        {ROADMAP.stages.map(({ quarter, status, text }, index) => (
          <li key={quarter} className="grid">
            <Pocket empty={index > 0}>
              <h3 className="text-title">{quarter}</h3>
              <p className="text-soft">{text}</p>
              <CardFoot>
                <Badge variant={index > 0 ? 'planned' : 'plain'}>{status}</Badge>
              </CardFoot>
            </Pocket>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function Pricing() {
  return (
    <Section id="pricing" title={PRICING.title} intro={PRICING.intro}>
      <div className="grid gap-4.5 md:grid-cols-2">
        {PRICING.plans.map(({ name, badge, price, per, pitch, points, pro }) => (
          <Card key={name}>
            <div className="p-6">
              <h3 className="flex items-center gap-3 text-lead">
                {name} <Badge variant={pro ? 'pro' : 'planned'}>{badge}</Badge>
              </h3>
              <p className="mt-4 font-display text-heading font-bold tracking-[-0.02em]">
                {price}{' '}
                {per === '' ? null : (
                  <span className="font-sans text-base font-medium tracking-normal text-soft">{per}</span>
                )}
              </p>
              <p className="mt-2 text-soft">{pitch}</p>
              <ul className="mt-5 grid list-disc gap-1.5 pl-5 marker:text-soft">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </div>
            {pro ? (
              <p className="mt-auto grid px-6 pb-6 sm:justify-start">
                <RequestAccess variant="primary" />
              </p>
            ) : null}
          </Card>
        ))}
      </div>
    </Section>
  );
}

export function Retailers({ retailers }: { retailers: readonly string[] }) {
  return (
    <Section id="retailers" title={RETAILERS.title} intro={RETAILERS.intro}>
      <ul className="flex flex-wrap gap-2.5">
        {retailers.map((retailer) => (
          <li
            key={retailer}
            className="rounded-full border border-line bg-surface px-4 py-2 font-semibold [overflow-wrap:anywhere]"
          >
            {retailer}
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function FinalCall() {
  const { text } = accessCallOf(useSiteFacts().signedIn);
  return (
    <section className="wrap py-14">
      <div className="grid justify-items-start gap-5 rounded-card border border-line bg-surface p-7 shadow-card sm:p-10 md:grid-cols-[1fr_auto] md:items-center md:gap-10">
        <div>
          <h2 className="text-heading">{FINAL_CALL.title}</h2>
          <p className="mt-3 max-w-[40em] text-soft">{text}</p>
        </div>
        <RequestAccess variant="primary" />
      </div>
    </section>
  );
}
