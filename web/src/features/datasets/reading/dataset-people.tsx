import type { Dataset, PeopleFacts } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './label-source.module.css'
import { useReadAs } from './use-read-as.ts'

/** Which columns of tables reports sum up; its owner chooses further ones. */
export function DatasetPeople({ dataset }: { dataset: Dataset }) {
  const { t, i18n } = useTranslation('people')
  const [isChanging, setIsChanging] = useState(false)
  const people = dataset.facts?.people
  if (!people) return null
  const columns = people.columns.map(({ name, items }) => t('column', { name, count: items }))
  const { unmatched = [] } = people
  const list = new Intl.ListFormat(i18n.language)
  const mayChange = dataset.owner === '' && people.options.length > 0
  return (
    <section className={styles.source} aria-label={t('title')}>
      <div className={styles.told}>
        {columns.length > 0 && <p>{t('told', { columns: list.format(columns) })}</p>}
        {columns.length === 0 && unmatched.length === 0 && <p>{t('silent')}</p>}
        {unmatched.length > 0 && (
          <>
            <p>{t('unmatched', { tables: list.format(unmatched), count: unmatched.length })}</p>
            <p className={styles.about}>{t('unmatchedRemedy')}</p>
          </>
        )}
      </div>
      {mayChange && <Button onClick={() => setIsChanging(true)}>{t('change')}</Button>}
      {isChanging && <Choice dataset={dataset} people={people} onClose={() => setIsChanging(false)} />}
    </section>
  )
}

type ChoiceProps = { dataset: Dataset; people: PeopleFacts; onClose: () => void }

function Choice({ dataset, people: { columns, options }, onClose }: ChoiceProps) {
  const { t } = useTranslation(['people', 'common'])
  const [chosen, setChosen] = useState(dataset.reading.people.filter((name) => options.includes(name)))
  const decide = useReadAs(onClose)
  const always = columns.filter(({ name }) => !options.includes(name)).length
  const isFull = always + chosen.length >= limits.personColumns
  return (
    <Modal
      open
      title={t('choose')}
      okText={t('save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: decide.isPending }}
      onOk={() => decide.mutate({ id: dataset.id, reading: { ...dataset.reading, people: chosen } })}
      onCancel={onClose}
    >
      <p className={styles.about}>{t('chooseAbout')}</p>
      <Checkbox.Group
        aria-label={t('choose')}
        value={chosen}
        onChange={setChosen}
        options={options.map((name) => ({
          value: name,
          label: <span className={styles.option}>{name}</span>,
          disabled: isFull && !chosen.includes(name),
        }))}
      />
      {isFull && <p className={styles.about}>{t('most', { count: limits.personColumns })}</p>}
    </Modal>
  )
}
