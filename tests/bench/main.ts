import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureConsume, showConsume } from './consume';
import { measureDiskSpace } from './disk-space';
import { measureDownloads } from './downloads/measure-downloads';
import { measureUpload } from './downloads/measure-upload';
import { showDownloads } from './downloads/show-downloads';
import { showUpload } from './downloads/show-upload';
import { measureAlerts } from './measure-alerts';
import { measureMembers } from './members/measure-members';
import { measureSilentHosts } from './members/measure-silent-hosts';
import { showMembers, showSilentHosts } from './members/show-members';
import { measurePages } from './page-load/measure-pages';
import { showPages } from './page-load/show-pages';
import { measurePaymentFaults, showPaymentFaults } from './payment-faults/payment-faults';
import { measureScale } from './scale/measure-scale';
import { showScale } from './scale/show-scale';
import { measureSoak, showSoak } from './soak';
import { measureVitals, showVitals } from './vitals/measure-vitals';
import { measureProducts, showProducts } from './watches/measure-products';
import { measureWatches, showWatches } from './watches/measure-watches';

const RESULT_FILE = 'bench-results.json';
const PARTS = [
  'alerts',
  'pages',
  'consume',
  'soak',
  'payments-faults',
  'watches',
  'products',
  'scale',
  'members',
  'silent-hosts',
  'downloads',
  'disk',
  'vitals',
] as const;
const SOAK_MINUTES = 15;
/** Parts that take long, run only when they are named. */
const LONG_PARTS: readonly string[] = [
  'soak',
  'payments-faults',
  'watches',
  'products',
  'scale',
  'members',
  'silent-hosts',
  'downloads',
  'disk',
  'vitals',
];
const PRODUCT_MINUTES = Number(process.env.PACKWATCH_PRODUCT_MINUTES ?? 2);
const WATCH_MINUTES = Number(process.env.PACKWATCH_WATCH_MINUTES ?? 5);
const KILLS = Number(process.env.PACKWATCH_KILLS ?? 100);

/** `npm run bench [-- alerts | pages | consume | soak | payments-faults | watches | products | scale | members | silent-hosts | downloads | disk | vitals]`: all but the long parts, unless one is named. `members` includes `silent-hosts`. */
async function main(): Promise<void> {
  const redisUrl = process.env.REDIS_URL;
  if (redisUrl === undefined) throw new Error('Run this as "npm run bench", which brings a private Redis.');
  const named = process.argv.slice(2);
  const unknown = named.find((part) => !PARTS.some((known) => known === part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${PARTS.join(', ')}.`);
  const wanted = (part: (typeof PARTS)[number]) =>
    named.length === 0 ? !LONG_PARTS.includes(part) : named.includes(part);

  const alerts = wanted('alerts') ? await measureAlerts(redisUrl) : null;
  for (const line of alerts?.lines ?? []) console.log(line);
  const pages = wanted('pages') ? await measurePages() : null;
  for (const line of pages === null ? [] : showPages(pages)) console.log(line);

  const consume = wanted('consume') ? await measureConsume() : null;
  for (const line of consume === null ? [] : showConsume(consume)) console.log(line);

  const members = wanted('members') ? await measureMembers(redisUrl) : null;
  for (const line of members === null ? [] : showMembers(members)) console.log(line);
  const silentHosts = wanted('silent-hosts') || members !== null ? await measureSilentHosts(redisUrl) : null;
  for (const line of silentHosts === null ? [] : showSilentHosts(silentHosts)) console.log(line);

  for (const line of wanted('disk') ? (await measureDiskSpace()).lines : []) console.log(line);

  const vitals = wanted('vitals') ? await measureVitals() : null;
  for (const line of vitals === null ? [] : showVitals(vitals)) console.log(line);

  const upload = wanted('downloads') ? await measureUpload() : null;
  for (const line of upload === null ? [] : showUpload(upload)) console.log(line);
  const downloads = wanted('downloads') ? await measureDownloads() : null;
  for (const line of downloads === null ? [] : showDownloads(downloads)) console.log(line);

  const soak = wanted('soak') ? await measureSoak(redisUrl, SOAK_MINUTES) : null;
  for (const line of soak === null ? [] : showSoak(soak)) console.log(line);

  const paymentFaults = wanted('payments-faults') ? await measurePaymentFaults(KILLS) : null;
  for (const line of paymentFaults === null ? [] : showPaymentFaults(paymentFaults)) console.log(line);

  const watches = wanted('watches') ? await measureWatches(redisUrl, WATCH_MINUTES) : null;
  for (const line of watches === null ? [] : showWatches(watches)) console.log(line);

  const products = wanted('products') ? await measureProducts(redisUrl, PRODUCT_MINUTES) : null;
  for (const line of products === null ? [] : showProducts(products)) console.log(line);

  const scale = wanted('scale') ? await measureScale(redisUrl) : null;
  for (const line of scale === null ? [] : showScale(scale)) console.log(line);

  const results = {
    at: new Date().toISOString(),
    machine: { cpus: cpus().length, model: cpus()[0]?.model ?? '', node: process.version },
    ...alerts?.results,
    ...(pages === null ? {} : { pages }),
    ...(consume === null ? {} : { consume }),
    ...(members === null ? {} : { members }),
    ...(silentHosts === null ? {} : { silentHosts }),
    ...(vitals === null ? {} : { vitals }),
    ...(upload === null ? {} : { upload }),
    ...(downloads === null ? {} : { downloads }),
    ...(soak === null ? {} : { soak }),
    ...(paymentFaults === null ? {} : { paymentFaults }),
    ...(watches === null ? {} : { watches }),
    ...(products === null ? {} : { products }),
    ...(scale === null ? {} : { scale }),
  };
  writeFileSync(RESULT_FILE, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`Written to ${RESULT_FILE}.`);
}

main()
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
