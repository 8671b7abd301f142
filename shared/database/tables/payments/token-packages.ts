/** Numbers of tokens that can be bought. Changed by `npm run packages`; never deleted. */
export interface TokenPackagesTable {
  id: string;
  name: string;
  description: string;
  token_count: number;
  price_pence: number;
  /** A retired package can no longer be bought. */
  retired_at: string | null;
  created_at: string;
  updated_at: string;
}
