import { t } from '@lingui/core/macro';
import { CodeBlock } from '../kit/controls/code.tsx';
import { asIs, type Field, type Input } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { ConditionField, type ConditionFieldProps } from './condition-field.tsx';

type Props = Pick<ConditionFieldProps, 'label' | 'description' | 'of' | 'optional'>;
/** What the page may add. */
type More = Partial<Pick<ConditionFieldProps, 'question' | 'also' | 'begin'>>;

/** A field for a condition. */
export const condition = (props: Props): Field<string, string, More> => ({
  ...asIs(props.label, ''),
  show: (cel) => <CodeBlock text={cel} what={t`condition`} />,
  control: (input: Input & More) => <ConditionField {...props} {...picker(input)} />,
});
