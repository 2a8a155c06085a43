import { asIs, type Field, type Input } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { ConditionField, type ConditionFieldProps } from './condition-field.tsx';
import { ConditionWords } from './condition-words.tsx';

type Props = Pick<ConditionFieldProps, 'label' | 'description' | 'of' | 'optional'>;
/** The properties that the page may add. */
type More = Partial<Pick<ConditionFieldProps, 'question' | 'also' | 'begin'>>;

/** A field for a condition. */
export const condition = (props: Props): Field<string, string, More> => ({
  ...asIs(props.label, ''),
  show: (cel) => <ConditionWords value={cel} of={props.of} />,
  control: (input: Input & More) => <ConditionField {...props} {...picker(input)} />,
});
