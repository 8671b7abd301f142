import type { Preferences } from '#shared/accounts/preferences';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Badge } from '~/components/ui/badge';
import { Button, ButtonLink } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { FieldErrors } from '~/components/ui/fields';
import { LoadFailed, Notice } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import type { PushDevice } from '#shared/push/push-subscriptions';
import { AlertDevices } from './alert-devices';
import { AlertTest, type TestView } from './alert-test';
import { QuietTimes } from './quiet-times';

interface ChoosableWatch {
  slug: string;
  shop: string;
  title: string;
}

interface WatchChoiceProps {
  watches: readonly ChoosableWatch[];
  chosen: readonly string[] | null;
  errors?: readonly string[];
}

/** The choice between all watches and some. `chosen`: slugs; null: all. Empty while one watch exists and all are chosen. */
function WatchChoice({ watches, chosen, errors = [] }: WatchChoiceProps) {
  if (watches.length < 2 && chosen === null) return null;
  return (
    <fieldset
      className="group/watches border-t border-line pt-4"
      aria-describedby={errors.length === 0 ? undefined : 'watches-error'}
    >
      <legend className="float-left mb-1.5 w-full font-semibold">Which waiting rooms</legend>
      <div className="clear-both">
        <Radio id="watches-all" value="all" label="All, also those we add later" checked={chosen === null} />
        <Radio id="watches-chosen" value="chosen" label="Only these" checked={chosen !== null} />
      </div>
      {/* Without :has() the list is always shown; its ticks count only with "Only these". */}
      <ul
        className="mt-1.5 ml-8 grid max-h-72 gap-x-4 overflow-y-auto rounded-control border border-line px-3 py-1.5 group-has-[#watches-all:checked]/watches:hidden sm:grid-cols-2"
        aria-label="Waiting rooms"
      >
        {watches.map(({ slug, shop, title }) => (
          <li key={slug}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                name="watches"
                value={slug}
                defaultChecked={chosen?.includes(slug) ?? false}
                className="size-5 shrink-0 cursor-pointer accent-brand"
              />
              <span className="min-w-0 wrap-anywhere">{title === shop ? shop : `${shop}: ${title}`}</span>
            </label>
          </li>
        ))}
      </ul>
      <FieldErrors id="watches-error" errors={errors} />
    </fieldset>
  );
}

interface RadioProps {
  id: string;
  value: string;
  label: string;
  checked: boolean;
}

function Radio({ id, value, label, checked }: RadioProps) {
  return (
    <p className="flex min-h-11 items-center gap-3">
      <input
        type="radio"
        id={id}
        name="watchChoice"
        value={value}
        defaultChecked={checked}
        className="size-5 cursor-pointer accent-brand"
      />
      <label htmlFor={id} className="cursor-pointer">
        {label}
      </label>
    </p>
  );
}

export interface AlertSettings {
  preferences: Preferences;
  /** Whether the member has chosen their time zone. */
  isZoneChosen: boolean;
  isPaused: boolean;
  /** When the next alert reaches the member, in sentences. */
  next: string[];
  isPro: boolean;
  /** False while the site cannot send mail. */
  mailEnabled: boolean;
  /** When the member's mail server refused the address, ISO; null: it did not. */
  bouncedAt: string | null;
  bounceReason: string | null;
  watches: ChoosableWatch[];
  devices: PushDevice[];
  /** The site's public key for subscriptions; null before it exists. */
  pushKey: string | null;
  test: TestView | null;
}

interface AlertsPanelProps {
  settings: AlertSettings | null;
  email: string;
  now: string;
}

/** How alerts reach the member, for which watches, and the test. `settings` null: they could not be read. */
export function AlertsPanel({ settings, email, now }: AlertsPanelProps) {
  return (
    <Panel id="alerts" title="Alerts and news">
      {settings === null ? (
        <LoadFailed retryPath="/account">Failed to load user data</LoadFailed>
      ) : (
        <>
          {settings.isPro ? null : <ForPro />}
          <Bounced settings={settings} email={email} />
          <PreferencesForm settings={settings} email={email} />
          <QuietTimes
            preferences={settings.preferences}
            isZoneChosen={settings.isZoneChosen}
            isPaused={settings.isPaused}
            next={settings.next}
          />
          <AlertDevices
            devices={settings.devices}
            pushKey={settings.pushKey}
            wanted={settings.preferences.alerts.push}
            now={now}
          />
          <AlertTest test={settings.test} email={email} now={now} />
        </>
      )}
    </Panel>
  );
}

function ForPro() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-soft">
        Alerts by email and as notifications come with Pro. What you choose here applies as soon as you have
        it; the test works now.
      </p>
      <ButtonLink href="/dashboard/subscription">See the plans</ButtonLink>
    </div>
  );
}

function Bounced({ settings, email }: { settings: AlertSettings; email: string }) {
  if (settings.bouncedAt === null) return null;
  return (
    <Notice kind="error">
      <span className="wrap-anywhere">Alerts do not reach {email}</span>: {settings.bounceReason}. We send no
      more alert mails there. Once the mailbox accepts mail again, press Send me a test: when the test is
      accepted, alert emails go there again.
    </Notice>
  );
}

function PreferencesForm({ settings, email }: { settings: AlertSettings; email: string }) {
  const { preferences, mailEnabled, watches } = settings;
  const { Form, result, pendingIntent } = useForms(['preferences']);
  const typed = result?.ok === false ? result.values : undefined;
  const isTicked = (name: string, saved: boolean) => (typed === undefined ? saved : typed[name] === 'on');
  return (
    <>
      <FormNotice result={result} fields={['watches']} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <fieldset>
          <legend className="sr-only">How alerts reach you</legend>
          <Checkbox
            id="alerts-by-email"
            name="alertsByEmail"
            label="Alerts by email"
            hint={
              mailEnabled
                ? `To ${email}, the moment a waiting room opens.`
                : 'This site cannot send email right now.'
            }
            defaultChecked={isTicked('alertsByEmail', preferences.alerts.email)}
          />
          <Checkbox
            // Turning notifications on in this browser saves the preference, which the box then shows.
            key={String(preferences.alerts.push)}
            id="alerts-by-push"
            name="alertsByPush"
            label="Alerts as notifications"
            hint="On the devices listed below, even while this site is closed."
            defaultChecked={isTicked('alertsByPush', preferences.alerts.push)}
          />
          <div className="grid grid-cols-[auto_1fr] items-start gap-x-3 py-1.5">
            <span
              aria-hidden="true"
              className="mt-0.5 size-5 rounded-[3px] border border-dashed border-soft"
            />
            <p className="flex flex-wrap items-center gap-2 font-semibold text-soft">
              Alerts by SMS <Badge variant="planned">Planned</Badge>
            </p>
            <p className="col-start-2 text-small text-soft">Not available yet.</p>
          </div>
        </fieldset>
        <WatchChoice
          watches={watches}
          chosen={
            typed === undefined
              ? preferences.alerts.watches
              : typed.watchChoice === 'chosen'
                ? (typed.watches ?? '').split(',')
                : null
          }
          errors={result?.errors?.watches}
        />
        <fieldset>
          <legend className="sr-only">News</legend>
          <Checkbox
            id="marketing"
            name="marketing"
            label="Product news by email"
            hint="What is new here, now and then."
            defaultChecked={isTicked('marketing', preferences.marketing)}
          />
        </fieldset>
        <p>
          <Button name="intent" value="preferences" pending={pendingIntent === 'preferences'}>
            Save preferences
          </Button>
        </p>
      </Form>
    </>
  );
}
