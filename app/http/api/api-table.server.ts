import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';

/** A file that answers a path of the API: what `endpoint` made. */
export interface ApiModule {
  loader(args: LoaderFunctionArgs): Promise<Response>;
  action(args: ActionFunctionArgs): Promise<Response>;
}

/** The module that a path means, with the parts of the path that its template names. */
export interface FoundModule {
  module: ApiModule;
  params: Record<string, string>;
}

interface Template {
  names: string[];
  pattern: RegExp;
  module: ApiModule;
}

function compile(path: string, module: ApiModule): Template {
  const names: string[] = [];
  const source = path
    .split('/')
    .map((segment) => {
      if (!segment.startsWith(':')) return segment.replaceAll('.', '\\.');
      names.push(segment.slice(1));
      return '([^/]+)';
    })
    .join('/');
  return { names, pattern: new RegExp(`^${source}$`, 'i'), module };
}

/** Null when one of them is no text: such a path names nothing. */
function decodeAll(parts: string[]): string[] | null {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/**
 * Looks paths up in a table of templates such as `news/:id`. A path without parameters goes before one with; letters'
 * case and a trailing slash do not matter, as for Remix's own routes.
 */
export function createApiTable(
  routes: Readonly<Record<string, ApiModule>>,
): (path: string) => FoundModule | null {
  const fixed = new Map<string, ApiModule>();
  const templates: Template[] = [];
  for (const [path, module] of Object.entries(routes)) {
    if (path.includes(':')) templates.push(compile(path, module));
    else fixed.set(path.toLowerCase(), module);
  }
  return (path) => {
    const asked = path.endsWith('/') ? path.slice(0, -1) : path;
    const module = fixed.get(asked.toLowerCase());
    if (module !== undefined) return { module, params: {} };
    for (const template of templates) {
      const parts = template.pattern.exec(asked);
      if (parts === null) continue;
      const values = decodeAll(parts.slice(1));
      if (values === null) return null;
      const params = Object.fromEntries(template.names.map((name, index) => [name, values[index] ?? '']));
      return { module: template.module, params };
    }
    return null;
  };
}
