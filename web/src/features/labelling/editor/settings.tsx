import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { windowPresets } from '@neuroloom/contract/window-presets'
import { Button, Radio, Slider, Switch } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import type { OpenedReading } from '../journal/opening.ts'
import { PIECES, SIZES, setSize, sizeOf } from '../tools/desk.ts'
import { wireFormsOf } from '../tools/tools.ts'
import styles from './editor.module.css'
import { useBench, useDesk } from './use-bench.ts'

/** Of the tool that is chosen, of colours and of brightness. */
export function Settings({ hasPixels, opened }: { hasPixels: boolean; opened: OpenedReading }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const desk = useDesk((all) => all)
  const set = (change: Partial<typeof desk>) => bench.desk.setState(change)
  return (
    <section className={styles.part}>
      <h2>{t('settings.title')}</h2>
      <OfTool marks={opened.set.marks} />
      {hasPixels && (
        <>
          <Row label={t('settings.size', { size: formatNumber(sizeOf(desk)) })}>
            {/* By its logarithm: small sizes need fine steps. */}
            <Slider
              min={0}
              max={100}
              value={(100 * Math.log(sizeOf(desk))) / Math.log(SIZES.most)}
              tooltip={{ formatter: null }}
              onChange={(part) => setSize(bench.desk, SIZES.most ** (part / 100))}
            />
          </Row>
          <Row label={t('settings.opacity')}>
            <Slider
              min={10}
              max={100}
              value={desk.opacity * 100}
              tooltip={{ formatter: null }}
              onChange={(value) => {
                set({ opacity: value / 100 })
                bench.renewColours()
              }}
            />
          </Row>
          <Choice label={t('settings.each')} value={desk.isEach} onChange={(isEach) => set({ isEach })} />
          <Choice
            label={t('settings.pressure')}
            value={desk.isByPressure}
            onChange={(isByPressure) => set({ isByPressure })}
          />
        </>
      )}
      <Choice
        label={t('settings.fingerPan')}
        value={desk.isFingerPan}
        onChange={(isFingerPan) => set({ isFingerPan })}
      />
      {bench.source.window && <Brightness opened={opened} />}
    </section>
  )
}

/** What the chosen tool alone has. */
function OfTool({ marks }: Pick<LabelSet, 'marks'>) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const { tool, tolerance, pieceSize, wireForm } = useDesk((all) => all)
  const forms = wireFormsOf(marks)
  switch (tool) {
    case 'wand':
      return (
        <Row label={t('settings.tolerance', { value: tolerance })}>
          <Slider
            min={1}
            max={128}
            value={tolerance}
            tooltip={{ formatter: null }}
            onChange={(chosen) => bench.desk.setState({ tolerance: chosen })}
          />
        </Row>
      )
    case 'superpixels':
      return (
        <Row label={t('settings.pieces', { size: formatNumber(pieceSize) })}>
          <Slider
            min={PIECES.least}
            max={PIECES.most}
            value={pieceSize}
            tooltip={{ formatter: null }}
            onChange={(chosen) => bench.desk.setState({ pieceSize: chosen })}
          />
        </Row>
      )
    case 'wire':
      if (forms.length < 2) return null
      return (
        <Row label={t('settings.wireForm')}>
          <Radio.Group
            size="small"
            optionType="button"
            aria-label={t('settings.wireForm')}
            options={forms.map((form) => ({ value: form, label: t(`wireForm.${form}`) }))}
            value={wireForm}
            onChange={({ target }) => bench.desk.setState({ wireForm: target.value })}
          />
        </Row>
      )
    default:
      return null
  }
}

function Brightness({ opened }: { opened: OpenedReading }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  useDesk(({ views }) => views)
  const { window } = bench.source
  const range = opened.image.facts?.range
  if (!window || !range) return null
  const [low, high] = window.get()
  const set = (nextLow: number, nextHigh: number) => {
    window.set(nextLow, nextHigh)
    bench.desk.setState(({ views }) => ({ views: views + 1 }))
  }
  const step = (range.max - range.min) / 500
  return (
    <>
      <Row label={t('settings.window', { low: formatNumber(low, 1), high: formatNumber(high, 1) })}>
        <Slider
          range
          min={Math.min(range.min, low)}
          max={Math.max(range.max, high)}
          step={step}
          value={[low, high]}
          tooltip={{ formatter: null }}
          onChange={([nextLow = low, nextHigh = high]) => set(nextLow, nextHigh)}
        />
      </Row>
      {opened.image.facts?.modality === 'CT' && (
        <div className={styles.presets}>
          {Object.entries(windowPresets).map(([name, { center, width }]) => (
            <Button key={name} size="small" onClick={() => set(center - width / 2, center + width / 2)}>
              {t(`window.${name}`)}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <span className={styles.rowName}>{label}</span>
      {children}
    </div>
  )
}

function Choice({
  label,
  value,
  onChange,
}: {
  label: string
  value: boolean
  onChange: (value: boolean) => void
}) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} size="small" checked={value} onChange={onChange} />
    </div>
  )
}
