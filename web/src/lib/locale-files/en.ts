/** Where each English locale file is loaded from. */
export const files = import.meta.glob<{ default: object }>([
  '../../locales/en/*.json',
  '../../locales/en/office/*.json',
  '../../locales/en/workspace/*.json',
  '../../locales/en/custom/*.json',
  '../../locales/en/social/*.json',
  '../../locales/en/market/*.json',
  '../../../../contract/locales/en/*.json',
])
