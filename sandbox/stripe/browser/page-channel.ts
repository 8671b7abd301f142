/** Messages between the page and one frame of the sandbox. */
export interface Channel {
  send(type: string, value?: unknown): void;
  /** Resolves with the frame's reply. Never rejects; it stays open while the frame is silent. */
  ask<Reply>(type: string, value?: unknown): Promise<Reply>;
  close(): void;
}

/**
 * Runs in the browser (see stripe-js.ts). Exchanges messages with a frame; a message of another window or origin is
 * ignored.
 */
export function openChannel(
  frame: HTMLIFrameElement,
  origin: string,
  onMessage: (type: string, value: unknown) => void,
): Channel {
  const waiting = new Map<number, (reply: unknown) => void>();
  let count = 0;
  const send = (type: string, value?: unknown, id?: number) =>
    frame.contentWindow?.postMessage({ type, value, id }, origin);
  const listen = ({ source, origin: sender, data }: MessageEvent) => {
    if (source === null || source !== frame.contentWindow || sender !== origin) return;
    if (data.type !== 'reply') return onMessage(data.type, data.value);
    waiting.get(data.id)?.(data.value);
    waiting.delete(data.id);
  };
  window.addEventListener('message', listen);
  return {
    send,
    ask(type, value) {
      count += 1;
      const id = count;
      return new Promise((resolve) => {
        waiting.set(id, resolve as (reply: unknown) => void);
        send(type, value, id);
      });
    },
    close: () => window.removeEventListener('message', listen),
  };
}
