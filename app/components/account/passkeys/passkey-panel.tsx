import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useEffect, useRef } from 'react';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { clockAndDay } from '~/components/time/time-format';
import { Badge } from '~/components/ui/badge';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { TextField } from '~/components/ui/fields';
import { LoadFailed, Notice } from '~/components/ui/notice';
import { ProofField } from '../proof-field';
import { useCeremony } from './use-ceremony';

interface ListedPasskey {
  id: string;
  credentialId: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Its counter has gone back: the authenticator may have been copied. */
  refused: boolean;
}

interface PasskeyPanelProps {
  /** Null: they could not be read. */
  passkeys: ListedPasskey[] | null;
  /** The host that they are for; null where the site's address allows none. */
  host: string | null;
  hasPassword: boolean;
  now: string;
}

/** The passkeys of the account. */
export function PasskeyPanel({ passkeys, host, hasPassword, now }: PasskeyPanelProps) {
  return (
    <Panel id="passkeys" title="Passkeys">
      <div className="grid gap-4">
        <p className="text-soft">
          With a passkey you sign in with your fingerprint, your face or a PIN: without a password, and
          without a code.
        </p>
        {passkeys === null ? (
          <LoadFailed retryPath="/account">Failed to load user data</LoadFailed>
        ) : (
          <PasskeyList passkeys={passkeys} host={host} nowMs={Date.parse(now)} />
        )}
        {host === null ? (
          <p className="text-soft">
            Passkeys need HTTPS and a host name, which this site’s address does not have.
          </p>
        ) : (
          <AddPasskey hasPassword={hasPassword} />
        )}
      </div>
    </Panel>
  );
}

interface PasskeyListProps {
  passkeys: ListedPasskey[];
  host: string | null;
  nowMs: number;
}

function PasskeyList({ passkeys, host, nowMs }: PasskeyListProps) {
  const { Form, result, pending, pendingIntent } = useForms(['renamePasskey', 'removePasskey']);
  const removing = useRef<string | null>(null);
  useEffect(() => {
    const credentialId = removing.current;
    if (result?.intent !== 'removePasskey' || !result.ok || credentialId === null || host === null) return;
    removing.current = null;
    void import('./passkey-browser')
      .then(({ forgetPasskey }) => forgetPasskey({ rpId: host, credentialId }))
      .catch(() => undefined);
  }, [result, host]);
  const isPending = (intent: string, id: string) => pendingIntent === intent && pending?.get('id') === id;
  return (
    <>
      <FormNotice result={result} />
      {passkeys.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {passkeys.map(({ id, credentialId, name, createdAt, lastUsedAt, refused }) => (
            <li key={id} className="grid gap-2 py-3">
              <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                    {name}
                    {refused ? <Badge variant="error">Refused</Badge> : null}
                  </p>
                  <p className="text-small text-soft">
                    {lastUsedAt === null ? (
                      'Never used'
                    ) : (
                      <>
                        Last used <time dateTime={lastUsedAt}>{clockAndDay(lastUsedAt, nowMs)}</time>
                      </>
                    )}
                    , added <time dateTime={createdAt}>{clockAndDay(createdAt, nowMs)}</time>
                  </p>
                </div>
                <Form method="post" preventScrollReset onSubmit={() => (removing.current = credentialId)}>
                  <input type="hidden" name="id" value={id} />
                  <Button name="intent" value="removePasskey" pending={isPending('removePasskey', id)}>
                    Remove<span className="sr-only"> {name}</span>
                  </Button>
                </Form>
              </div>
              {refused ? (
                <p className="text-small text-live">
                  Its counter decreased at a sign-in, so it may have been copied. It can no longer be used to
                  sign in. Remove it, and add a new one.
                </p>
              ) : null}
              <details className="text-small">
                <summary className="min-h-8 cursor-pointer font-semibold text-brand">
                  Rename<span className="sr-only"> {name}</span>
                </summary>
                <Form method="post" preventScrollReset className="mt-2 flex flex-wrap items-end gap-3">
                  <input type="hidden" name="id" value={id} />
                  <div className="min-w-0 grow">
                    <TextField
                      key={name}
                      id={`passkey-${id}`}
                      name="name"
                      label="Name"
                      autoComplete="off"
                      defaultValue={name}
                    />
                  </div>
                  <Button name="intent" value="renamePasskey" pending={isPending('renamePasskey', id)}>
                    Save name
                  </Button>
                </Form>
              </details>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const FIELDS = ['currentPassword', 'code'] as const;

/** Asks for the password or a code, then has the browser make a passkey, and sends it. */
function AddPasskey({ hasPassword }: { hasPassword: boolean }) {
  const { Form, submit, result, latest, pendingIntent } = useForms<PublicKeyCredentialCreationOptionsJSON>([
    'passkeyCode',
    'startPasskey',
    'addPasskey',
  ]);
  const start = latest?.intent === 'startPasskey' ? latest : null;
  const { form, field } = useFields('add-passkey', start);
  const { asking, failure, reset, run } = useCeremony();
  const options = start?.ok === true ? start.details : undefined;
  const handled = useRef<unknown>(null);
  useEffect(() => {
    if (options === undefined || options === handled.current) return;
    handled.current = options;
    void run((browser) => browser.createPasskey(options)).then((response) => {
      if (response !== null) submit({ intent: 'addPasskey', response }, { method: 'post' });
    });
  }, [options, run, submit]);
  return (
    <>
      {failure === null ? (
        <FormNotice result={result} fields={FIELDS} />
      ) : (
        <Notice kind="error">{failure}</Notice>
      )}
      <p className="hidden text-soft noscript:block">
        Adding a passkey needs JavaScript. Without it, sign in with Discord, or with your email address and
        password.
      </p>
      <div className="grid gap-4 noscript:hidden">
        {hasPassword ? null : (
          <Form method="post" preventScrollReset onSubmit={reset} className="grid justify-items-start gap-3">
            <p className="text-soft">To add one, we send a code to your email address first.</p>
            <Button name="intent" value="passkeyCode" pending={pendingIntent === 'passkeyCode'}>
              Send me a code
            </Button>
          </Form>
        )}
        {/* The key empties the field after a success. */}
        <Form
          key={options === undefined ? 'open' : options.challenge}
          method="post"
          preventScrollReset
          onSubmit={reset}
          {...form}
          className="grid gap-4"
        >
          <ProofField field={field} hasPassword={hasPassword} />
          <p>
            <Button
              name="intent"
              value="startPasskey"
              pending={asking || pendingIntent === 'startPasskey' || pendingIntent === 'addPasskey'}
            >
              Add a passkey
            </Button>
          </p>
        </Form>
      </div>
    </>
  );
}
