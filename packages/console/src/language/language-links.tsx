import { t } from '@lingui/core/macro';
import { Anchor, Group } from '@mantine/core';
import { chooseLanguage, LANGUAGES, type Language, language } from './language.ts';

export const languages = Object.entries(LANGUAGES) as [Language, string][];

/** Chooses the language before sign-in. Afterwards, the account menu does. */
export function LanguageLinks() {
  return (
    <Group component="nav" gap="sm" justify="center" aria-label={t`Language`}>
      {languages.map(([tag, name]) => (
        <Anchor
          key={tag}
          component="button"
          type="button"
          lang={tag}
          size="sm"
          {...(tag === language ? {} : { c: 'dimmed' })}
          aria-current={tag === language}
          onClick={() => chooseLanguage(tag)}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
