import type { ClipboardEvent, ComponentProps, InputEvent } from 'react';
import { findCode } from '#shared/accounts/codes/code-text';
import { TextField } from '~/components/ui/fields';

/** Replaces what the field holds by the code, if the text has one. */
function showCode(field: HTMLInputElement, text: string): boolean {
  const code = findCode(text);
  if (code === null) return false;
  if (field.value !== code) field.value = code;
  return true;
}

function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
  if (showCode(event.currentTarget, event.clipboardData.getData('text'))) event.preventDefault();
}

/** For dropped and autofilled texts. An input method replaces its own text, so it must have ended. */
function onInput({ currentTarget, nativeEvent }: InputEvent<HTMLInputElement>): void {
  if (!(nativeEvent as globalThis.InputEvent).isComposing) showCode(currentTarget, currentTarget.value);
}

/** The field of a verification code. Takes six digits out of a pasted text, so it has no `maxLength`. */
export function CodeField(field: Omit<ComponentProps<typeof TextField>, 'maxLength' | 'type'>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      onPaste={onPaste}
      onInput={onInput}
      onCompositionEnd={({ currentTarget }) => showCode(currentTarget, currentTarget.value)}
      {...field}
    />
  );
}
