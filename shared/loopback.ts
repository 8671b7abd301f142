/** Whether a host is this machine: `localhost`, a name below it (RFC 6761, section 6.3), or loopback, as `URL` gives it. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|[a-z0-9-]{1,63}\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
