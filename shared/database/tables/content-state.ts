/** One row. `revision` is the content version: it grows with each change to public content. */
export interface ContentStateTable {
  id: number;
  revision: number;
}
