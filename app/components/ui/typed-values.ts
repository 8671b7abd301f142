type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What a field holds, and its number among the fields of the same name and type. */
export interface Typed {
  key: string;
  value: string;
  checked: boolean;
}

/** The fields that people fill in, each with a key that it has again after the part is rendered again. */
function keyedFields(part: Element): [string, Field][] {
  const counts = new Map<string, number>();
  return [...part.querySelectorAll<Field>('input, textarea, select')]
    .filter(({ type }) => type !== 'hidden' && type !== 'file')
    .map((field) => {
      const kind = `${field.type} ${field.name}`;
      const count = counts.get(kind) ?? 0;
      counts.set(kind, count + 1);
      return [`${kind} ${count}`, field];
    });
}

/** Reads what the fields of a part hold. */
export function readTyped(part: Element): Typed[] {
  return keyedFields(part).map(([key, field]) => ({
    key,
    value: field.value,
    checked: 'checked' in field && field.checked,
  }));
}

/** Sets a value past React, which notes those that are set on the element itself. */
function setValue(field: Field, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(field);
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
}

/** Puts back what `readTyped` read. React hears of texts as if they were typed. */
export function restoreTyped(part: Element, typed: readonly Typed[]): void {
  const kept = new Map(typed.map((one) => [one.key, one]));
  for (const [key, field] of keyedFields(part)) {
    const before = kept.get(key);
    if (before === undefined) continue;
    if (field.type === 'checkbox' || field.type === 'radio') {
      // Without an event: some of these send their form when they change.
      (field as HTMLInputElement).checked = before.checked;
    } else if (field.value !== before.value) {
      setValue(field, before.value);
      field.dispatchEvent(new Event(field.nodeName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    }
  }
}
