import type { Body } from '@neuroloom/contract/calls'
import { Segmented, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../lib/query.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import panel from '../panel.module.css'
import { Field } from '../settings/field.tsx'
import styles from './look.module.css'

export type LookImage = Body<'networks/look'>['image']
type Props = { image: LookImage; onChoose: (image: LookImage) => void }

/** The product's own sample, or an image of one of the member's data sets. */
export function LookImageChoice({ image, onChoose }: Props) {
  const { t } = useTranslation('dripe-panels')
  const [from, setFrom] = useState<'sample' | 'dataset'>('sample')
  const handleFrom = (next: 'sample' | 'dataset') => {
    setFrom(next)
    if (next === 'sample') onChoose({ from: 'sample' })
  }
  return (
    <>
      <Segmented
        block
        aria-label={t('look.image')}
        value={from}
        options={[
          { value: 'sample', label: t('look.sample') },
          { value: 'dataset', label: t('look.dataset') },
        ]}
        onChange={(value) => handleFrom(value === 'dataset' ? 'dataset' : 'sample')}
      />
      {from === 'dataset' ? <FromDataset image={image} onChoose={onChoose} /> : null}
    </>
  )
}

function FromDataset({ image, onChoose }: Props) {
  const { t } = useTranslation('dripe-panels')
  const [chosen, setChosen] = useState<string | null>(null)
  const { data, error, refetch } = useCall('datasets/list', { projectId: null }, { quiet: true })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={1} />
  const ready = data.datasets.filter(({ state }) => state === 'ready')
  if (ready.length === 0) return <p className={panel.note}>{t('look.noDataset')}</p>
  return (
    <>
      <Field label={t('look.datasetLabel')}>
        {(ids) => (
          <Select
            {...ids}
            size="small"
            value={chosen}
            placeholder={t('look.chooseDataset')}
            options={ready.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        )}
      </Field>
      {chosen === null ? null : <Items key={chosen} datasetId={chosen} image={image} onChoose={onChoose} />}
    </>
  )
}

function Items({ datasetId, image, onChoose }: Props & { datasetId: string }) {
  const { t } = useTranslation('dripe-panels')
  const { data, error, refetch } = useCall(
    'datasets/items',
    { id: datasetId, class: null, after: null },
    { quiet: true },
  )
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={2} />
  return (
    <div className={styles.items} role="radiogroup" aria-label={t('look.image')}>
      {data.items.slice(0, shown).map(({ id, name, image: address }) => {
        const isChosen = image.from === 'dataset' && image.itemId === id
        return (
          // biome-ignore lint/a11y/useSemanticElements: a picture that is chosen, not a list of small circles
          <button
            key={id}
            type="button"
            role="radio"
            aria-checked={isChosen}
            className={styles.item}
            title={name}
            onClick={() => onChoose({ from: 'dataset', datasetId, itemId: id })}
          >
            {address === null ? <span>{name}</span> : <img src={address} alt={name} loading="lazy" />}
          </button>
        )
      })}
    </div>
  )
}

/** Enough to find a typical one. */
const shown = 24
