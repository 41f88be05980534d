import type { Preparation, Work, WorkKind } from '@neuroloom/contract/recipes/recipes'
import { Button, Input, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../lib/query.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { NewNames } from './new-names.tsx'
import styles from './recipes.module.css'
import { SameNames } from './same-names.tsx'

/** Of numbers in new names. */
const DIGITS = 4
type Kind = Exclude<WorkKind, 'recipe' | 'repair' | 'algebra'>
type Merge = Extract<Work, { kind: 'merge' }>
const merges = ['stack_tiff', 'stack_nifti', 'table', 'folder'] as const satisfies Merge['as'][]

type OtherWorkProps = {
  kind: Kind
  ids: string[]
  name: string
  onStarted: (work: Preparation) => void
}

/** What takes several files to make one, makes several of one, or gives new names. */
export function OtherWork({ kind, ids, name, onStarted }: OtherWorkProps) {
  const { t } = useTranslation('recipes')
  const field = useId()
  const [as, setAs] = useState<Merge['as']>('stack_tiff')
  const [sameName, setSameName] = useState<Merge['sameName']>('rename')
  const [pattern, setPattern] = useState('{folder}_{number}')
  const [first, setFirst] = useState(1)
  const [result, setResult] = useState(t(`result.${kind}`, { name }))
  const start = useAction('recipes/start', { refresh: ['recipes/works'], onDone: onStarted })
  const [folderId = ''] = ids
  const workOf = (): Work => {
    if (kind === 'merge') return { kind, ids, as, sameName }
    if (kind === 'rename') return { kind, folderId, below: true, pattern, first, digits: DIGITS }
    return { kind, folderId, below: true }
  }
  return (
    <div className={styles.other}>
      <p>{t(`about.${kind}`)}</p>
      {kind === 'merge' && (
        <div className={styles.field} data-wide>
          <label htmlFor={`${field}-as`}>{t('merge.as')}</label>
          <Select
            id={`${field}-as`}
            value={as}
            options={merges.map((one) => ({
              value: one,
              label: t(`merge.${one}`),
              disabled: one === 'folder' && ids.length < 2,
            }))}
            onChange={setAs}
          />
        </div>
      )}
      {kind === 'merge' && as === 'folder' && <SameNames ids={ids} value={sameName} onChange={setSameName} />}
      {kind === 'rename' && (
        <>
          <div className={styles.field} data-wide>
            <label htmlFor={`${field}-pattern`}>{t('rename.pattern')}</label>
            <Input
              id={`${field}-pattern`}
              value={pattern}
              maxLength={100}
              onChange={({ target }) => setPattern(target.value)}
            />
            <span className={styles.soft}>
              {t('rename.hint', { name: '{name}', number: '{number}', folder: '{folder}' })}
            </span>
          </div>
          <div className={styles.field}>
            <label htmlFor={`${field}-first`}>{t('rename.first')}</label>
            <NumberField
              id={`${field}-first`}
              value={first}
              min={0}
              max={1_000_000}
              precision={0}
              onChange={(value) => value !== null && setFirst(value)}
            />
          </div>
          {pattern.trim() !== '' && (
            <NewNames asked={{ folderId, below: true, pattern, first, digits: DIGITS }} />
          )}
        </>
      )}
      <div className={styles.field} data-wide>
        <label htmlFor={`${field}-name`}>{t('start.name')}</label>
        <Input
          id={`${field}-name`}
          value={result}
          maxLength={200}
          onChange={({ target }) => setResult(target.value)}
        />
      </div>
      <Button
        type="primary"
        size="large"
        disabled={result.trim() === '' || pattern.trim() === ''}
        loading={start.isPending}
        onClick={() => start.mutate({ work: workOf(), name: result.trim() })}
      >
        {t(`start.${kind}`)}
      </Button>
    </div>
  )
}
