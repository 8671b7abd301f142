import type { Channel } from './page-channel';
import type { openChannel } from './page-channel';
import type { FieldState, FrameSetup, Outcome, ScriptError } from './script-types';

/** An element as pages see it, with what the script's other parts need. */
export interface PageElement {
  type: string;
  mount(target: string | HTMLElement): void;
  update(options: Record<string, unknown>): void;
  unmount(): void;
  destroy(): void;
  on(name: string, handler: Handler): PageElement;
  once(name: string, handler: Handler): PageElement;
  off(name: string, handler?: Handler): PageElement;
  focus(): void;
  blur(): void;
  clear(): void;
  collapse(): void;
  /** Not part of Stripe.js' interface: the appearance of the whole group has changed. */
  restyle(): void;
  /** Asks the frame; rejects when the element is not mounted and ready. */
  ask<Reply>(type: string, value?: unknown): Promise<Reply>;
}

type Handler = (event: Record<string, unknown>) => void;

interface ElementParts {
  openChannel: typeof openChannel;
}

/**
 * Runs in the browser (see stripe-js.ts). One element: a frame of the sandbox's origin, in which the card is typed.
 * `setup` is read whenever the frame loads; `check` tells whether the payment can still be confirmed.
 */
export function createElement(
  parts: ElementParts,
  {
    type,
    origin,
    options: given,
    setup,
    check,
    onDestroy,
  }: {
    type: string;
    origin: string;
    options: Record<string, unknown>;
    setup: () => Omit<FrameSetup, 'type' | 'options'>;
    check: () => Promise<Outcome | null>;
    onDestroy: () => void;
  },
): PageElement {
  const LOAD_LIMIT_MS = 10_000;
  const handlers = new Map<string, Set<Handler>>();
  let options = given;
  let mounted: { target: HTMLElement; box: HTMLElement; channel: Channel; isReady: boolean } | null = null;
  let destroyed = false;

  const integrationError = (message: string) =>
    Object.assign(new Error(message), { name: 'IntegrationError' });
  const emit = (name: string, value: object = {}) => {
    for (const handler of [...(handlers.get(name) ?? [])]) handler({ elementType: type, ...value });
  };
  const loadError = (error: ScriptError) => emit('loaderror', { error });

  function showState({ empty, complete, brand, error }: FieldState): void {
    const { classList } = mounted?.target ?? document.createElement('div');
    classList.toggle('StripeElement--empty', empty);
    classList.toggle('StripeElement--complete', complete);
    classList.toggle('StripeElement--invalid', error !== null);
    const value = type === 'payment' ? { type: 'card' } : { postalCode: '' };
    emit('change', {
      empty,
      complete,
      value,
      ...(type === 'payment' ? { collapsed: false } : { brand, error: error ?? undefined }),
    });
  }

  function mount(target: string | HTMLElement): void {
    if (destroyed)
      throw integrationError('This Element has already been destroyed. Please create a new one.');
    const found = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!found)
      throw integrationError(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.`,
      );
    if (mounted?.target === found) return;
    unmount();

    const box = document.createElement('div');
    box.className = '__PrivateStripeElement';
    box.style.position = 'relative';
    // The frame holds the focus ring of its fields; they still line up with what is around them.
    if (type === 'payment') box.style.margin = '-4px';
    const frame = document.createElement('iframe');
    frame.name = `__privateStripeFrame${Math.floor(Math.random() * 1e6)}`;
    frame.title = 'Secure payment input frame';
    frame.allow = 'payment *';
    Object.assign(frame.style, { border: '0', width: '100%', height: '0', display: 'block' });
    // Without it a page with a dark colour scheme paints the frame's background white.
    frame.style.colorScheme = 'light only';
    const channel = parts.openChannel(frame, origin, onMessage);
    const current = { target: found, box, channel, isReady: false };
    mounted = current;

    let isLoaded = false;
    const limit = setTimeout(() => {
      if (mounted === current && !isLoaded)
        loadError({ type: 'api_connection_error', message: 'The payment form could not be loaded.' });
    }, LOAD_LIMIT_MS);

    function onMessage(name: string, value: unknown): void {
      if (mounted !== current) return;
      if (name === 'loaded') {
        isLoaded = true;
        clearTimeout(limit);
        void begin();
      } else if (name === 'height') frame.style.height = `${Number(value)}px`;
      else if (name === 'change') showState(value as FieldState);
      else if (name === 'submit') found?.closest('form')?.requestSubmit();
      else if (name === 'focus' || name === 'blur') {
        found?.classList.toggle('StripeElement--focus', name === 'focus');
        emit(name);
      } else if (name === 'escape') emit('escape');
    }

    async function begin(): Promise<void> {
      const outcome = await check();
      if (mounted !== current) return;
      if (outcome !== null && 'error' in outcome) return loadError(outcome.error);
      await channel.ask('setup', { type, options, ...setup() });
      if (mounted !== current) return;
      current.isReady = true;
      emit('ready');
    }

    found.classList.add('StripeElement', 'StripeElement--empty');
    found.replaceChildren(box);
    frame.src = `${origin}/stripe-js/element?type=${encodeURIComponent(type)}`;
    box.append(frame);
    queueMicrotask(() => {
      if (mounted === current) emit('loaderstart');
    });
  }

  function unmount(): void {
    if (mounted === null) return;
    const { target, box, channel } = mounted;
    mounted = null;
    channel.close();
    box.remove();
    for (const name of ['', '--empty', '--complete', '--invalid', '--focus'])
      target.classList.remove(`StripeElement${name}`);
  }

  const element: PageElement = {
    type,
    mount,
    unmount,
    update(next) {
      options = { ...options, ...next };
      mounted?.channel.send('options', options);
    },
    restyle: () => mounted?.channel.send('style', setup()),
    destroy() {
      unmount();
      destroyed = true;
      handlers.clear();
      onDestroy();
    },
    on(name, handler) {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler));
      return element;
    },
    once(name, handler) {
      const first: Handler = (event) => {
        element.off(name, first);
        handler(event);
      };
      return element.on(name, first);
    },
    off(name, handler) {
      if (handler === undefined) handlers.delete(name);
      else handlers.get(name)?.delete(handler);
      return element;
    },
    focus: () => mounted?.channel.send('focus'),
    blur: () => mounted?.channel.send('blur'),
    clear: () => mounted?.channel.send('clear'),
    // There is one way to pay, which is always open.
    collapse: () => undefined,
    ask(name, value) {
      if (mounted === null || !mounted.isReady)
        return Promise.reject(
          integrationError(
            'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted and ready.',
          ),
        );
      return mounted.channel.ask(name, value);
    },
  };
  return element;
}
