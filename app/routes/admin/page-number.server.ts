/** The page number of `?page=`; 1 if it is missing or invalid. */
export function pageNumberOf(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
