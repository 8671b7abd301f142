import { Link } from '~/components/ui/button';
import type { ReactNode } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { Mark } from '~/components/site/logo';
import { StoryFacts, StoryImage } from '~/components/news/story-card';
import { SLIDES } from './slideshow-content';
import type { Slide } from './slides';

/** The `sizes` attribute of a slide's image. */
const IMAGE_SIZES = '(min-width: 1160px) 480px, (min-width: 48rem) 45vw, calc(100vw - 110px)';

interface SlideLayoutProps {
  kind: string;
  title: string;
  children: ReactNode;
  illustration: ReactNode;
}

/** A slide's layout: the text beside an illustration. */
function SlideLayout({ kind, title, children, illustration }: SlideLayoutProps) {
  return (
    <div className="grid h-full grid-cols-1 gap-6 p-5 max-md:grid-rows-[auto_1fr] sm:p-7 md:content-center md:grid-cols-2 md:items-center md:gap-10 lg:p-9">
      <div className="grid content-start gap-3 md:order-first">
        <p className="text-small tracking-[0.02em] text-soft">{kind}</p>
        <h2 className="text-title [overflow-wrap:anywhere]">{title}</h2>
        {children}
      </div>
      {/* On a phone it fills the height of the highest slide. */}
      <div className="grid min-w-0 grid-cols-1 max-md:*:h-full">{illustration}</div>
    </div>
  );
}

function NewsSlide({ slide }: { slide: Extract<Slide, { kind: 'news' }> }) {
  const { story } = slide;
  return (
    <SlideLayout
      kind={SLIDES.news.kind}
      title={story.title}
      illustration={
        // Without its ratio on a phone: its height would make it wider than the slide.
        <div className="grid grid-cols-1 overflow-hidden rounded-pocket border border-line max-md:*:aspect-auto max-md:*:size-full">
          <StoryImage image={story.image} sizes={IMAGE_SIZES} />
        </div>
      }
    >
      <p className="text-soft [overflow-wrap:anywhere]">{story.summary}</p>
      <StoryFacts story={story} />
      <p>
        <Link
          to={`/news/${story.id}`}
          prefetch="intent"
          aria-label={`${SLIDES.news.link}: ${story.title}`}
          className="inline-block py-1 font-semibold text-brand underline underline-offset-4 hover:no-underline"
        >
          {SLIDES.news.link}
        </Link>
      </p>
    </SlideLayout>
  );
}

/** An example alert, as Discord shows it. */
function AlertMessage() {
  const { alert } = SLIDES.community;
  return (
    <figure
      aria-label={alert.label}
      className="grid content-center rounded-pocket border border-line bg-page p-4 sm:p-5"
    >
      <div className="grid grid-cols-[auto_1fr] gap-x-3.5">
        <span className="grid size-10 place-items-center rounded-full bg-sunken sm:row-span-2">
          <Mark />
        </span>
        <p className="flex flex-wrap items-center gap-x-2 self-center text-small">
          <span className="text-base font-semibold">{PRODUCT_NAME}</span>
          <span className="rounded-[5px] bg-brand px-1.5 text-[0.7rem] font-bold text-brand-ink uppercase">
            {alert.app}
          </span>
          <span className="text-soft">{alert.at}</span>
        </p>
        <div className="mt-2 min-w-0 rounded-[6px] max-sm:col-span-2 border-l-4 border-live bg-surface px-3.5 py-3 text-small">
          <p className="text-base leading-snug font-semibold text-brand">{alert.title}</p>
          <p className="mt-1.5">{alert.description}</p>
          <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
            {alert.fields.map(({ name, value }) => (
              <div key={name}>
                <dt className="font-semibold">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-soft">
            {PRODUCT_NAME} · {alert.note}
          </p>
        </div>
      </div>
    </figure>
  );
}

function CommunitySlide() {
  const { kind, title, text } = SLIDES.community;
  return (
    <SlideLayout kind={kind} title={title} illustration={<AlertMessage />}>
      <p className="text-soft">{text}</p>
    </SlideLayout>
  );
}

/** The example blocks of a checkout, connected from top to bottom. */
function CheckoutBlocks() {
  const { label, blocks } = SLIDES.checkout;
  return (
    <ol aria-label={label} className="grid auto-rows-fr gap-2.5">
      {blocks.map(({ kind, text }, index) => (
        <li
          key={kind}
          className="relative grid grid-cols-[3.5rem_1fr] content-center items-baseline gap-x-3 rounded-control border border-line bg-page px-3.5 py-2.5 max-sm:text-small sm:grid-cols-[4.5rem_1fr] sm:px-4 not-last:after:absolute not-last:after:top-full not-last:after:left-8 not-last:after:h-2.5 not-last:after:border-l-2 not-last:after:border-brand"
        >
          <span className={`text-small font-[650] ${index === 3 ? 'text-unknown' : 'text-brand'}`}>
            {kind}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

function CheckoutSlide() {
  const { kind, title, text } = SLIDES.checkout;
  return (
    <SlideLayout kind={kind} title={title} illustration={<CheckoutBlocks />}>
      <p className="text-soft">{text}</p>
    </SlideLayout>
  );
}

function TrackingSlide({ slide }: { slide: Extract<Slide, { kind: 'tracking' }> }) {
  return (
    <SlideLayout
      kind={SLIDES.tracking.kind}
      title={slide.name}
      illustration={
        <img
          src={slide.imageUrl}
          srcSet={slide.srcSet}
          sizes={slide.srcSet === undefined ? undefined : IMAGE_SIZES}
          alt=""
          // The box's ratio; the image is cropped to it.
          width={800}
          height={600}
          loading="lazy"
          decoding="async"
          className="aspect-[4/3] w-full rounded-pocket border border-line bg-sunken object-cover"
        />
      }
    >
      <p className="text-soft">{SLIDES.tracking.text}</p>
    </SlideLayout>
  );
}

/** The content of a slide. */
export function SlideContent({ slide }: { slide: Slide }) {
  switch (slide.kind) {
    case 'news':
      return <NewsSlide slide={slide} />;
    case 'community':
      return <CommunitySlide />;
    case 'checkout':
      return <CheckoutSlide />;
    case 'tracking':
      return <TrackingSlide slide={slide} />;
  }
}
