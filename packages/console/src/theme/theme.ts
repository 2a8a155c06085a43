import { t } from '@lingui/core/macro';
import { createTheme, localStorageColorSchemeManager } from '@mantine/core';

/** public/start.js reads the same key before the first paint. */
export const colorScheme = localStorageColorSchemeManager({ key: 'gatehouse-scheme' });

// Locking the page's scroll would add a <style> element, which the content security policy blocks.
const lockScroll = false;
const closeButtonProps = { 'aria-label': t`Close` };
const small = { defaultProps: { size: 'sm' } };

const hintSize = (part: 'description' | 'error') => ({ [`--input-${part}-size`]: 'var(--gh-text-s)' });

/** Behavior only. Colors and sizes are variables in theme.css, because the policy also blocks Mantine's inline ones. */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { lockScroll, centered: true, closeButtonProps } },
    Drawer: { defaultProps: { lockScroll, closeButtonProps } },
    Notification: { defaultProps: { closeButtonProps } },
    Anchor: { defaultProps: { inherit: true } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: small,
    Textarea: small,
    NumberInput: small,
    PasswordInput: {
      defaultProps: {
        size: 'sm',
        visibilityToggleButtonProps: { 'aria-label': t`Show password` },
        visibilityToggleFocusable: true,
      },
    },
    Select: small,
    MultiSelect: small,
    Checkbox: small,
    Radio: small,
    Switch: small,
    // Otherwise, these are 2 pixels smaller than the field.
    InputWrapper: { vars: () => ({ description: hintSize('description'), error: hintSize('error') }) },
    Tooltip: { defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } } },
  },
});
