import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
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
  const { hours, hoursInWords, ...values } = settings;
  const field = fieldsOf(result, { ...values, hoursFrom: hours.from, hoursTo: hours.to });
  return (
    <section className="rounded-card border border-line bg-surface shadow-card">
      <details open={result === null ? undefined : true} className="group">
        <summary className="flex cursor-pointer list-none items-center justify-between gap-3 rounded-card p-5 sm:p-6 [&::-webkit-details-marker]:hidden">
          <span>
            <h2 className="text-title">Settings</h2>
            <span className="mt-1 block text-small text-soft group-open:hidden">
              {hoursText(hoursInWords, timeZone)}, every {settings.intervalSeconds} s
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
            {...field('intervalSeconds')}
            id="interval"
            inputMode="numeric"
            label="Seconds between two checks"
            hint="15 to 3600."
          />
          <HoursFields legend={`Monitoring hours: ${hoursText(hoursInWords, timeZone)}`} field={field} />
          {ROLES.map(({ id, name, audience }) => (
            <TextField
              key={id}
              {...field(name)}
              id={id}
              inputMode="numeric"
              label={`Discord role to ping, ${audience}`}
              hint="The role’s id. Empty: no ping. All watches share it."
            />
          ))}
          <TextField
            {...field('scrappeyDailyLimit')}
            id="scrappey-limit"
            inputMode="numeric"
            label="Scrappey fetches a day"
            hint="For all watches together; after that the shop is fetched directly. 0: no limit."
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
