import { WEBHOOK_FIELDS } from '#shared/monitor/watches/webhook-fields';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { TIME_ZONES } from '~/components/ui/time-zones';
import { TextField } from '~/components/ui/fields';
import { HoursFields } from './hours-fields';

/** The values of the form at first. */
export interface WatchFormValues {
  shop: string;
  title: string;
  url: string;
  hoursFrom: string;
  hoursTo: string;
  timeZone: string;
  intervalSeconds: string;
  /** The id of the Discord role of its members, or empty; null for a new watch. */
  memberRole: string | null;
  /** Of a product; null for a waiting room. */
  product: { robotsPermission: string; paidFetch: boolean } | null;
}

const WEBHOOKS = [
  ['instant', 'Instant webhook (optional)', 'Discord messages for Pro members, at once.'],
  ['free', 'Free webhook (optional)', 'Discord messages for everyone, 30 seconds later.'],
  ['admin', 'Admin webhook (optional)', 'Warnings for admins, such as a silent monitor.'],
] as const;

const FIELDS = [
  'shop',
  'title',
  'url',
  'hours',
  'timeZone',
  'intervalSeconds',
  'robotsPermission',
  'paidFetch',
  'memberRole',
  ...Object.values(WEBHOOK_FIELDS),
];

interface WatchFormProps {
  intent: 'add' | 'edit';
  values: WatchFormValues;
  leaveTo: string;
}

/** Whether the page of a product is read through the paid service. */
export function PaidFetchField({ isOn }: { isOn: boolean }) {
  return (
    <Checkbox
      id="paid-fetch"
      name="paidFetch"
      label="Paid fetches"
      hint="For shops that refuse other checks. Each check uses a Scrappey call, within the daily limit."
      defaultChecked={isOn}
    />
  );
}

/** The form of a new watch or of one that exists. Only a new one has fields for webhooks. */
export function WatchForm({ intent, values, leaveTo }: WatchFormProps) {
  const { Form, result, pending } = useForms([intent]);
  const sent = result?.ok === false ? result.values : undefined;
  const { product, memberRole, ...first } = values;
  const field = fieldsOf(result, {
    ...first,
    robotsPermission: product?.robotsPermission,
    memberRole: memberRole ?? '',
  });
  return (
    <Form method="post" className="grid max-w-2xl gap-5">
      <FormNotice result={result} fields={FIELDS} />
      <TextField
        {...field('shop')}
        label="Shop"
        hint="The name that alerts and pages show."
        required
        maxLength={60}
      />
      <TextField
        {...field('title')}
        label="Title"
        hint="What is watched there, such as a product’s name, or the shop’s name again."
        required
        maxLength={80}
      />
      <TextField
        {...field('url')}
        type="url"
        inputMode="url"
        label="Address of the page"
        hint="A public page. It is requested once when you save, and we tell you if it cannot be read."
        required
        maxLength={2000}
      />
      <HoursFields legend="Monitoring hours of each day, in the time zone below" field={field} />
      <TextField
        {...field('timeZone')}
        label="Time zone of the hours"
        hint="Its IANA name, such as Europe/London."
        list="time-zones"
        required
      />
      <datalist id="time-zones">
        {TIME_ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <TextField
        {...field('intervalSeconds')}
        id="interval"
        inputMode="numeric"
        label="Seconds between two checks"
        hint={product === null ? '15 to 3600.' : '30 to 3600.'}
        required
      />
      {product === null ? null : (
        <>
          <TextField
            {...field('robotsPermission')}
            label="Permission of the shop (optional)"
            hint="Only for a page that robots.txt forbids: who permitted the checks, and when."
            maxLength={500}
          />
          <PaidFetchField isOn={sent === undefined ? product.paidFetch : sent.paidFetch !== undefined} />
        </>
      )}
      {memberRole === null ? null : (
        <TextField
          {...field('memberRole')}
          inputMode="numeric"
          autoComplete="off"
          label="Discord role of its members (optional)"
          hint={`The id of a role, for members with Pro ${
            product === null
              ? 'whose alert settings include this waiting room'
              : 'who follow this product at this shop'
          }. The bot assigns and removes it. Empty: none.`}
        />
      )}
      {intent === 'edit'
        ? null
        : WEBHOOKS.map(([audience, label, hint]) => {
            const name = WEBHOOK_FIELDS[audience];
            return (
              <TextField
                key={name}
                {...field(name)}
                type="url"
                inputMode="url"
                label={label}
                hint={hint}
                placeholder="https://discord.com/api/webhooks/…"
              />
            );
          })}
      <div className="flex flex-wrap gap-2.5">
        <Button variant="primary" name="intent" value={intent} pending={pending !== null}>
          {intent === 'add' ? 'Add watch' : 'Save watch'}
        </Button>
        <ButtonLink href={leaveTo}>Cancel</ButtonLink>
      </div>
    </Form>
  );
}
