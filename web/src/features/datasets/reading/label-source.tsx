import type { Dataset } from '@neuroloom/contract/datasets'
import type { LabelColumn, LabelSource } from '@neuroloom/contract/reading/label-source'
import { Alert, Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './label-source.module.css'
import { useReadAs } from './use-read-as.ts'

/** Where it was read what the pictures show; where something else could be meant, its owner chooses. */
export function DatasetLabels({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('labels')
  const [isChanging, setIsChanging] = useState(false)
  const source = dataset.facts?.labelSource
  if (!source) return null
  const mayChange = dataset.owner === '' && source.candidates.length > 1
  return (
    <section className={styles.source} aria-label={t('title')}>
      <div className={styles.told}>
        <p>{sentenceOf(source, t)}</p>
        {source.name && <Name {...source.name} />}
        {source.tables.length > 1 && <p>{t('more', { count: source.tables.length - 1 })}</p>}
        {source.encoding !== null && <p>{t('encoding', { encoding: source.encoding })}</p>}
        {source.uncertain > 0 && <p>{t('uncertain', { count: source.uncertain })}</p>}
        {source.isUnsure && <Alert type="warning" showIcon title={t('unsure')} />}
      </div>
      {mayChange && <Button onClick={() => setIsChanging(true)}>{t('change')}</Button>}
      {isChanging && <Choice dataset={dataset} source={source} onClose={() => setIsChanging(false)} />}
    </section>
  )
}

type Say = ReturnType<typeof useTranslation<'labels'>>['t']

/** Columns of a table without titles are called by their number. */
const numberOf = (column: string): string | null => /^#(\d+)$/.exec(column)?.[1] ?? null

function sentenceOf({ from, name }: LabelSource, t: Say): string {
  if (from === null) return t(name === null ? 'folders' : 'names')
  const { path: table, column } = from
  const number = numberOf(column)
  if (number !== null) return t('numbered', { number, table })
  return column === '' ? t('marks', { table }) : t('column', { column, table })
}

function Name({ example, from, to }: NonNullable<LabelSource['name']>) {
  return (
    <code className={styles.name}>
      {example.slice(0, from)}
      <mark>{example.slice(from, to)}</mark>
      {example.slice(to)}
    </code>
  )
}

type ChoiceProps = { dataset: Dataset; source: LabelSource; onClose: () => void }

function Choice({ dataset, source, onClose }: ChoiceProps) {
  const { t } = useTranslation(['labels', 'common'])
  const [chosen, setChosen] = useState(0)
  const decide = useReadAs(onClose)
  const save = () => {
    const candidate = source.candidates[chosen]
    if (!candidate) return
    const { path, column } = candidate
    decide.mutate({ id: dataset.id, reading: { ...dataset.reading, labelColumn: { path, column } } })
  }
  return (
    <Modal
      open
      title={t('choose')}
      okText={t('save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: decide.isPending }}
      onOk={save}
      onCancel={onClose}
    >
      <p className={styles.about}>{t('chooseAbout')}</p>
      <Radio.Group
        vertical
        aria-label={t('choose')}
        value={chosen}
        onChange={(event) => setChosen(Number(event.target.value))}
        options={source.candidates.map(({ classes, items, ...candidate }, value) => ({
          value,
          label: (
            <span className={styles.option}>
              {optionOf(candidate, t)} <small>{t('counts', { classes, items })}</small>
            </span>
          ),
        }))}
      />
    </Modal>
  )
}

function optionOf({ path: table, column }: LabelColumn, t: Say): string {
  if (table === '') return t(column === 'folders' ? 'optionFolders' : 'optionNames')
  const number = numberOf(column)
  if (number !== null) return t('optionNumbered', { number, table })
  return column === '' ? t('optionMarks', { table }) : t('optionColumn', { column, table })
}
