import type { PresetSize } from '@neuroloom/contract/network/templates'

/** What a member starts from. */
export interface TemplateChoice {
  template: string
  size: PresetSize
}
