/** A refusal by a mail server. */
export interface SmtpReply {
  /** The three digits of the reply. */
  status: number;
  /** All lines of the reply. */
  text: string;
}

/** How many characters are searched for an enhanced status. */
const SEARCHED_LENGTH = 1_000;

/**
 * The enhanced status of a refusal (RFC 3463), where servers write it: "550 5.1.1 No such user", in each line of a reply
 * of several, or later, as in qmail's "553 sorry … (#5.7.1)". Null without one.
 */
export function enhancedStatusOf({ status, text }: SmtpReply): string | null {
  // Not part of a longer number, such as an IP address or a version.
  const found = text
    .slice(0, SEARCHED_LENGTH)
    .matchAll(/(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/g);
  for (const [code, kind] of found) if (Number(kind) === Math.floor(status / 100)) return code;
  return null;
}

/** Phrases of refusals about our server, our address, the message or the mailbox's state: another mail may be accepted. */
const OTHER_CAUSES = [
  // Permission to send.
  /relay|rcpthosts|authenticat|\bauth\b|log ?in|credential|permitted|denied|not allowed to|policy|administrative/,
  // Our server and our address.
  /sender|\bfrom\b|\bspf\b|dkim|dmarc|helo|ehlo|client host|reverse|\brdns\b|\bptr\b|\bip\b|\btls\b|starttls|encrypt/,
  // Spam and reputation.
  /spam|junk|unsolicited|abus|block|blacklist|black list|\blisted\b|\brbl\b|dnsbl|barracuda|reputation|content|virus|suspicious/,
  // Temporary states.
  /quota|full|storage|too large|too many|\brate\b|limit|tempor|later|greylist|gr[ae]y.?list|timeout|timed out|resources/,
];

/** A status that names no cause: other, or other address status. */
const NO_CAUSE = /^5\.(\d{1,3}\.0)$/;

/**
 * Whether a refusal of RCPT TO is about the address. RFC 3463: X.1.1 to X.1.6 and X.1.10 are about the recipient's
 * address, X.2.1 is a disabled mailbox; all others are about our server, the message or a policy ("relay denied").
 * Without an enhanced status: RFC 5321, section 4.2.3: 550 no mailbox, 551 not local, 553 mailbox name not allowed;
 * servers also use these for other causes, which they name.
 */
export function isAboutAddress(reply: SmtpReply): boolean {
  const enhanced = enhancedStatusOf(reply);
  if (enhanced !== null && !NO_CAUSE.test(enhanced)) return /^5\.(1\.([1-6]|10)|2\.1)$/.test(enhanced);
  if (reply.status !== 550 && reply.status !== 551 && reply.status !== 553) return false;
  const words = reply.text.slice(0, SEARCHED_LENGTH).toLowerCase();
  return !OTHER_CAUSES.some((cause) => cause.test(words));
}
