/** The monitoring hours of a watch with their time zone: "UK 9am to 9pm"; elsewhere "9am to 9pm (Europe/Paris)". */
export function hoursText(hoursInWords: string, timeZone: string): string {
  return timeZone === 'Europe/London' ? `UK ${hoursInWords}` : `${hoursInWords} (${timeZone})`;
}
