import { Component, createRef, type ReactNode } from 'react';
import { Button } from './button';
import { Notice } from './notice';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A field's value, and its number among the fields of the same name and type. */
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
function readTyped(part: Element): Typed[] {
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
function restoreTyped(part: Element, typed: readonly Typed[]): void {
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

/** How often a part is rendered again automatically, until the visitor asks for it or the page changes. */
const MAX_RETRIES = 3;

interface PartProps {
  /** Another place, such as another path, is a new start. */
  place?: string;
  children: ReactNode;
}

/**
 * A part of a page whose faults stay within it. After a fault, such as React's when a browser extension has changed the
 * document, the part is rendered again with what was typed in it. A part that fails again and again says so.
 */
export class Part extends Component<PartProps, { failed: boolean }> {
  override state = { failed: false };
  private readonly host = createRef<HTMLDivElement>();
  private retries = 0;
  private typed: Typed[] = [];

  static getDerivedStateFromError() {
    return { failed: true };
  }

  /** Reads what was typed while the failed part is still in the document. */
  override getSnapshotBeforeUpdate(): null {
    const host = this.host.current;
    if (this.state.failed && host !== null) this.typed = readTyped(host);
    return null;
  }

  override componentDidUpdate(previous: PartProps): void {
    const moved = previous.place !== this.props.place;
    if (moved) {
      this.retries = 0;
      this.typed = [];
    }
    if (this.state.failed && (moved || this.retries < MAX_RETRIES)) {
      this.retries += 1;
      this.renderAgain();
    } else if (!this.state.failed && this.typed.length > 0 && this.host.current !== null) {
      restoreTyped(this.host.current, this.typed);
      this.typed = [];
    }
  }

  private readonly renderAgain = () => this.setState({ failed: false });

  private readonly tryAgain = () => {
    this.retries = 0;
    this.renderAgain();
  };

  override render() {
    if (this.state.failed)
      return (
        <div className="grid justify-items-start gap-4">
          <Notice kind="error">This part of the page did not load.</Notice>
          <Button type="button" onClick={this.tryAgain}>
            Try again
          </Button>
        </div>
      );
    return (
      <div ref={this.host} className="contents">
        {this.props.children}
      </div>
    );
  }
}
