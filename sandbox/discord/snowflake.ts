/** Start of the timestamps in Discord's ids: 1 January 2015 (Discord docs, "Reference › Snowflakes"). */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** Generates ids like Discord's: the time in the upper bits, a counter in the lower ones, so ids increase. */
export function createSnowflakes(): (epochMs: number) => string {
  let last = 0n;
  return (epochMs) => {
    const fromTime = (BigInt(Math.floor(epochMs)) - DISCORD_EPOCH_MS) << 22n;
    last = fromTime > last ? fromTime : last + 1n;
    return last.toString();
  };
}
