import type { Dataset } from '@neuroloom/contract/datasets'
import type { DicomFacts, DicomWindow } from '@neuroloom/contract/dicom-data'
import { windowPresets } from '@neuroloom/contract/window-presets'
import { Button, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './window-choice.module.css'

type Preset = keyof typeof windowPresets
type Choice = Preset | 'own' | 'custom'
const presets = ['lung', 'bone', 'brain', 'softTissue'] as const satisfies Preset[]

/**
 * By which brightness the DICOM pictures of a data set are read, but for volumes, which keep all their values; and what the
 * reader found to be said of them.
 */
export function WindowChoice({ dataset }: { dataset: Dataset }) {
  const dicom = dataset.facts?.dicom
  const notes = dicom?.notes ?? []
  return (
    <>
      {dicom?.grey && <Told dataset={dataset} />}
      {notes.length > 0 && <ReaderNotes notes={notes} />}
    </>
  )
}

function ReaderNotes({ notes }: { notes: NonNullable<DicomFacts['notes']> }) {
  const { t } = useTranslation(['dicom-data', 'viewing'])
  return (
    <section className={styles.notes} aria-label={t('notes.title')}>
      <p>{t('notes.title')}</p>
      <ul>
        {notes.map(({ note: { name, params }, count }) => (
          <li key={`${name} ${JSON.stringify(params)}`}>
            {t(`viewing:notes.${name}`, params)}{' '}
            <small>{t('notes.count', { count, shown: formatNumber(count) })}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Told({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('dicom-data')
  const words = useWindowWords(dataset.reading.window)
  const [isChanging, setIsChanging] = useState(false)
  return (
    <section className={styles.told} aria-label={t('title')}>
      <p>
        {t('title')}: <strong>{words}</strong>
      </p>
      {dataset.owner === '' && <Button onClick={() => setIsChanging(true)}>{t('open')}</Button>}
      {isChanging && <WindowDialog dataset={dataset} onClose={() => setIsChanging(false)} />}
    </section>
  )
}

function useWindowWords(window: DicomWindow | null): string {
  const { t } = useTranslation('dicom-data')
  if (window === null) return t('now.own')
  const preset = presetOf(window)
  if (preset) return t(preset)
  return t('now.chosen', { center: formatNumber(window.center), width: formatNumber(window.width) })
}

const presetOf = ({ center, width }: DicomWindow): Preset | undefined =>
  presets.find((name) => windowPresets[name].center === center && windowPresets[name].width === width)

const choiceOf = (window: DicomWindow | null): Choice =>
  window === null ? 'own' : (presetOf(window) ?? 'custom')

function WindowDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const { t } = useTranslation(['dicom-data', 'common'])
  const now = dataset.reading.window
  const [choice, setChoice] = useState<Choice>(choiceOf(now))
  const [own, setOwn] = useState<DicomWindow>(now ?? windowPresets.softTissue)
  const window = windowOf(choice, own)
  const read = useAction('datasets/readAs', {
    refresh: ['datasets/list', 'datasets/detail', 'datasets/items', 'datasets/problems'],
    onDone: onClose,
  })
  return (
    <Modal
      open
      title={t('title')}
      okText={t('save')}
      okButtonProps={{ loading: read.isPending }}
      cancelText={t('common:cancel')}
      onOk={() => read.mutate({ id: dataset.id, reading: { ...dataset.reading, window } })}
      onCancel={onClose}
    >
      <div className={styles.dialog}>
        <p>{t('text')}</p>
        <Select<Choice>
          aria-label={t('choice')}
          value={choice}
          options={(['own', ...presets, 'custom'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={setChoice}
        />
        {choice === 'custom' && <OwnValues own={own} onChange={setOwn} />}
        <Preview datasetId={dataset.id} window={window} />
        {choice !== 'own' && <p className={styles.hint}>{t('hint')}</p>}
      </div>
    </Modal>
  )
}

function windowOf(choice: Choice, own: DicomWindow): DicomWindow | null {
  if (choice === 'own') return null
  return choice === 'custom' ? own : windowPresets[choice]
}

function OwnValues({ own, onChange }: { own: DicomWindow; onChange: (window: DicomWindow) => void }) {
  const { t } = useTranslation('dicom-data')
  return (
    <div className={styles.values}>
      <NumberField
        prefix={t('center')}
        aria-label={t('center')}
        value={own.center}
        onChange={(center) => center !== null && onChange({ ...own, center })}
      />
      <NumberField
        prefix={t('width')}
        aria-label={t('width')}
        min={1}
        value={own.width}
        onChange={(width) => width !== null && onChange({ ...own, width })}
      />
    </div>
  )
}

function Preview({ datasetId, window }: { datasetId: string; window: DicomWindow | null }) {
  const { t } = useTranslation('dicom-data')
  const { data } = useCall('datasets/windowPreview', { id: datasetId, window }, { keepPrevious: true })
  if (!data) return null
  const { name, before, after } = data
  return (
    <div className={styles.pictures}>
      <figure>
        <img src={before} alt={t('pictureBefore', { name })} />
        <figcaption>{t('before')}</figcaption>
      </figure>
      <figure>
        <img src={after} alt={t('pictureAfter', { name })} />
        <figcaption>{t('after')}</figcaption>
      </figure>
    </div>
  )
}
