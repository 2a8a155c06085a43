import { t } from '@lingui/core/macro';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { partsOf } from '../../../../protocol/src/hidden-characters.ts';
import { lookAlikesAmong, mixedScripts } from '../../../../protocol/src/look-alikes.ts';
import { drawn, markOf } from './hidden.ts';
import { listed } from './listed.ts';

const LookAlikes = createContext<ReadonlyMap<string, string>>(new Map());

/** Compares names that people see beside each other. Each Name within that looks like another one of them has a mark. */
export function AmongNames({ of: names, children }: { of: readonly string[]; children: ReactNode }) {
  const outer = useContext(LookAlikes);
  const key = JSON.stringify([...new Set(names)]);
  const found = useMemo(() => new Map([...outer, ...lookAlikesAmong(JSON.parse(key))]), [outer, key]);
  return <LookAlikes value={found}>{children}</LookAlikes>;
}

/**
 * A name that comes from a system, or that somebody typed: of a group, an account, an app, a person, a campaign. It does not reorder the
 * text beside it, and browsers do not translate it. Marks show its hidden characters, letters of several alphabets in one word, and that
 * it looks like another name.
 */
export function Name({ of: name }: { of: string }) {
  const other = useContext(LookAlikes).get(name);
  const scripts = mixedScripts(name);
  const alphabets = listed((scripts ?? []).map(scriptWord));
  return (
    <bdi translate="no">
      {drawn(partsOf(name))}
      {scripts !== undefined &&
        markOf(alphabets, t`One word has letters of different alphabets: ${alphabets}`)}
      {other !== undefined && markOf(t`Look-alike`, t`This name looks like another one: ${other}`)}
    </bdi>
  );
}

const scriptWord = (script: NonNullable<ReturnType<typeof mixedScripts>>[number]) =>
  ({
    Latin: t`Latin`,
    Cyrillic: t`Cyrillic`,
    Greek: t`Greek`,
    Armenian: t`Armenian`,
    Cherokee: t`Cherokee`,
  })[script];
