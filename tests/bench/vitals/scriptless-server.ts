import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

export interface ScriptlessServer {
  origin: string;
  close(): void;
}

/** A page of Remix without its scripts. */
function withoutScripts(html: string): string {
  return html.replaceAll(/<script\b(?:(?!<\/script>).)*<\/script>/gs, '');
}

/** Serves the pages of `site` in Brotli without their scripts, and passes every other file on as it is. */
export async function startScriptlessServer(
  site: string,
  paths: readonly string[],
): Promise<ScriptlessServer> {
  const pages = new Map<string, Buffer>();
  for (const path of paths) {
    const html = await (await fetch(site + path)).text();
    pages.set(path, brotliCompressSync(withoutScripts(html)));
  }
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    if (page !== undefined) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Encoding', 'br');
      response.end(page);
      return;
    }
    const passed = ask(site + (request.url ?? '/'), { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
