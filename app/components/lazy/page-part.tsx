import type { ComponentType, ReactNode } from 'react';
import { useLazyModule } from './use-lazy-module';

interface PartModule<Props> {
  default: ComponentType<Props>;
}

/** How the parts of the loaded pages are loaded, and those that were. */
const loaders = new Map<string, () => Promise<PartModule<never>>>();
const loaded = new Map<string, PartModule<never>>();

async function loadPart(name: string): Promise<void> {
  const module = await loaders.get(name)?.();
  if (module !== undefined) loaded.set(name, module);
}

/** Loads the parts that the server has rendered into the document: React needs them when it hydrates. Rejects if one is missing. */
export async function loadShownParts(): Promise<void> {
  const shown = document.querySelectorAll<HTMLElement>('[data-part]');
  await Promise.all([...shown].map(({ dataset }) => loadPart(dataset.part ?? '')));
}

/** Loads all parts of the pages whose scripts are loaded, so that none appears late. Rejects if one is missing. */
export async function loadAllParts(): Promise<void> {
  await Promise.all([...loaders.keys()].map(loadPart));
}

/**
 * A part of a page that has its own script, which only the pages that show it load. `name`: that of its file. `load`
 * imports its module, whose default export it is. `module`: that module on the server, which renders at once; null in browsers.
 */
export function pagePart<Props extends object>(
  name: string,
  load: () => Promise<PartModule<Props>>,
  module: PartModule<Props> | null,
): (props: Props) => ReactNode {
  loaders.set(name, load as () => Promise<PartModule<never>>);
  return function PagePart(props: Props) {
    const late = useLazyModule(name, load);
    const { default: Shown } = module ?? (loaded.get(name) as PartModule<Props> | undefined) ?? late ?? {};
    return (
      <div data-part={name} className="contents">
        {Shown === undefined ? null : <Shown {...props} />}
      </div>
    );
  };
}
