const LONGEST = 200;
/** Control characters, and those that turn the direction of writing and so can show a name that is not there. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What a sender called a file, fit for showing: its last part, without control characters, 200 characters at most. */
export function originalName(claimed: string): string {
  const last = claimed.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const shown = [...last.replace(UNSHOWABLE, '').trim()].slice(0, LONGEST).join('');
  return shown === '' || /^\.+$/.test(shown) ? 'Unnamed' : shown;
}
