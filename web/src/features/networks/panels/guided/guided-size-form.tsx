import type { Dataset } from '@neuroloom/contract/datasets'
import { networkFileLimits } from '@neuroloom/contract/limits'
import { type PresetSize, presetSizes } from '@neuroloom/contract/network/templates'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { loadLibrary } from '../../library.ts'
import { useCreate } from '../home/use-create.ts'
import styles from './guided.module.css'
import { GuidedCost } from './guided-cost.tsx'
import { rangeOf, type Sizing, type Start, sized, startOf } from './guided-size.ts'
import { GuidedSliders } from './guided-sliders.tsx'

type Props = { start: Start & { dataset: Dataset }; onSize: (size: PresetSize) => void }

const asInTemplate: Sizing = {}

/** How large the chosen template becomes, what that costs, and the button that makes it. */
export function GuidedSize({ start, onSize }: Props) {
  const { t } = useTranslation(['dripe-panels', 'templates'])
  const { template, size, dataset } = start
  const of = `${template.id} ${size}`
  // Another template or size begins as it is.
  const [tuned, setTuned] = useState({ of, sizing: asInTemplate })
  const sizing = tuned.of === of ? tuned.sizing : asInTemplate
  const setSizing = (next: Sizing) => setTuned({ of, sizing: next })
  const create = useCreate()
  const submit = () => {
    const title = `${t(`templates:template.${template.id}.title`)}, ${dataset.name}`
    const name = title.slice(0, networkFileLimits.nameLength)
    const blockTitle = (block: string) => t(`templates:block.${block}`, { defaultValue: '' })
    void create.fromDocument(name, (library) => {
      const document = startOf(library, start, { name, blockTitle })
      return document && sized(document, sizing)
    })
  }
  return (
    <>
      <div className={styles.sizeRow}>
        <Segmented<PresetSize>
          aria-label={t('guided.size')}
          value={size}
          options={presetSizes.map((value) => ({ value, label: t(`guided.sizes.${value}`) }))}
          onChange={onSize}
        />
        {sizing === asInTemplate ? (
          <span className={styles.sizeNote}>{t(`guided.sizeNote.${size}`)}</span>
        ) : (
          <Button type="link" size="small" onClick={() => setSizing(asInTemplate)}>
            {t('guided.asTemplate')}
          </Button>
        )}
      </div>
      <Tuning start={start} sizing={sizing} onChange={setSizing} />
      <Button type="primary" block size="large" loading={create.isBusy} onClick={submit}>
        {t('guided.make')}
      </Button>
    </>
  )
}

type TuningProps = { start: Props['start']; sizing: Sizing; onChange: (sizing: Sizing) => void }

/** The networks are fetched when somebody gets here. */
function Tuning({ start, sizing, onChange }: TuningProps) {
  const {
    data: library,
    error,
    refetch,
  } = useQuery({
    queryKey: ['network library'],
    queryFn: loadLibrary,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { template, size, dataset } = start
  const document = useMemo(
    () => (library === undefined ? undefined : startOf(library, { template, size, dataset })),
    [library, template, size, dataset],
  )
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (library === undefined) return <Loading count={1} />
  if (document === undefined) return null
  const ranges = { width: rangeOf(document, 'width'), depth: rangeOf(document, 'depth') }
  return (
    <>
      <GuidedSliders ranges={ranges} sizing={sizing} onChange={onChange} />
      <GuidedCost start={document} sizing={sizing} library={library} dataset={dataset} />
    </>
  )
}
