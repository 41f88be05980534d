import { sameName } from '@neuroloom/contract/labelling/classes'
import type { Exchange } from '@neuroloom/contract/labelling/exchange'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import styles from './exchange.module.css'

type FoundClasses = NonNullable<Exchange['importPlan']>['classes']
/** By the name in the files: a class of the set, `new`, or null for nothing. */
export type Mapping = Record<string, string | null>

/** As proposed; only owners add classes. */
export const mappingOf = (found: FoundClasses, mayAdd: boolean): Mapping =>
  Object.fromEntries(
    found.map(({ name, proposed, count }) => [name, proposed ?? (mayAdd && count > 0 ? 'new' : null)]),
  )

type Props = { set: LabelSet; found: FoundClasses; mapping: Mapping; onChange: (mapping: Mapping) => void }

/** What each class of the files becomes. */
export function ClassMapping({ set, found, mapping, onChange }: Props) {
  const { t } = useTranslation('label-exchange')
  const options = [
    ...set.classes.map(({ id, name }) => ({ value: id, label: name })),
    ...(set.right === 'own' ? [{ value: 'new', label: t('newClass') }] : []),
    { value: '', label: t('noClass') },
  ]
  const isNew = (name: string): boolean => mapping[name] === 'new'
  return (
    <ul className={styles.classes}>
      {found.map(({ name, count, isAlike }, index) => {
        const earlier =
          isNew(name) &&
          found.slice(0, index).find((one) => isNew(one.name) && sameName(one.name) === sameName(name))
        return (
          <li key={name} className={styles.class}>
            <span>
              <strong>{name}</strong>{' '}
              <small className={styles.soft}>{`${t('marks')}: ${formatNumber(count)}`}</small>
            </span>
            <span className={styles.field}>
              <Select<string>
                aria-label={`${t('becomesClass')}: ${name}`}
                value={mapping[name] ?? ''}
                options={options}
                onChange={(to) => onChange({ ...mapping, [name]: to === '' ? null : to })}
              />
              {isAlike && <small className={styles.soft}>{t('alike')}</small>}
              {earlier && <small className={styles.soft}>{t('together', { name: earlier.name })}</small>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
