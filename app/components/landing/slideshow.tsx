import { useState, type FocusEvent, type ReactNode } from 'react';
import { ChevronIcon, PausedIcon, PlayIcon } from '~/components/ui/icons';
import { useHydrated } from '~/components/ui/use-hydrated';
import { SLIDES } from './slideshow-content';
import { SlideContent } from './slide-content';
import type { Slide } from './slides';
import { useSlideshow } from './use-slideshow';

function anchorOf(index: number): string {
  return `slide-${index + 1}`;
}

/** A slide's dot, filled for the current slide. */
function Dot({ current }: { current: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`size-3 rounded-full border-2 transition-colors ${current ? 'border-brand bg-brand' : 'border-soft'}`}
    />
  );
}

const DOT_CLASS = 'grid h-11 w-8 cursor-pointer place-items-center rounded-control';

function Control({ name, onPress, children }: { name: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={name}
      onClick={onPress}
      className="grid size-11 cursor-pointer place-items-center rounded-control border border-line bg-surface hover:border-soft"
    >
      {children}
    </button>
  );
}

/** A carousel: a scroll-snap strip with links to its slides. Scripts add buttons and advance the slides automatically. */
export default function Slideshow({ slides }: { slides: readonly Slide[] }) {
  const count = slides.length;
  const [strip, setStrip] = useState<HTMLDivElement | null>(null);
  const slideshow = useSlideshow(strip, count);
  const hydrated = useHydrated();
  const [announcement, setAnnouncement] = useState('');

  const turnTo = (index: number) => {
    const slide = slides[(index + count) % count];
    if (slide === undefined) return;
    slideshow.show(index);
    setAnnouncement(`${((index + count) % count) + 1} of ${count}: ${slide.name}`);
  };
  const onFocus = ({ target }: FocusEvent) => {
    // Focus from a click, or on the play button, does not stop the automatic advance.
    slideshow.setFocused(target.matches(':focus-visible') && target.closest('[data-rotation]') === null);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) slideshow.setFocused(false);
  };

  return (
    <section
      aria-roledescription="carousel"
      aria-label={SLIDES.label}
      className="wrap pb-6"
      onFocus={onFocus}
      onBlur={onBlur}
      onPointerEnter={() => slideshow.setHovered(true)}
      onPointerLeave={() => slideshow.setHovered(false)}
      onPointerCancel={() => slideshow.setHovered(false)}
    >
      <div className="binder lg:punched">
        <div
          ref={setStrip}
          role="group"
          aria-label={SLIDES.strip}
          // Focusable, so that the arrow keys scroll it.
          tabIndex={0}
          className="relative flex snap-x snap-mandatory [scrollbar-width:none] overflow-x-auto overscroll-x-contain rounded-pocket border border-line bg-surface"
        >
          {slides.map((slide, index) => (
            <div
              key={slide.key}
              id={anchorOf(index)}
              role="group"
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${count}: ${slide.name}`}
              className="w-full shrink-0 snap-start snap-always"
            >
              <SlideContent slide={slide} />
            </div>
          ))}
        </div>
        {count === 1 ? null : (
          <div className="mt-2.5 flex min-h-11 items-center justify-between gap-3">
            <div className="flex flex-wrap">
              {slides.map((slide, index) => {
                const name = `Slide ${index + 1} of ${count}: ${slide.name}`;
                const current = hydrated && index === slideshow.current;
                return hydrated ? (
                  <button
                    key={slide.key}
                    type="button"
                    aria-label={name}
                    aria-current={current ? 'true' : undefined}
                    onClick={() => turnTo(index)}
                    className={DOT_CLASS}
                  >
                    <Dot current={current} />
                  </button>
                ) : (
                  <a key={slide.key} href={`#${anchorOf(index)}`} aria-label={name} className={DOT_CLASS}>
                    <Dot current={false} />
                  </a>
                );
              })}
            </div>
            {hydrated ? (
              <div className="flex shrink-0 gap-2">
                {slideshow.advances ? (
                  <span data-rotation="">
                    <Control
                      name={slideshow.paused ? SLIDES.controls.play : SLIDES.controls.pause}
                      onPress={() => slideshow.setPaused(!slideshow.paused)}
                    >
                      {slideshow.paused ? <PlayIcon /> : <PausedIcon />}
                    </Control>
                  </span>
                ) : null}
                <Control name={SLIDES.controls.previous} onPress={() => turnTo(slideshow.current - 1)}>
                  <span className="rotate-90">
                    <ChevronIcon />
                  </span>
                </Control>
                <Control name={SLIDES.controls.next} onPress={() => turnTo(slideshow.current + 1)}>
                  <span className="-rotate-90">
                    <ChevronIcon />
                  </span>
                </Control>
              </div>
            ) : null}
          </div>
        )}
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
    </section>
  );
}
