import { Component, createRef, type ReactNode } from 'react';
import { Button } from './button';
import { Notice } from './notice';
import { readTyped, restoreTyped, type Typed } from './typed-values';

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
