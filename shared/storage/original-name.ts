const LONGEST = 200;
/** Control and formatting characters; some change the writing direction and can disguise a name. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A sender's file name for display: without folders and control characters, at most 200 characters. */
export function originalName(claimed: string): string {
  const last = claimed.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const shown = [...last.replace(UNSHOWABLE, '').trim()].slice(0, LONGEST).join('');
  return shown === '' || /^\.+$/.test(shown) ? 'Unnamed' : shown;
}
