import type { Work } from '@neuroloom/contract/recipes/recipes'
import { Alert, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import styles from './recipes.module.css'

type SameName = Extract<Work, { kind: 'merge' }>['sameName']
type Props = { ids: string[]; value: SameName; onChange: (value: SameName) => void }
const ways = ['rename', 'skip', 'newest'] as const satisfies SameName[]

/** Asks before folders are merged what becomes of files of one name; nothing is ever overwritten. */
export function SameNames({ ids, value, onChange }: Props) {
  const { t } = useTranslation('recipes')
  const { data } = useCall('recipes/clashes', { ids }, { quiet: true })
  if (!data) return null
  const { count, total, names } = data
  if (count === 0) return <p className={styles.good}>{t('same.none')}</p>
  const told = names.join(', ') + (count > names.length ? ' …' : '')
  const said = t('same.some', { count, shown: formatNumber(count), total: formatNumber(total), names: told })
  return (
    <Alert
      type="warning"
      showIcon
      title={said}
      description={
        <Radio.Group
          className={styles.ways ?? ''}
          aria-label={t('same.label')}
          value={value}
          options={ways.map((one) => ({ value: one, label: t(`same.${one}`) }))}
          onChange={({ target }) => onChange(ways.find((one) => one === target.value) ?? 'rename')}
        />
      }
    />
  )
}
