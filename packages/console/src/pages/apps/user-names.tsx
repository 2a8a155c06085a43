import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { Section } from '../../kit/controls/section.tsx';
import { select } from '../../kit/form/choice-fields.tsx';
import { type Body, bodyIn } from '../../kit/form/field.ts';
import { Fields, useFields } from '../../kit/form/fields.tsx';
import { SettingsForm } from '../../kit/form/settings-form.tsx';
import { area, text } from '../../kit/form/text-fields.tsx';
import type { App } from './app.ts';
import { changeApp, loadApp } from './app-change.tsx';
import { UserNamePreview } from './user-name-preview.tsx';

const FIELDS = {
  from: select({
    label: t`Username`,
    data: [
      { value: 'default', label: t`Chosen by Gatehouse` },
      { value: 'user_name', label: t`Username of the person` },
      { value: 'attribute', label: t`Attribute of the person` },
      { value: 'template', label: t`Template` },
    ],
    initial: 'default',
  }),
  attribute: text({ label: t`Attribute`, required: true, maxLength: 255, spellCheck: false }),
  template: area({
    label: t`Template in CEL`,
    required: true,
    autosize: true,
    minRows: 2,
    maxLength: 2000,
    spellCheck: false,
    autoCapitalize: 'off',
    autoCorrect: 'off',
  }),
};
type Rule = Body<typeof FIELDS>;

/** The rule in a request. Without one, Gatehouse chooses. */
function ruleIn({ from, attribute, template }: Rule) {
  if (from === 'default') return null;
  return {
    from,
    attribute: from === 'attribute' ? attribute : null,
    template: from === 'template' ? template : null,
  };
}

/* oxlint-disable lingui/no-unlocalized-strings -- names of products and CEL stay as they are. */
const SYSTEMS = {
  active_directory: 'Active Directory',
  linux: 'Linux',
  postgresql: 'PostgreSQL',
  mariadb: 'MariaDB',
} satisfies Record<NonNullable<App['user_name_kind']>, string>;

const EXAMPLES = { part: 'part(user.email, "@", 1)', numbered: 'user.last_name + number' };
/* oxlint-enable lingui/no-unlocalized-strings */

/** The rule for the usernames of new accounts, with the names that it would give to real people. */
export function UserNames({ app }: { app: App }) {
  const form = useFields(FIELDS, {
    of: app,
    read: () => loadApp(app),
    from: ({ user_name }: App) => user_name ?? {},
    fieldOf: (path) => path.replace(/^user_name\./, ''),
    send: (rule, { version }) => changeApp(app, { user_name: ruleIn(rule) }, version),
    rows: (values) => {
      const rule = ruleIn(bodyIn(FIELDS, values));
      const show = rule?.attribute ?? rule?.template ?? FIELDS.from.show?.(values.from);
      return [{ label: t`Usernames of new accounts`, value: rule, show }];
    },
    success: t`Rule for usernames saved`,
  });
  const { from } = form.values;
  return (
    <Section title={t`Usernames of new accounts`}>
      <SettingsForm of={form}>
        <Fields
          of={form}
          only={['from', from === 'attribute' && from, from === 'template' && from]}
          props={{
            from: { description: <Default kind={app.user_name_kind} from={from} /> },
            template: { description: <TemplateHelp /> },
          }}
        />
        <UserNamePreview app={app} rule={ruleIn(bodyIn(FIELDS, form.values))} />
      </SettingsForm>
    </Section>
  );
}

/** Says which names Gatehouse chooses, and what happens to a name that is taken. */
function Default({ kind, from }: { kind: App['user_name_kind']; from: Rule['from'] }) {
  if (from !== 'default') return t`If the app already has an account with this name, the name gets a number.`;
  if (kind === null) return t`The username of the person, even if the app has an account with it.`;
  const system = SYSTEMS[kind];
  return t`The username of the person if ${system} accepts it, otherwise the part of the email before the @. A name that is taken gets a number.`;
}

/** Shows examples of templates. */
function TemplateHelp() {
  const example = <Code>{EXAMPLES.part}</Code>;
  const numbered = <Code>{EXAMPLES.numbered}</Code>;
  return (
    <Text span inherit>
      <Trans>
        For example {example} or {numbered}. The functions part, cut, ascii and lower are available.
      </Trans>
    </Text>
  );
}
