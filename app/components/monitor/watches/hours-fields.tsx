import { describeHour } from '#shared/hours-of-day';
import type { fieldsOf } from '~/components/forms/use-forms';
import { SelectField } from '~/components/ui/fields';

const HOURS = Array.from({ length: 25 }, (_unused, hour) => hour);

function HourOptions({ from, to }: { from: number; to: number }) {
  return HOURS.slice(from, to + 1).map((hour) => (
    <option key={hour} value={hour}>
      {describeHour(hour)}
    </option>
  ));
}

interface HoursFieldsProps {
  legend: string;
  field: ReturnType<typeof fieldsOf>;
}

/** The fields of monitoring hours: `hoursFrom` (0 to 23) and `hoursTo` (1 to 24, the next day if before the start). */
export function HoursFields({ legend, field }: HoursFieldsProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-3">
      <legend className="mb-1.5 text-small text-soft">{legend}</legend>
      <SelectField {...field('hoursFrom')} errors={field('hours').errors} label="From">
        <HourOptions from={0} to={23} />
      </SelectField>
      <SelectField {...field('hoursTo')} label="To">
        <HourOptions from={1} to={24} />
      </SelectField>
    </fieldset>
  );
}
