import { t } from '@lingui/core/macro';
import { CodeBlock } from '../kit/controls/code.tsx';
import { asIs, type Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { ConditionField } from './condition-field.tsx';

interface Props {
  label: string;
  description?: string;
  of: 'policy' | 'review';
}

/** A field for a condition in CEL, which the server checks. */
export const condition = (props: Props): Field<string> => ({
  ...asIs(props.label, ''),
  show: (cel) => <CodeBlock text={cel} what={t`condition`} />,
  control: (input) => <ConditionField {...props} {...picker(input)} />,
});
