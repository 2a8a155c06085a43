import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/core/styles/PasswordInput.css';
import { Button, Group, PasswordInput, Text, Textarea } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { Moment } from '../../../kit/controls/moment.tsx';
import { hasLines, settingAbout, settingLabel } from './labels.ts';
import type { Setting } from './setting.ts';

interface SecretProps {
  setting: Setting;
  /** The result of `form.getInputProps`. */
  input: GetInputPropsReturnType;
  /** When the stored secret was set. Undefined: there is none. */
  setAt: string | undefined;
  /** Whether to enter a new value. */
  open: boolean;
  /** Undefined for roles that may not change it. */
  replace: (() => void) | undefined;
  /** Removes the stored secret. Undefined if the connector needs it. */
  remove: (() => void) | undefined;
  /** Whether the stored secret is to be removed. */
  removed: boolean;
  /** Keeps the stored secret. Undefined if it must be entered again. */
  keep: (() => void) | undefined;
}

/** A secret is entered, but never shown again. */
export function SecretField({ setting, input, setAt, open, replace, remove, removed, keep }: SecretProps) {
  const { name, description, required } = setting;
  const label = settingLabel(name);
  if (removed || !open)
    return (
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {removed ? (
              t`Removed when you save`
            ) : (
              <Trans>
                Set <Moment at={setAt ?? null} />
              </Trans>
            )}
          </Text>
          {!removed && <Act verb="replace" label={label} act={replace} />}
          {!removed && <Act verb="remove" label={label} act={remove} />}
          {removed && <Act verb="keep" label={label} act={keep} />}
        </Group>
      </div>
    );
  const common = { label, ...settingAbout(description), ...input, required: required || setAt !== undefined };
  return (
    <div>
      {hasLines(name) ? (
        <Textarea {...common} rows={4} autoComplete="off" spellCheck={false} />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" />
      )}
      <Group gap="xs" mt={4}>
        <Act verb="keep" label={label} act={keep} />
        <Act verb="remove" label={label} act={remove} />
      </Group>
    </div>
  );
}

const WORDS = {
  replace: { word: t`Replace`, of: (label: string) => t`Replace ${label}` },
  remove: { word: t`Remove`, of: (label: string) => t`Remove ${label}` },
  keep: { word: t`Keep the stored value`, of: (label: string) => t`Keep the stored ${label}` },
};

/** A button for one stored secret. Its name has the label of the secret, because a form can have several. */
function Act({
  verb,
  label,
  act,
}: {
  verb: keyof typeof WORDS;
  label: string;
  act: (() => void) | undefined;
}) {
  if (act === undefined) return null;
  return (
    <Button
      variant={verb === 'replace' ? 'default' : 'subtle'}
      size="compact-xs"
      aria-label={WORDS[verb].of(label)}
      onClick={act}
    >
      {WORDS[verb].word}
    </Button>
  );
}
