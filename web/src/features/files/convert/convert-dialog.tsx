import type { Conversion, ConversionFormat } from '@neuroloom/contract/conversions'
import type { Entry } from '@neuroloom/contract/files'
import { conversions as limits } from '@neuroloom/contract/limits'
import { Alert, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import choice from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import styles from './convert.module.css'
import { ConvertOptions, defaults, type Options, optionsFor } from './convert-options.tsx'
import { factsOf, formatNames, formats, hasOneForm, isConvertible, isOfFormat } from './formats.ts'
import { conversionsAddress } from './use-conversion-news.ts'

type ConvertDialogProps = {
  entries: readonly Pick<Entry, 'id' | 'kind' | 'name'>[]
  onClose: () => void
  onStarted: (started: Conversion) => void
}

/** Into which format chosen images go, and what that keeps or loses; then the server does it. */
export function ConvertDialog({ entries, onClose, onStarted }: ConvertDialogProps) {
  const { t } = useTranslation('conversions')
  const navigate = useNavigate()
  const sources = entries.filter(isConvertible)
  const facts = factsOf(sources)
  const [format, setFormat] = useState<ConversionFormat>(facts.first)
  const [options, setOptions] = useState<Options>(defaults)
  const start = useAction('files/convert', {
    quiet: true,
    refresh: ['files/conversions'],
    onDone: (started) => {
      toast.success(t('start.started', { format: formatNames[format] }), {
        action: { label: t('start.show'), onClick: () => void navigate(conversionsAddress) },
      })
      onStarted(started)
      onClose()
    },
  })
  const wanted = sources.filter((source) => !isOfFormat(source, format))
  const ids = wanted.map(({ id }) => id)
  const ready = sources.length - wanted.length
  const hasFolder = sources.some(({ kind }) => kind === 'folder')
  const isTooMany = ids.length > limits.sources
  const leftOut = entries.length - sources.length
  return (
    <Modal
      open
      centered
      width={920}
      title={
        <span className={styles.title}>
          {t('start.title', { count: sources.length, name: sources[0]?.name ?? '' })}
        </span>
      }
      okText={t('start.go')}
      okButtonProps={{ disabled: isTooMany || ids.length === 0 }}
      confirmLoading={start.isPending}
      onOk={() => start.mutate({ ids, format, options: optionsFor(format, options, facts) })}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {leftOut > 0 && <p>{t('start.leftOut', { count: leftOut })}</p>}
        <fieldset className={choice.choices}>
          <legend className={choice.legend}>{t('start.format')}</legend>
          <div className={choice.list}>
            {formats.map((one) => (
              <ChoiceOption
                key={one}
                group="format"
                id={one}
                title={formatNames[one]}
                about={<small className={choice.note}>{t(`about.${one}`)}</small>}
                isChosen={one === format}
                onChoose={() => setFormat(one)}
              />
            ))}
          </div>
        </fieldset>
        <ConvertOptions {...{ format, facts, options }} onChange={setOptions} />
        {ready > 0 && <p>{t('start.ready', { count: ready, format: formatNames[format] })}</p>}
        {hasFolder && hasOneForm(format) && (
          <p>{t('start.readyInFolder', { format: formatNames[format] })}</p>
        )}
        <p className={styles.soft}>{t(hasFolder ? 'start.placeOfFolder' : 'start.place')}</p>
        {isTooMany && (
          <Alert
            type="warning"
            showIcon
            title={t('start.tooMany', { limit: formatNumber(limits.sources) })}
          />
        )}
        {start.isError && <Alert type="error" showIcon title={<RefusalText error={start.error} />} />}
      </div>
    </Modal>
  )
}
