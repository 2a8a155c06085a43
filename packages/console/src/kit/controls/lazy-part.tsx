import { type ComponentType, Component as ReactComponent, type ReactNode, useEffect, useState } from 'react';
import { onDemand } from '../browser/files.ts';
import { askToReload, type WhyMissing } from '../browser/new-version.ts';

interface Options<P> {
  /** Shown until the part is loaded. */
  fallback?: ReactNode;
  /** Closes the part if it is missing, so that opening it again tries again. */
  leave?: (props: P) => void;
}

/** A part of the page whose file is loaded when it is first shown. */
export type LazyPart<P> = ComponentType<P> & { load: () => Promise<unknown> };

/** Loads the files of parts before they are shown. */
export function preload(...parts: readonly { load: () => Promise<unknown> }[]): void {
  for (const { load } of parts) load().catch(() => {});
}

/**
 * Makes a part of the page whose file is loaded when the part is first shown. If the file cannot be loaded or the part has an
 * error, the rest of the page stays as it is, and the frame offers to reload.
 */
export function lazyPart<P extends object>(
  file: () => Promise<ComponentType<P>>,
  { fallback = null, leave }: Options<P> = {},
): LazyPart<P> {
  let part: ComponentType<P> | undefined;
  const load = onDemand(async () => {
    part = await file();
  });
  function Lazy(props: P) {
    const [state, setState] = useState<'loading' | 'loaded' | WhyMissing>(part ? 'loaded' : 'loading');
    const fail = (why: WhyMissing) => {
      setState(why);
      askToReload(why);
      leave?.(props);
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, when it is first shown.
    useEffect(() => {
      if (part !== undefined) return;
      load().then(
        () => setState('loaded'),
        () => fail('new_version'),
      );
    }, []);
    const Part = part;
    if (state === 'loading' || Part === undefined) return state === 'loading' ? fallback : null;
    if (state !== 'loaded') return null;
    return (
      <Guard fail={() => fail('error')}>
        <Part {...props} />
      </Guard>
    );
  }
  return Object.assign(Lazy, { load });
}

/** Keeps an error of a part from replacing the page. React has no hook for this. */
class Guard extends ReactComponent<{ fail: () => void; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override componentDidCatch() {
    this.props.fail();
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
