import { useEffect } from 'react';
import type { Preferences } from '#shared/accounts/preferences';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { HourField } from '~/components/ui/hour-field';
import { TIME_ZONES } from '~/components/ui/time-zones';
import { useHydrated } from '~/components/ui/use-hydrated';

interface QuietTimesProps {
  preferences: Preferences;
  /** Whether the member has chosen their time zone. */
  isZoneChosen: boolean;
  isPaused: boolean;
  /** When the next alert reaches the member, in sentences. */
  next: readonly string[];
}

/** The quiet hours of a member, the pause of their alerts, and when the next alert reaches them. */
export function QuietTimes({ preferences, isZoneChosen, isPaused, next }: QuietTimesProps) {
  return (
    <section aria-labelledby="quiet-title" className="grid gap-4 border-t border-line pt-4">
      <h3 id="quiet-title" className="font-semibold">
        Quiet hours and pauses
      </h3>
      <div className="grid gap-1.5">
        {next.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <Pause isPaused={isPaused} />
      <QuietHoursForm preferences={preferences} isZoneChosen={isZoneChosen} />
    </section>
  );
}

const PAUSES = [
  [1, 'Pause for 1 day'],
  [7, 'Pause for 1 week'],
] as const;

function Pause({ isPaused }: { isPaused: boolean }) {
  const { Form, result, pending } = useForms(['pause']);
  const choices = isPaused ? ([[0, 'Resume alerts']] as const) : PAUSES;
  return (
    <div className="grid gap-3">
      <FormNotice result={result} />
      <div className="flex flex-wrap gap-2.5">
        {choices.map(([days, label]) => (
          <Form key={days} method="post" preventScrollReset>
            <input type="hidden" name="days" value={days} />
            <Button name="intent" value="pause" pending={pending?.get('days') === String(days)}>
              {label}
            </Button>
          </Form>
        ))}
      </div>
      <p className="text-small text-soft">
        A pause holds back emails and notifications. Discord is not affected, here and below.
      </p>
    </div>
  );
}

/** Zones that name no place: privacy settings have browsers report them. */
const NO_PLACES: readonly (string | undefined)[] = [undefined, 'UTC', 'Etc/Unknown'];

/** Fills a field that still holds `initial` with the browser's time zone; null: none is wanted. Returns whether there is one. */
function useBrowserZone(fieldId: string, initial: string | null): boolean {
  const hydrated = useHydrated();
  const zone = hydrated ? new Intl.DateTimeFormat().resolvedOptions().timeZone : undefined;
  const isOther = initial !== null && !NO_PLACES.includes(zone) && zone !== initial;
  useEffect(() => {
    const field = document.getElementById(fieldId) as HTMLInputElement | null;
    if (isOther && field?.value === initial) field.value = zone ?? initial;
  }, [fieldId, initial, isOther, zone]);
  return isOther;
}

function QuietHoursForm({
  preferences: { alerts, timeZone },
  isZoneChosen,
}: Pick<QuietTimesProps, 'preferences' | 'isZoneChosen'>) {
  const { Form, result, latest, pendingIntent } = useForms(['quiet']);
  const { form, field } = useFields('quiet', latest, {
    quietFrom: String(alerts.quietHours?.from ?? ''),
    quietTo: String(alerts.quietHours?.to ?? ''),
    timeZone,
  });
  const isFromBrowser = useBrowserZone(field('timeZone').id, isZoneChosen ? null : timeZone);
  return (
    <div className="grid gap-3">
      <FormNotice result={result} fields={['quietFrom', 'quietTo', 'timeZone']} />
      <Form method="post" preventScrollReset {...form} className="grid gap-4">
        <fieldset aria-describedby="quiet-hint">
          <legend className="mb-1.5 font-semibold">Quiet hours of each day</legend>
          <p id="quiet-hint" className="mb-3 text-small text-soft">
            Emails wait until they end, and are sent then if the alert is still open. Notifications make no
            sound.
          </p>
          <div className="grid grid-cols-2 gap-4">
            <HourField {...field('quietFrom')} label="From" />
            <HourField {...field('quietTo')} label="Until" />
          </div>
        </fieldset>
        <TextField
          {...field('timeZone')}
          label="Your time zone"
          hint={
            // Of the same length, so that nothing moves.
            isFromBrowser
              ? 'Taken from your browser. Save it to use it.'
              : 'By its official name, such as Europe/London.'
          }
          autoComplete="off"
          spellCheck={false}
          list="quiet-zones"
        />
        <datalist id="quiet-zones">
          {TIME_ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <p>
          <Button name="intent" value="quiet" pending={pendingIntent === 'quiet'}>
            Save quiet hours
          </Button>
        </p>
      </Form>
    </div>
  );
}
