const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** A parameter as nodemailer reads it: `false`, `0` and an empty one are false. */
function isTrue(value: string | null): boolean {
  return value !== null && !['false', '0', ''].includes(value);
}

/**
 * Whether the connection of an SMTP_URL must be encrypted with STARTTLS before anything is sent: always to another host,
 * unless a parameter of nodemailer (`requireTLS=false`, `ignoreTLS=true`, `opportunisticTLS=true`) says otherwise. smtps://
 * is encrypted from the start. Certificates are checked in both cases.
 */
export function requiresStartTls(smtpUrl: string): boolean {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  if (protocol !== 'smtp:' || isTrue(searchParams.get('secure'))) return false;
  const required = searchParams.get('requireTLS');
  if (required !== null) return isTrue(required);
  if (isTrue(searchParams.get('ignoreTLS')) || isTrue(searchParams.get('opportunisticTLS'))) return false;
  return !LOOPBACK.test(hostname);
}
