import { i18n } from '@lingui/core';

// The console's texts are English in the source, and tests of its functions expect these, whatever this computer's language.
Object.defineProperty(navigator, 'languages', { value: ['en-US'], configurable: true });
i18n.loadAndActivate({ locale: 'en', messages: {} });
