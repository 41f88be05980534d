/** Where each Russian locale file is loaded from. */
export const files = import.meta.glob<{ default: object }>([
  '../../locales/ru/*.json',
  '../../../../contract/locales/ru/*.json',
])
