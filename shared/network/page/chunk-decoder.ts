/** Chromium's limit for a line of the chunked coding (net/http/http_chunked_decoder.cc). */
const MAX_LINE = 16 * 1024;
const LINE_FEED = 10;

/**
 * Decodes the chunked transfer coding (RFC 9112, section 7.1) piece by piece. Lines may end with a bare line feed, and
 * anything may follow a size. `state` is `broken` when the coding is invalid, and `ended` after the last chunk; trailers
 * are not read.
 */
export class ChunkDecoder {
  state: 'reading' | 'ended' | 'broken' = 'reading';
  #expects: 'size' | 'data' | 'end of data' = 'size';
  #left = 0;
  #line = '';

  /** Decodes the next bytes of the connection and returns the data among them. */
  decode(bytes: Buffer): Buffer {
    const data = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    let at = 0;
    while (at < bytes.length && this.state === 'reading') {
      if (this.#expects === 'data') {
        const end = Math.min(bytes.length, at + this.#left);
        length += bytes.copy(data, length, at, end);
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#expects = 'end of data';
        continue;
      }
      const lineFeed = bytes.indexOf(LINE_FEED, at);
      const end = lineFeed === -1 ? bytes.length : lineFeed;
      if (this.#line.length + end - at > MAX_LINE) this.state = 'broken';
      else {
        this.#line += bytes.toString('latin1', at, end);
        at = end + 1;
        if (lineFeed !== -1) this.#endLine();
      }
    }
    return data.subarray(0, length);
  }

  #endLine(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#expects === 'end of data') {
      if (line === '') this.#expects = 'size';
      else this.state = 'broken';
      return;
    }
    const digits = /^[ \t]*([\da-f]+)(?:[ \t;]|$)/i.exec(line)?.[1];
    const size = Number.parseInt(digits ?? '', 16);
    if (!Number.isSafeInteger(size)) {
      this.state = 'broken';
      return;
    }
    this.#left = size;
    if (this.#left === 0) this.state = 'ended';
    else this.#expects = 'data';
  }
}
