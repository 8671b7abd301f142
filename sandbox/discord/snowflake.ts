/** Discord counts its ids' milliseconds from the first second of 2015 (Discord docs, Reference › Snowflakes). */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** Makes ids as Discord does: time in the upper bits, a counter in the lowest twelve, so that newer is greater. */
export function createSnowflakes(): (epochMs: number) => string {
  let last = 0n;
  return (epochMs) => {
    const fromTime = (BigInt(Math.floor(epochMs)) - DISCORD_EPOCH_MS) << 22n;
    last = fromTime > last ? fromTime : last + 1n;
    return last.toString();
  };
}
