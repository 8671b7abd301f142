/**
 * Splits a DATABASE_URL of PostgreSQL: `address` is for the driver and PostgreSQL's programs, which do not know
 * `?statements=unnamed`. `namesStatements` is false with it: PgBouncer before 1.21 hands a connection in transaction mode to
 * another client, which does not have the prepared statements (pgbouncer.org/faq.html).
 */
export function readServerAddress(url: string): { address: string; namesStatements: boolean } {
  const address = new URL(url);
  const namesStatements = address.searchParams.get('statements') !== 'unnamed';
  address.searchParams.delete('statements');
  return { address: address.href, namesStatements };
}
