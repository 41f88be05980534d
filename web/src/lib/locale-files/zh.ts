/** Where each Chinese locale file is loaded from. */
export const files = import.meta.glob<{ default: object }>([
  '../../locales/zh/*.json',
  '../../locales/zh/office/*.json',
  '../../locales/zh/workspace/*.json',
  '../../locales/zh/custom/*.json',
  '../../locales/zh/social/*.json',
  '../../locales/zh/market/*.json',
  '../../../../contract/locales/zh/*.json',
])
