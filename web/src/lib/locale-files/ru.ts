/** Where each Russian locale file is loaded from. */
export const files = import.meta.glob<{ default: object }>([
  '../../locales/ru/*.json',
  '../../locales/ru/office/*.json',
  '../../locales/ru/workspace/*.json',
  '../../locales/ru/custom/*.json',
  '../../locales/ru/social/*.json',
  '../../locales/ru/market/*.json',
  '../../../../contract/locales/ru/*.json',
])
