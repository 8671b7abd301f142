// Formats times in UK time. All inputs are ISO-8601 UTC strings or epoch milliseconds.

import { DAY } from '#shared/clock';

const ZONE = 'Europe/London';

const minuteFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const secondFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, weekday: 'long' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, day: 'numeric', month: 'long' });
const longDayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** "12:31" */
export function clockMinute(iso: string): string {
  return minuteFormat.format(new Date(iso));
}

/** "12:31:04" */
export function clockSecond(iso: string): string {
  return secondFormat.format(new Date(iso));
}

/** `clockAndDay`, today with the second: "12:31:04 today". */
export function secondAndDay(iso: string, nowMs: number): string {
  const words = clockAndDay(iso, nowMs);
  return words.endsWith(' today') ? `${clockSecond(iso)} today` : words;
}

/** "12:31 today", "09:00 tomorrow", "21:00 yesterday", "09:00 on Monday", else "09:00 on 14 December". */
export function clockAndDay(iso: string, nowMs: number): string {
  const at = new Date(iso);
  const days = Math.round((Date.parse(dayFormat.format(at)) - Date.parse(dayFormat.format(nowMs))) / DAY);
  const relative = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
  if (relative !== undefined) return `${clockMinute(iso)} ${relative}`;
  return `${clockMinute(iso)} on ${Math.abs(days) < 7 ? weekdayFormat.format(at) : dateFormat.format(at)}`;
}

/** "Friday 20 November 2026, 12:31:04" */
export function dateAndSecond(iso: string): string {
  return `${longDayFormat.format(new Date(iso))}, ${clockSecond(iso)}`;
}

/** "4 min 12 s", "12 s", "1 h 06 min": two units, the smaller one padded to keep the text's width. */
export function elapsed(fromIso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(fromIso)) / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const pad = (value: number) => String(value).padStart(2, '0');
  if (hours > 0) return `${hours} h ${pad(minutes % 60)} min`;
  if (minutes > 0) return `${minutes} min ${pad(seconds % 60)} s`;
  return `${seconds} s`;
}

/** "0:42", "12:07:30"; never negative. */
export function countdown(untilIso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(untilIso) - nowMs) / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** A time zone (IANA name) as people name it: "UK time", "Berlin time". */
export function zoneName(timeZone: string): string {
  if (timeZone === ZONE) return 'UK time';
  const city = timeZone.split('/').at(-1) ?? timeZone;
  return timeZone === 'UTC' ? 'UTC' : `${city.replaceAll('_', ' ')} time`;
}

/** Monitoring hours with their time zone: "9am to 9pm UK time"; "all day" needs none. */
export function inZone(hoursInWords: string, timeZone: string): string {
  return hoursInWords === 'all day' ? hoursInWords : `${hoursInWords} ${zoneName(timeZone)}`;
}

/** "every minute", "every 2 minutes", "every 45 seconds" */
export function everyInterval(seconds: number): string {
  if (seconds === 60) return 'every minute';
  return seconds % 60 === 0 ? `every ${seconds / 60} minutes` : `every ${seconds} seconds`;
}
