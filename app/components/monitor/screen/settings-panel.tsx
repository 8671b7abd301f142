import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { ChevronIcon } from '~/components/ui/icons';
import { HoursFields } from '../watches/hours-fields';
import { hoursText } from '#shared/monitor/hours-text';
import type { WatchSettings } from './live-watch';

const ROLES = [
  { id: 'role-instant', name: 'roleInstant', audience: 'instant' },
  { id: 'role-free', name: 'roleFree', audience: 'free' },
] as const;

/** The settings of a watch, behind a toggle. */
export function SettingsPanel({ settings, timeZone }: { settings: WatchSettings; timeZone: string }) {
  const { Form, result, pendingIntent } = useForms(['settings']);
  const typed = result?.ok === false ? result.values : undefined;
  const errors = result?.errors;
  return (
    <section className="rounded-card border border-line bg-surface shadow-card">
      <details open={result === null ? undefined : true} className="group">
        <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-card p-5 sm:p-6 [&::-webkit-details-marker]:hidden">
          <span>
            <h2 className="text-title">Settings</h2>
            <span className="mt-1 block text-small text-soft group-open:hidden">
              {hoursText(settings.hoursInWords, timeZone)}, every {settings.intervalSeconds} s
            </span>
          </span>
          <span className="transition-transform group-open:rotate-180">
            <ChevronIcon />
          </span>
        </summary>
        <Form method="post" preventScrollReset className="grid gap-4 px-5 pb-5 sm:px-6 sm:pb-6">
          <FormNotice
            result={result}
            fields={['intervalSeconds', 'hours', 'scrappeyDailyLimit', 'roleInstant', 'roleFree']}
          />
          <TextField
            id="interval"
            name="intervalSeconds"
            inputMode="numeric"
            autoComplete="off"
            label="Seconds between two checks"
            hint="15 to 3600."
            defaultValue={typed?.intervalSeconds ?? settings.intervalSeconds}
            errors={errors?.intervalSeconds}
          />
          <HoursFields
            legend={`Monitoring hours: ${hoursText(settings.hoursInWords, timeZone)}`}
            from={typed?.hoursFrom ?? settings.hours.from}
            to={typed?.hoursTo ?? settings.hours.to}
            errors={errors?.hours}
          />
          {ROLES.map(({ id, name, audience }) => (
            <TextField
              key={id}
              id={id}
              name={name}
              inputMode="numeric"
              autoComplete="off"
              label={`Discord role to ping, ${audience}`}
              hint="The role’s id. Empty: no ping. All watches share it."
              defaultValue={typed?.[name] ?? settings[name]}
              errors={errors?.[name]}
            />
          ))}
          <TextField
            id="scrappey-limit"
            name="scrappeyDailyLimit"
            inputMode="numeric"
            autoComplete="off"
            label="Scrappey fetches a day"
            hint="Of all watches together; after that the shop is fetched directly. 0: no limit."
            defaultValue={typed?.scrappeyDailyLimit ?? settings.scrappeyDailyLimit}
            errors={errors?.scrappeyDailyLimit}
          />
          <p>
            <Button name="intent" value="settings" variant="primary" pending={pendingIntent === 'settings'}>
              Save settings
            </Button>
          </p>
        </Form>
      </details>
    </section>
  );
}
