import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import type { Choice } from '../viewer/choice.ts'
import type { Bar } from '../viewer/draw/bars.ts'
import { figureOf } from '../viewer/figure-of.ts'
import type { Picture } from '../viewer/numbers/asks.ts'
import type { Play } from '../viewer/use-play.ts'
import styles from './beside.module.css'
import { Pane } from './pane.tsx'
import { speedDifference } from './shared-tops.ts'
import type { Edit, Side, Two } from './use-pair.ts'

type DifferenceProps = {
  sides: Two<Side>
  pictures: Two<Picture | null>
  /** Of the first. */
  choice: Choice
  play: Play
  edit: (change: Edit) => void
}

/** Of the shared range of speed: where the colours of the difference end. */
const shares = [1, 0.5, 0.2, 0.1] as const

/** How much faster the second is than the first, at each voxel that has a speed in both. */
export function DifferencePane({ sides: [one, other], pictures, choice, play, edit }: DifferenceProps) {
  const { t } = useTranslation('flow-beside')
  const { t: ofView } = useTranslation('flow-view')
  const [share, setShare] = useState<number>(0.5)
  const [first, second] = pictures
  const values = first && second && speedDifference(first, second)
  const top = share * (first?.reference ?? 0)
  const side = { name: t('difference.title'), facts: one.facts }
  const picture = first && values && differenceOf(first, values, top)
  const plain =
    picture &&
    figureOf({
      ...{
        facts: one.facts,
        choice,
        picture,
        name: side.name,
        t: ofView,
        cuts: [],
        chosen: null,
        begun: null,
      },
    })
  const bar: Bar = {
    ...{ map: 'vorticity', title: t('difference.bar'), unit: ofView('unit.cms') },
    ...{ from: -100 * top, to: 100 * top, format: (value) => formatNumber(value, 2) },
    ends: { high: t('difference.faster'), low: t('difference.slower') },
  }
  const figure = plain && {
    ...plain,
    marks: { ...plain.marks, arrow: null },
    look: { ...plain.look, colours: 'difference' as const, hasArrows: false },
    bars: [bar],
  }
  return (
    <Pane {...{ side, choice, picture, figure, play, edit, values }} isFailed={false}>
      <p className={styles.soft}>{t('difference.about', { first: one.name, second: other.name })}</p>
      <Select<number>
        size="small"
        aria-label={t('difference.range')}
        value={share}
        onChange={setShare}
        options={shares.map((value) => ({
          value,
          label: t('difference.upTo', { speed: formatNumber(100 * value * (first?.reference ?? 0), 1) }),
        }))}
      />
    </Pane>
  )
}

const differenceOf = (first: Picture, values: Float32Array, top: number): Picture => ({
  ...{ ...first, lines: null, arrows: null, vortex: null },
  map: { name: 'difference', values, top },
})
