import type { Scope } from '@neuroloom/contract/network/edit/graph'
import { describeType } from '@neuroloom/contract/network/resolve/rules'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../../editor/use-editor.ts'
import styles from './inspector.module.css'
import { sourcesFor } from './sources.ts'

type Props = {
  labelledBy: string
  scope: Scope
  /** Path in the plan of the graph around: '' or with a slash behind. */
  around: string
  /** null: a head. */
  target: string | null
  value: string | null
  onChoose: (source: string) => void
}

/** The nodes that may feed an input, each with the shape that it gives. */
export function SourceSelect({ labelledBy, scope, around, target, value, onChoose }: Props) {
  const { t } = useTranslation('dripe-panels')
  const [isOpen, setIsOpen] = useState(false)
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const types = useEditor(({ resolved }) => resolved.types)
  const options = useMemo(() => {
    if (!isOpen) return noOptions
    return sourcesFor(document, { scope, target }, vocabulary).map((ref) => {
      const type = types.get(around + ref) ?? types.get(`@${ref}`)
      return { value: ref, label: ref, shape: type === undefined ? '' : describeType(type) }
    })
  }, [isOpen, document, scope, target, vocabulary, types, around])
  return (
    <Select
      size="small"
      aria-labelledby={labelledBy}
      showSearch
      value={value}
      status={value === null ? 'warning' : ''}
      placeholder={t('inputs.open')}
      options={options}
      optionRender={({ data }) => (
        <span className={styles.option}>
          <span>{data.label}</span>
          <span className={styles.shape}>{data.shape}</span>
        </span>
      )}
      popupMatchSelectWidth={false}
      onOpenChange={setIsOpen}
      onChange={onChoose}
      notFoundContent={t('inputs.nothing')}
    />
  )
}

const noOptions: { value: string; label: string; shape: string }[] = []
