import type { Dataset } from '@neuroloom/contract/datasets'
import type { TFunction } from 'i18next'
import { maskClassName } from '../../lib/class-name.ts'

export function className(name: string, layout: Dataset['layout'], t: TFunction<'datasets'>): string {
  return layout === 'images_masks' ? maskClassName(name, t) : name
}
