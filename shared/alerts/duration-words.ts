import { HOUR, MINUTE } from '../clock';

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A length of time (ms) as people say it, in whole minutes: "less than a minute", "39 minutes", "2 hours 5 minutes". */
export function durationWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor((minutes * MINUTE) / HOUR);
  const rest = minutes - hours * 60;
  return rest === 0 ? counted(hours, 'hour') : `${counted(hours, 'hour')} ${counted(rest, 'minute')}`;
}
