/** One after the other: pages of a stack, slices, points in time; by hand, or played like a film. */
import { CaretRightOutlined, PauseOutlined, RetweetOutlined, SwapOutlined } from '@ant-design/icons'
import { Button, Select, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import type { Cine } from './use-cine.ts'
import styles from './viewer.module.css'

type AlongProps = {
  label: string
  count: number
  value: number
  onChange: (index: number) => void
  /** Where this is what is played. */
  cine: Cine | null
}

export function Along({ label, count, value, onChange, cine }: AlongProps) {
  return (
    <div className={styles.slider}>
      <span>{label}</span>
      <Slider
        min={1}
        max={count}
        value={value + 1}
        ariaLabelForHandle={label}
        onChange={(shown) => onChange(shown - 1)}
      />
      <span>
        {value + 1} / {count}
      </span>
      {cine && <Player cine={cine} />}
    </div>
  )
}

function Player({ cine }: { cine: Cine }) {
  const { t } = useTranslation('viewer')
  const isRound = cine.way === 'round'
  const way = t(isRound ? 'cine.round' : 'cine.back')
  return (
    <span className={styles.player}>
      <Button
        size="small"
        type={cine.isPlaying ? 'primary' : 'default'}
        icon={cine.isPlaying ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
        aria-label={t(cine.isPlaying ? 'cine.pause' : 'cine.play')}
        title={t(cine.isPlaying ? 'cine.pause' : 'cine.play')}
        onClick={cine.play}
      />
      <Select<number>
        size="small"
        aria-label={t('cine.rate')}
        popupMatchSelectWidth={false}
        getPopupContainer={(node) => node.parentElement ?? document.body}
        value={cine.rate}
        onChange={cine.setRate}
        options={cine.rates.map((rate) => ({
          value: rate,
          label: t('cine.perSecond', { rate: formatNumber(rate, 1) }),
        }))}
      />
      <Button
        size="small"
        icon={isRound ? <RetweetOutlined aria-hidden /> : <SwapOutlined aria-hidden />}
        aria-label={way}
        title={way}
        onClick={() => cine.setWay(isRound ? 'back' : 'round')}
      />
    </span>
  )
}
