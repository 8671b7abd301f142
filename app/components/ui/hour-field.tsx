import { SelectField } from './fields';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const hourWords = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

interface HourFieldProps {
  id: string;
  name: string;
  label: string;
  /** 0 to 23; empty: none. */
  defaultValue: string | number | undefined;
  errors?: readonly string[] | undefined;
}

/** A choice of a whole hour of the day, or none. */
export function HourField(field: HourFieldProps) {
  return (
    <SelectField {...field}>
      <option value="">None</option>
      {HOURS.map((hour) => (
        <option key={hour} value={String(hour)}>
          {hourWords(hour)}
        </option>
      ))}
    </SelectField>
  );
}
