import { useTranslation } from 'react-i18next'

/** A network's name in the chosen language; a network of one's own keeps the name it was given. */
export function useNetworkName(): (network: string) => string {
  const { t } = useTranslation('networks')
  return (network) => t(`${network}.title`, { defaultValue: network })
}
