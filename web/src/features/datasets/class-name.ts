import type { Dataset } from '@neuroloom/contract/datasets'
import type { TFunction } from 'i18next'

/** Masks carry numbers, so the server names their classes in English; folders are named by their owner. */
export function className(name: string, layout: Dataset['layout'], t: TFunction<'datasets'>): string {
  if (layout !== 'images_masks') return name
  if (name === 'background' || name === 'foreground') return t(`class.${name}`)
  const number = /^class (\d+)$/.exec(name)?.[1]
  return number === undefined ? name : t('class.numbered', { number })
}
