import { t } from '@lingui/core/macro';
import { ActionIcon, Checkbox, Select, Tooltip } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { keyOf } from '../../access/chosen.ts';
import { useEntitlementNames } from '../../access/entitlement-names.ts';
import { ResourcePicker } from '../../access/resource-picker.tsx';
import { AppPicker } from '../../apps/app-picker.tsx';
import { picker } from '../../kit/form/form.ts';
import { optionsOf } from '../../kit/form/form-options.ts';
import { IconTrash } from '../../kit/icons/icons.ts';
import classes from './policies.module.css';
import { ACTIONS, namesEntitlements } from './policy.ts';
import type { Draft, DraftEffect } from './policy-fields.tsx';

interface Props {
  form: UseFormReturnType<Draft>;
  effect: DraftEffect;
  index: number;
}

/** The action, app, groups and licenses of one effect. */
export function EffectFields({ form, effect, index }: Props) {
  const path = `effects.${index}` as const;
  const number = index + 1;
  return (
    <fieldset className={classes.effect} aria-label={t`Effect ${number}`}>
      <Select
        label={t`Action`}
        data={optionsOf(ACTIONS)}
        {...form.getInputProps(`${path}.do`)}
        allowDeselect={false}
      />
      <div className={classes.where}>
        {effect.everywhere ? null : (
          <AppPicker
            label={t`App`}
            {...picker(form.getInputProps(`${path}.app`))}
            set={(app) => form.setFieldValue(path, { ...effect, app, chosen: [] })}
            required
          />
        )}
        <Checkbox
          label={effect.do === 'grant' ? t`All apps` : t`All apps where the person has an account`}
          {...form.getInputProps(`${path}.everywhere`, { type: 'checkbox', withError: false })}
        />
      </div>
      {namesEntitlements(effect.do) && !effect.everywhere && effect.app !== null && (
        <div className={classes.wide}>
          <EntitlementPicker form={form} effect={effect} index={index} appId={effect.app} />
        </div>
      )}
      {form.values.effects.length > 1 && (
        <Tooltip label={t`Remove this effect`}>
          <ActionIcon
            className={classes.remove ?? ''}
            aria-label={t`Remove effect ${number}`}
            onClick={() => form.removeListItem('effects', index)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </fieldset>
  );
}

function EntitlementPicker({ form, effect, index, appId }: Props & { appId: string }) {
  const names = useEntitlementNames(appId);
  return (
    <ResourcePicker
      label={t`Groups and licenses`}
      description={
        effect.do === 'revoke'
          ? t`Leave empty to revoke all groups and licenses.`
          : t`Leave empty to grant only the account.`
      }
      appId={appId}
      {...picker(form.getInputProps(`effects.${index}.chosen`))}
      value={effect.chosen.map((one) => ({
        ...one,
        name: names === undefined ? '…' : (names.get(keyOf(one)) ?? one.name),
      }))}
    />
  );
}
