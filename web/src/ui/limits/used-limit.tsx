/** One of the own limits, as the server counts it. Says nothing while that is not known, and where there is no limit. */
import type { CountedLimit } from '@neuroloom/contract/membership/counted'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { LimitMeter } from './limit-meter.tsx'

/** Of what is counted in bytes there is a bar of its own. */
type Name = Exclude<CountedLimit, 'storageBytes'>

export function UsedLimit({ name }: { name: Name }) {
  const { data } = useCall('plans/used', { names: [name] }, { quiet: true })
  const found = data?.limits.find((one) => one.name === name)
  return found ? <CountMeter name={name} used={found.used} limit={found.limit} /> : null
}

type Props = { name: Name; used: number; limit: number | null; action?: ReactNode }

/** Where the count is known already. */
export function CountMeter({ name, used, limit, action }: Props) {
  const { t } = useTranslation('levels')
  const shown = { used: formatNumber(used), limit: formatNumber(limit ?? 0) }
  return <LimitMeter label={t(`used.${name}`, shown)} used={used} limit={limit} action={action} />
}
