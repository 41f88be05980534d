import type { Block } from '@neuroloom/contract/network/document/document'
import { useTranslation } from 'react-i18next'

/** Layers, settings and their choices in the member's words; what has none keeps its name. */
export function useWords() {
  const { t } = useTranslation('layers')
  const first = (keys: string[], otherwise: string) => {
    for (const key of keys) {
      const text = t(key, { defaultValue: '' })
      if (text !== '') return text
    }
    return otherwise
  }
  return {
    title: (op: string, block: Block | null = null) =>
      first([`op.${op}.title`, `block.${op}.title`], block?.title ?? op),
    help: (op: string, block: Block | null = null) =>
      first([`op.${op}.help`, `block.${op}.help`], block?.about ?? ''),
    /** `title`: given by who made the block. */
    setting: (op: string, name: string, title?: string) =>
      title ?? first([`param.${op}.${name}`, `param.${name}`], name),
    settingHelp: (op: string, name: string) => first([`paramHelp.${op}.${name}`, `paramHelp.${name}`], ''),
    choice: (value: string) => first([`choice.${value}`], value),
  }
}
export type Words = ReturnType<typeof useWords>
