import { Button, Link } from '~/components/ui/button';
import type { HeroSlides } from '#shared/settings/setting-fields';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/ui/card';
import { Checkbox } from '~/components/ui/checkbox';

/** The name of the hidden field with the slide's state when the form was rendered. */
export function shownField<Slide extends keyof HeroSlides>(slide: Slide) {
  return `shown-${slide}` as const;
}

/** The state of the tracking sets, which also have their own switch. */
export interface TrackingState {
  enabled: boolean;
  /** The number of enabled sets. */
  shown: number;
}

function trackingHint(tracking: TrackingState | null): string {
  if (tracking === null) return 'One slide for each tracking set that is on.';
  const { enabled, shown } = tracking;
  const sets = shown === 1 ? '1 set is on' : `${shown} sets are on`;
  return enabled
    ? `One slide for each tracking set that is on. The Tracking slides switch is on too; ${sets}.`
    : 'One slide for each tracking set that is on. The Tracking slides switch is off, so none will show yet.';
}

/** The switches of the hero's slides. Saving changes only those that were moved. `tracking`: null if it could not be loaded. */
export function HeroSlideForm({ slides, tracking }: { slides: HeroSlides; tracking: TrackingState | null }) {
  const { Form, result, pending } = useForms(['slides']);
  const rows: { slide: keyof HeroSlides; label: string; hint: string }[] = [
    { slide: 'newsSlideEnabled', label: 'News', hint: 'The latest story.' },
    { slide: 'discordSlideEnabled', label: 'Community chat', hint: 'An alert as it appears in Discord.' },
    { slide: 'checkoutSlideEnabled', label: 'Checkout', hint: 'A look at the checkout builder.' },
    { slide: 'trackingSetsEnabled', label: 'Tracking sets', hint: trackingHint(tracking) },
  ];
  return (
    <div className="max-w-2xl">
      <Panel title="Slides">
        <FormNotice result={result} />
        <Form method="post" preventScrollReset className="grid gap-4">
          <fieldset className="grid divide-y divide-line">
            <legend className="sr-only">Slides to show</legend>
            {rows.map(({ slide, label, hint }) => (
              // The key resets the checkbox when the stored state changes.
              <div key={`${slide}-${slides[slide]}`} className="py-2">
                {slides[slide] ? <input type="hidden" name={shownField(slide)} value="on" /> : null}
                <Checkbox
                  id={slide}
                  name={slide}
                  label={label}
                  hint={hint}
                  defaultChecked={
                    result?.values === undefined ? slides[slide] : result.values[slide] === 'on'
                  }
                />
              </div>
            ))}
          </fieldset>
          <p className="flex flex-wrap items-center gap-4">
            <Button variant="primary" name="intent" value="slides" pending={pending !== null}>
              Save
            </Button>
            <Link to="/dashboard/hero-tracking" prefetch="intent" className="underline underline-offset-4">
              Manage tracking sets
            </Link>
          </p>
        </Form>
      </Panel>
    </div>
  );
}
