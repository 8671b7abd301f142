import { readSiteSettings, type SiteSettings } from '#shared/settings/read-settings';
import { serverContext } from '../server/context.server';

/** The site's settings in force, as pages go by them. */
export function siteSettings(): Promise<SiteSettings> {
  const { db, loaderCache } = serverContext();
  return loaderCache.get('settings', () => readSiteSettings(db));
}
