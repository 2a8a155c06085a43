import { ActionIcon, Checkbox, Select, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { AppPicker } from '../../parts/app-picker.tsx';
import { type Chosen, keyOf, ResourcePicker } from '../../parts/resource-picker.tsx';
import classes from './policies.module.css';
import { type DraftEffect, KINDS, type Kind, naming } from './policy.ts';

interface Props {
  effect: DraftEffect;
  /** 1 is the first. */
  number: number;
  set: (change: Partial<DraftEffect>) => void;
  remove: (() => void) | undefined;
}

/** One effect: what is done, in which app, with which groups and licenses. */
export function EffectFields({ effect, number, set, remove }: Props) {
  return (
    <fieldset className={classes.effect} aria-label={`Effect ${number}`}>
      <Select
        label="Do"
        data={[...KINDS]}
        value={effect.do}
        onChange={(kind) => set({ do: kind as Kind })}
        allowDeselect={false}
      />
      <div className={classes.where}>
        {effect.everywhere ? null : (
          <AppPicker label="App" value={effect.app} set={(app) => set({ app, chosen: [] })} required />
        )}
        <Checkbox
          label={
            effect.do === 'grant'
              ? 'In every app that there is'
              : 'In every app where the person has an account'
          }
          checked={effect.everywhere}
          onChange={({ currentTarget }) => set({ everywhere: currentTarget.checked })}
        />
      </div>
      {naming(effect.do) && !effect.everywhere && effect.app !== null && (
        <div className={classes.wide}>
          <Named effect={effect} appId={effect.app} set={(chosen) => set({ chosen })} />
        </div>
      )}
      {remove !== undefined && (
        <Tooltip label="Remove this effect">
          <ActionIcon
            className={classes.remove ?? ''}
            aria-label={`Remove effect ${number}`}
            onClick={remove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </fieldset>
  );
}

interface NamedProps {
  effect: DraftEffect;
  appId: string;
  set: (chosen: Chosen[]) => void;
}

function Named({ effect, appId, set }: NamedProps) {
  const nameOf = useNames(appId);
  return (
    <ResourcePicker
      label="Groups and licenses"
      description={
        effect.do === 'revoke'
          ? 'None chosen: everything that the account holds.'
          : 'None chosen: the account alone.'
      }
      appId={appId}
      value={effect.chosen.map((one) => ({ ...one, name: nameOf.get(keyOf(one)) ?? one.name }))}
      set={set}
    />
  );
}

/** A policy keeps ids; this gives them their names, as far as one page of the app's resources goes. */
function useNames(appId: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...get('/api/apps/{app_id}/resources/', { path: { app_id: appId }, query: { limit: 200 } }),
    staleTime: 60_000,
  });
  return new Map((data?.results ?? []).map((resource) => [keyOf(resource), resource.name || resource.id]));
}
