import { useTranslation } from 'react-i18next'
import { CallError, messageOf } from '../../../lib/api.ts'
import { textParams } from '../../../lib/text-params.ts'

/** Why a training was refused; of a network that does not fit by its first mistake. */
export function useRefusal(): (error: Error) => string {
  const { t } = useTranslation(['flow-sharpen', 'networks'])
  return (error) => {
    if (!(error instanceof CallError) || error.name !== 'network_unfit') return messageOf(error)
    const { reason, node } = error.params
    const params = { ...textParams(error.params), defaultValue: '' }
    const own = t(`unfit.${String(reason)}`, params)
    if (own !== '') return own
    const text = t(`networks:graphError.${String(reason)}`, params)
    if (text === '') return t('unfit.any')
    // `@velocity` is the path of the input `velocity`.
    return typeof node === 'string' ? t('unfit.at', { node: node.replace(/^@/, ''), text }) : text
  }
}
