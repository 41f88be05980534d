import i18next from 'i18next'

/** Ports of layers have words; those of a member's own blocks keep their name. For fields and canvas alike. */
export function portName(port: string | null, at: number): string {
  if (port === null) return i18next.t('dripe-panels:inputs.numbered', { number: at + 1 })
  return i18next.t(`dripe-panels:port.${port}`, { defaultValue: port })
}
