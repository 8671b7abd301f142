// The ids of the developers' page.

export const FAILURES_ANCHOR = 'failures';
export const RECORDS_ANCHOR = 'records';
export const callAnchor = (id: string): string => `call-${id}`;
export const groupAnchor = (name: string): string => `group-${name.replaceAll('/', '-')}`;
export const recordAnchor = (name: string): string => `record-${name}`;

/** The id of a section of the guide, from its heading: `Send the token` is `send-the-token`. */
export function sectionAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
