import { startCrowdShops } from './crowd-shops';

/** The shops of the crowd in their own process, so that they do not share the benchmark's event loop. */
const shops = await startCrowdShops();
process.on('message', () => process.send?.(shops.take()));
process.on('disconnect', () => process.exit(0));
process.send?.({ host: shops.host });
