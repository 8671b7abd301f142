import type {
  Appearance,
  ConfirmRequest,
  FieldState,
  FrameSetup,
  Outcome,
  ScriptError,
} from './script-types';

/**
 * Runs in the frame of an element (see stripe-js.ts), on the sandbox's origin: reads the card's fields and sends them to
 * the API. The page gets states and results only.
 */
export function runElement(): void {
  const VARIABLES = ['fontFamily', 'fontSizeBase', 'borderRadius', 'spacingUnit', 'gridRowSpacing'];
  const COLORS = ['Primary', 'Background', 'Text', 'TextSecondary', 'TextPlaceholder', 'Danger'];
  const field = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
  const fields = { number: field('number'), expiry: field('expiry'), cvc: field('cvc') };
  const inputs = Object.values(fields);
  const digitsOf = (text: string) => text.replace(/\D/g, '');
  let setup: FrameSetup | null = null;
  let pageOrigin = '';

  const notifyPage = (type: string, value?: unknown) =>
    window.parent.postMessage({ type, value }, pageOrigin || '*');

  function brandOf(digits: string): string {
    if (/^4/.test(digits)) return 'visa';
    if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard';
    return /^3[47]/.test(digits) ? 'amex' : 'unknown';
  }

  /** The check digit of ISO/IEC 7812-1, annex B. */
  function hasCheckDigit(digits: string): boolean {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }

  /** The sentence about a field, or null. `late`: unfinished input counts as wrong. */
  function faultOf(name: keyof typeof fields, late: boolean): ScriptError | null {
    const digits = digitsOf(fields[name].value);
    const fault = (code: string, message: string): ScriptError => ({
      type: 'validation_error',
      code,
      message,
    });
    if (name === 'number') {
      if (digits.length < (brandOf(digits) === 'amex' ? 15 : 16))
        return late ? fault('incomplete_number', 'Your card number is incomplete.') : null;
      return hasCheckDigit(digits) ? null : fault('invalid_number', 'Your card number is invalid.');
    }
    if (name === 'expiry') {
      if (digits.length < 4)
        return late ? fault('incomplete_expiry', "Your card's expiration date is incomplete.") : null;
      const now = new Date();
      const months = (Number(digits.slice(2)) + 2000 - now.getFullYear()) * 12 + Number(digits.slice(0, 2));
      return months >= now.getMonth() + 1
        ? null
        : fault('invalid_expiry_year_past', "Your card's expiration date is in the past.");
    }
    const wanted = brandOf(digitsOf(fields.number.value)) === 'amex' ? 4 : 3;
    return digits.length < wanted && late
      ? fault('incomplete_cvc', "Your card's security code is incomplete.")
      : null;
  }

  const names = Object.keys(fields) as (keyof typeof fields)[];

  function readState(): FieldState {
    return {
      empty: inputs.every(({ value }) => value === ''),
      complete: names.every((name) => faultOf(name, true) === null),
      brand: brandOf(digitsOf(fields.number.value)),
      error: names.map((name) => faultOf(name, false)).find((fault) => fault !== null) ?? null,
    };
  }

  function showFault(name: keyof typeof fields, late: boolean): ScriptError | null {
    const fault = faultOf(name, late);
    const line = document.getElementById(`${name}-error`)!;
    if (line.textContent !== (fault?.message ?? '')) line.textContent = fault?.message ?? '';
    line.hidden = fault === null;
    fields[name].toggleAttribute('aria-invalid', fault !== null);
    fields[name].classList.toggle('Input--invalid', fault !== null);
    return fault;
  }

  /** Shows what is missing, and returns the first fault. */
  function validate(): ScriptError | null {
    const faults = names.map((name) => showFault(name, true));
    const first = faults.findIndex((fault) => fault !== null);
    if (first >= 0) inputs[first]?.focus();
    return faults[first] ?? null;
  }

  function format(name: keyof typeof fields): void {
    const input = fields[name];
    const digits = digitsOf(input.value);
    const atEnd = input.selectionStart === input.value.length;
    let text = digits.slice(0, 4);
    if (name === 'number') text = (digits.slice(0, 16).match(/.{1,4}/g) ?? []).join(' ');
    if (name === 'expiry') {
      const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
      text = padded.length > 2 ? `${padded.slice(0, 2)} / ${padded.slice(2, 4)}` : padded;
    }
    if (text === input.value) return;
    input.value = text;
    if (atEnd) input.setSelectionRange(text.length, text.length);
  }

  function cardFields(billingDetails: Record<string, unknown>, prefix: string): Record<string, string> {
    const expiry = digitsOf(fields.expiry.value);
    const key = (name: string) => (prefix === '' ? name : `${prefix}[${name}]`);
    const nested = (path: string) => path.replace(/^([^[]+)/, (first) => key(first));
    const sent: Record<string, string> = {
      [key('type')]: 'card',
      [nested('card[number]')]: digitsOf(fields.number.value),
      [nested('card[exp_month]')]: String(Number(expiry.slice(0, 2))),
      [nested('card[exp_year]')]: `20${expiry.slice(2)}`,
      [nested('card[cvc]')]: fields.cvc.value,
    };
    const add = (path: string, value: unknown) => {
      if (typeof value === 'string') sent[nested(path)] = value;
      else if (typeof value === 'object' && value !== null)
        for (const [name, part] of Object.entries(value)) add(`${path}[${name}]`, part);
    };
    add('billing_details', billingDetails);
    return sent;
  }

  /** One request to the API with the publishable key. Never rejects. */
  async function post(
    path: string,
    body: Record<string, string>,
  ): Promise<{ error?: ScriptError; value?: unknown }> {
    try {
      const response = await fetch(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${setup?.key}` },
        body: new URLSearchParams(body),
      });
      const parsed = await response.json();
      return response.ok ? { value: parsed } : { error: parsed.error };
    } catch {
      const message =
        'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.';
      return { error: { type: 'api_connection_error', message } };
    }
  }

  async function confirm({ clientSecret, returnUrl, billingDetails }: ConfirmRequest): Promise<Outcome> {
    const fault = validate();
    if (fault !== null) return { error: fault };
    const id = clientSecret.split('_secret_')[0] ?? '';
    const { value, error } = await post(`/v1/payment_intents/${encodeURIComponent(id)}/confirm`, {
      client_secret: clientSecret,
      use_stripe_sdk: 'true',
      ...(returnUrl !== null && { return_url: returnUrl }),
      ...cardFields(billingDetails, 'payment_method_data'),
    });
    return error === undefined ? { paymentIntent: value as never } : { error };
  }

  async function makePaymentMethod({ billingDetails }: Pick<ConfirmRequest, 'billingDetails'>) {
    const fault = validate();
    if (fault !== null) return { error: fault };
    const { value, error } = await post('/v1/payment_methods', cardFields(billingDetails, ''));
    return error === undefined ? { paymentMethod: value } : { error };
  }

  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

  function applyStyle({ appearance, fonts }: { appearance: Appearance; fonts: FrameSetup['fonts'] }): void {
    const root = document.documentElement;
    root.dataset.theme = appearance.theme ?? 'stripe';
    const variables = appearance.variables ?? {};
    for (const name of [...VARIABLES, ...COLORS.map((color) => `color${color}`)]) {
      if (variables[name] === undefined) root.style.removeProperty(`--${kebab(name)}`);
      else root.style.setProperty(`--${kebab(name)}`, variables[name]);
    }
    const sheet = new CSSStyleSheet();
    for (const [selector, rule] of Object.entries(appearance.rules ?? {})) {
      const index = sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
      const { style } = sheet.cssRules[index] as CSSStyleRule;
      for (const [name, value] of Object.entries(rule)) style.setProperty(kebab(name), value);
    }
    document.adoptedStyleSheets = [sheet];
    for (const { family, src, cssSrc } of fonts) {
      if (family !== undefined && src !== undefined)
        void new FontFace(family, src).load().then((face) => document.fonts.add(face));
      else if (cssSrc !== undefined && !document.querySelector(`link[href="${CSS.escape(cssSrc)}"]`))
        document.head.append(
          Object.assign(document.createElement('link'), { rel: 'stylesheet', href: cssSrc }),
        );
    }
  }

  function begin(next: FrameSetup): void {
    setup = next;
    applyStyle(next);
    const { disabled, readOnly, style } = next.options;
    for (const input of inputs) input.disabled = disabled === true || readOnly === true;
    // The style of a card Element (docs.stripe.com/js/appendix/style); only what applies to all its states.
    const { base = {} } = (style ?? {}) as { base?: Record<string, string> };
    for (const name of ['color', 'fontFamily', 'fontSize', 'fontWeight', 'letterSpacing'])
      if (base[name] !== undefined)
        for (const input of inputs) input.style.setProperty(kebab(name), base[name]);
  }

  async function handle(type: string, value: unknown): Promise<unknown> {
    if (type === 'setup') begin(value as FrameSetup);
    else if (type === 'style') applyStyle(value as FrameSetup);
    else if (type === 'options' && setup !== null)
      begin({ ...setup, options: value as FrameSetup['options'] });
    else if (type === 'focus') fields.number.focus();
    else if (type === 'blur') (document.activeElement as HTMLElement | null)?.blur();
    else if (type === 'clear') {
      for (const input of inputs) input.value = '';
      for (const name of names) showFault(name, false);
      notifyPage('change', readState());
    } else if (type === 'validate') return validate();
    else if (type === 'confirm') return confirm(value as ConfirmRequest);
    else if (type === 'payment-method') return makePaymentMethod(value as ConfirmRequest);
    return null;
  }

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent) return;
    pageOrigin = origin;
    void handle(data.type, data.value).then((value) => {
      if (data.id !== undefined) window.parent.postMessage({ type: 'reply', id: data.id, value }, pageOrigin);
    });
  });

  for (const name of names) {
    const input = fields[name];
    input.addEventListener('input', () => {
      format(name);
      showFault(name, false);
      notifyPage('change', readState());
      const isFull = faultOf(name, true) === null;
      if (isFull && input.selectionStart === input.value.length) {
        if (name === 'number') fields.expiry.focus();
        else if (name === 'expiry') fields.cvc.focus();
      }
    });
    input.addEventListener('focus', () => notifyPage('focus'));
    input.addEventListener('blur', () => {
      if (input.value !== '') showFault(name, true);
      notifyPage('blur');
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') notifyPage('submit');
      if (event.key === 'Escape') notifyPage('escape');
      if (event.key === 'Backspace' && input.value === '') {
        event.preventDefault();
        if (name === 'cvc') fields.expiry.focus();
        else if (name === 'expiry') fields.number.focus();
      }
    });
  }
  new ResizeObserver(() =>
    notifyPage('height', Math.ceil(document.getElementById('form')!.offsetHeight)),
  ).observe(document.getElementById('form')!);
  notifyPage('loaded');
}
