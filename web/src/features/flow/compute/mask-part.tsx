import { Button, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import choice from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import styles from './compute.module.css'
import { type Draft, maskWays, type Problem } from './draft.ts'
import { Refusals } from './refusals.tsx'

/** Chooses one file of the cloud; the page composes it. Null: not exactly one was chosen. */
export type MaskPicker = (props: {
  open: boolean
  title: string
  onPick: (file: { id: string; name: string } | null) => void
  onClose: () => void
}) => ReactNode

type Mask = Draft['mask']
type Props = {
  value: Mask
  problems: readonly Problem[]
  picker: MaskPicker
  onChange: (value: Mask) => void
}

/** Where blood is: found by itself, by a level, or told by a file. */
export function MaskPart({ value, problems, picker, onChange }: Props) {
  const { t } = useTranslation('flow-project')
  const id = useId()
  return (
    <>
      <div className={choice.list} role="radiogroup" aria-label={t('form.mask')}>
        {maskWays.map((way) => (
          <ChoiceOption
            key={way}
            group={`${id}-mask`}
            id={way}
            title={t(`form.maskOf.${way}`)}
            about={t(`form.maskAbout.${way}`)}
            isChosen={value.way === way}
            onChoose={() => onChange({ ...value, way })}
          />
        ))}
      </div>
      {value.way === 'level' && (
        <div className={styles.field}>
          <label htmlFor={`${id}-level`}>{t('form.level')}</label>
          <NumberField
            id={`${id}-level`}
            aria-describedby={`${id}-level-help`}
            value={value.level}
            changeOnWheel={false}
            onChange={(level) => onChange({ ...value, level })}
          />
          <small id={`${id}-level-help`}>{t('form.levelHelp')}</small>
          <Refusals problems={problems} field="level" />
        </div>
      )}
      {value.way === 'file' ? (
        <MaskFile value={value} problems={problems} picker={picker} onChange={onChange} />
      ) : (
        <div className={styles.field}>
          <label htmlFor={`${id}-grow`}>{t('form.grow')}</label>
          <Input.TextArea
            id={`${id}-grow`}
            aria-describedby={`${id}-grow-help`}
            className={styles.places ?? ''}
            autoSize={{ minRows: 1, maxRows: 6 }}
            value={value.grow}
            onChange={({ target }) => onChange({ ...value, grow: target.value })}
          />
          <small id={`${id}-grow-help`}>{t('form.growHelp')}</small>
          <Refusals problems={problems} field="grow" />
        </div>
      )}
    </>
  )
}

function MaskFile({ value, problems, picker: Picker, onChange }: Props) {
  const { t } = useTranslation('flow-project')
  const [isPicking, setPicking] = useState(false)
  const [isSeveral, setSeveral] = useState(false)
  const { file } = value
  return (
    <div className={styles.field}>
      {file && <p>{file.name === null ? t('form.fileKept') : t('form.fileChosen', { name: file.name })}</p>}
      <Button onClick={() => setPicking(true)}>{t(file ? 'form.otherFile' : 'form.chooseFile')}</Button>
      {isSeveral ? (
        <p className={styles.refused} role="alert">
          {t('form.oneFile')}
        </p>
      ) : (
        <Refusals problems={problems} field="file" />
      )}
      <Picker
        open={isPicking}
        title={t('form.chooseFile')}
        onPick={(picked) => {
          setPicking(false)
          setSeveral(picked === null)
          if (picked) onChange({ ...value, file: picked })
        }}
        onClose={() => setPicking(false)}
      />
    </div>
  )
}
