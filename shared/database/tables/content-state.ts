/** One row. Its number grows with each change to what visitors read. */
export interface ContentStateTable {
  id: number;
  revision: number;
}
