import { type ReactNode, useEffect, useState } from 'react';
import { untilRead } from '../api/until-read.ts';
import { onDemand } from '../kit/browser/files.ts';
import { Name } from '../kit/text/name.tsx';
import classes from './app-logo.module.css';
import { ALIASES, initialsOf, markNames } from './app-mark.ts';

type Marks = typeof import('./app-marks.ts').MARKS;

/** Undefined until the marks are loaded, null if that failed. */
let marks: Marks | null | undefined;
const loadFile = onDemand(async () => (await import('./app-marks.ts')).MARKS);

async function loadMarks(): Promise<Marks | null> {
  await untilRead();
  marks = await loadFile().catch(() => null);
  return marks;
}

interface Props {
  /** The name of the app, next to which the logo stands. */
  name: string;
  large?: boolean;
}

/** The mark of a well-known application, or else the initials of its name. Hidden from screen readers, because the name is next to it. */
export function AppLogo({ name, large = false }: Props) {
  const [known, setKnown] = useState(marks);
  useEffect(() => {
    if (known === undefined) void loadMarks().then(setKnown);
  }, [known]);
  const size = { 'data-large': large || undefined };
  if (known === undefined) return <span className={classes.logo} {...size} aria-hidden />;
  const path = known === null ? undefined : pathOf(known, name);
  if (path === undefined)
    return (
      <span className={classes.logo} {...size} aria-hidden>
        {initialsOf(name)}
      </span>
    );
  return (
    <span className={classes.logo} {...size} aria-hidden>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  );
}

/** The logo of an app and its name. */
export function NamedApp({ name, children = <Name of={name} /> }: { name: string; children?: ReactNode }) {
  return (
    <span className={classes.named}>
      <AppLogo name={name} />
      <span>{children}</span>
    </span>
  );
}

function pathOf(known: Marks, name: string): string | undefined {
  for (const one of markNames(name)) {
    const path = known[ALIASES[one] ?? one];
    if (path !== undefined) return path;
  }
  return undefined;
}
