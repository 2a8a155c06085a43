import { t } from '@lingui/core/macro';
import { TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AppLogo } from '../../../apps/app-logo.tsx';
import { Empty } from '../../../kit/controls/empty.tsx';
import { Failure } from '../../../kit/controls/failure.tsx';
import classes from './connection.module.css';
import { type ConnectorType, typesQuery } from './connector.ts';
import { ELSEWHERE, type Elsewhere } from './elsewhere.ts';
import { sentence } from './labels.ts';

interface Choice {
  type: string;
  name: string;
  about: string;
  mark?: string;
}

interface Group {
  title: string;
  choices: Choice[];
}

/** Lists the ways to connect an app: the server's connectors, and those without one. */
export function TypePicker({ pick }: { pick: (type: string) => void }) {
  const types = useQuery(typesQuery);
  const [typed, setTyped] = useState('');
  if (types.isLoadingError) return <Failure error={types.error} again={() => void types.refetch()} />;
  const groups = groupsOf(types.data?.results ?? [], typed.trim().toLowerCase());
  return (
    <>
      <TextInput
        label={t`Search types`}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        maw={420}
        mb="md"
        data-autofocus
      />
      {types.data !== undefined && groups.length === 0 && (
        <Empty title={t`No types match this search`}>
          {t`Describe the app with a definition in YAML, or connect it with your own connector.`}
        </Empty>
      )}
      {groups.map(({ title, choices }) => (
        <section key={title} aria-label={title}>
          <h2 className={classes.groupTitle}>{title}</h2>
          <ul className={classes.types}>
            {choices.map(({ type, name, about, mark }) => (
              <li key={type}>
                <UnstyledButton className={classes.type} onClick={() => pick(type)}>
                  <AppLogo name={name} large />
                  <span className={classes.typeWords}>
                    <strong>{name}</strong>
                    <span>{about}</span>
                    {mark !== undefined && <em>{mark}</em>}
                  </span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function groupsOf(types: readonly ConnectorType[], search: string): Group[] {
  const choices = types.map(
    ({ type, name, description, tried, needs_definition }): Choice & { custom: boolean } => ({
      type,
      name: needs_definition ? t`${name} (your own definition)` : name,
      about: sentence(description),
      ...(tried === false ? { mark: t`Not tested against the live service` } : {}),
      custom: needs_definition,
    }),
  );
  const without = (...wanted: Elsewhere[]): Choice[] =>
    wanted.map((type) => ({ type, name: ELSEWHERE[type].name, about: ELSEWHERE[type].about }));
  const groups: Group[] = [
    { title: t`Without a connector`, choices: without('spreadsheet', 'by_hand') },
    { title: t`Apps`, choices: choices.filter(({ custom }) => !custom) },
    { title: t`Your own definition`, choices: choices.filter(({ custom }) => custom) },
    { title: t`Your own connector`, choices: without('outside') },
  ];
  return groups.flatMap(({ title, choices: all }) => {
    const found = all.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(search));
    return found.length === 0 ? [] : [{ title, choices: found }];
  });
}
