import { Pill, TagsInput, type TagsInputProps } from '@mantine/core';
import { AmongNames, Name } from '../text/name.tsx';

type Props = Omit<TagsInputProps, 'data' | 'renderOption' | 'renderPill'> & {
  /** The names that the field suggests. */
  data?: string[];
};

/** A field for several names that people type or choose. It compares them with each other. */
export function NameTags({ value = [], data = [], ...field }: Props) {
  return (
    <AmongNames of={[...data, ...value]}>
      <TagsInput
        {...field}
        value={value}
        data={data}
        renderOption={({ option }) => <Name of={option.value} />}
        renderPill={({ value: chosen, onRemove, disabled = false }) => (
          <Pill withRemoveButton={!disabled} disabled={disabled} {...(onRemove && { onRemove })}>
            <Name of={chosen ?? ''} />
          </Pill>
        )}
      />
    </AmongNames>
  );
}
