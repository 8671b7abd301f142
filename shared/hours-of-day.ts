/** Whole hours of the shop's day, half-open: 9–21 is 09:00 to 20:59:59.999; 20–2 ends on the next day. */
export interface MonitoringHours {
  /** 0 to 23. */
  from: number;
  /** 1 to 24. */
  to: number;
}

/** Whether an hour of the day (0 to 23) lies within the hours. */
export function includesHour({ from, to }: MonitoringHours, hour: number): boolean {
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** An hour of the day as text: "9am", "noon", "midnight" (0 and 24). */
export function describeHour(hour: number): string {
  if (hour === 0 || hour === 24) return 'midnight';
  if (hour === 12) return 'noon';
  return hour < 12 ? `${hour}am` : `${hour - 12}pm`;
}
