import { CompressOutlined } from '@ant-design/icons'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { Alert, Button, Segmented } from 'antd'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { LearnedMark } from '../learned/learned.tsx'
import type { Choice } from './choice.ts'
import { wholeView } from './draw/frame.ts'
import { ExportMenu } from './exports/export-menu.tsx'
import type { Exporting } from './exports/exporting.ts'
import { type SightName, sightOf } from './numbers/sight.ts'
import { planesOf } from './numbers/view-plane.ts'
import type { Bench } from './source.ts'
import type { Before } from './use-before.ts'
import styles from './viewer.module.css'

type BarProps = Pick<Choice, 'plane' | 'angles' | 'isBefore'> & {
  head: FlowStudy
  imageClarity: number
  isWhole: boolean
  hasBefore: boolean
  beforeIs: Bench['source']['beforeIs']
  before: Before
  setPlane: (plane: SightName | 'space') => void
  /** The whole volume is seen, which has files of its own. */
  isSpace: boolean
  change: (patch: Partial<Choice>) => void
  /** What is seen now. */
  exporting: { readonly current: Exporting | null }
  onKeepFigure: Bench['onKeepFigure']
}

/** Which plane, before or after, all of it, and the picture as a file or in the report. Its props stay the same while time goes on. */
export const PictureBar = memo((props: BarProps) => {
  const { head, plane, angles, isBefore, hasBefore, before, isWhole, setPlane, change } = props
  const { exporting, onKeepFigure, isSpace } = props
  const { t } = useTranslation('flow-view')
  const planes: (SightName | 'space')[] = [...planesOf(head), 'oblique', 'space']
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          aria-label={t('planeName')}
          value={isSpace ? 'space' : plane}
          onChange={setPlane}
          options={planes.map((value) => ({ value, label: t(`plane.${value}`) }))}
        />
        {hasBefore && !isSpace && (
          <BeforeSwitch {...{ isBefore, before, change, beforeIs: props.beforeIs }} />
        )}
        {head.sharpened && <LearnedMark factor={head.sharpened.factor} />}
        {!isSpace && (
          <span className={styles.tools}>
            <Button
              icon={<CompressOutlined aria-hidden />}
              disabled={isWhole}
              onClick={() => change({ view: wholeView(sightOf(head, { plane, angles }).shown) })}
              aria-label={t('fit')}
              title={t('fit')}
            />
            <ExportMenu
              {...{ exporting, onKeepFigure, imageClarity: props.imageClarity }}
              hasTime={head.frames > 1}
            />
          </span>
        )}
      </div>
      {before.state !== 'unopened' && before.state !== 'ready' && before.state !== 'loading' && (
        <Alert type="error" showIcon title={t(`failed.${before.state}`)} />
      )}
    </>
  )
})

type SwitchProps = Pick<BarProps, 'isBefore' | 'before' | 'change' | 'beforeIs'>

/** What was measured before what was made of it; what is interpolated behind what a network says. */
function BeforeSwitch({ isBefore, before, change, beforeIs = 'uncorrected' }: SwitchProps) {
  const { t } = useTranslation('flow-view')
  const options = {
    uncorrected: [
      { value: true, label: t('before.before') },
      { value: false, label: t('before.after') },
    ],
    interpolated: [
      { value: false, label: t('before.network') },
      { value: true, label: t('before.interpolated') },
    ],
  }
  const handleChange = async (wanted: boolean) => {
    if (!wanted || (await before.open())) change({ isBefore: wanted })
  }
  return (
    <Segmented
      aria-label={t(beforeIs === 'interpolated' ? 'before.which' : 'before.name')}
      aria-busy={before.state === 'loading'}
      disabled={before.state === 'loading'}
      value={isBefore}
      onChange={(wanted) => void handleChange(wanted)}
      options={options[beforeIs]}
    />
  )
}
