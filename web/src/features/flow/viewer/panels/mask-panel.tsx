import { Button, Radio, Slider } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../../lib/format.ts'
import type { Facts, MaskChoice } from '../numbers/asks.ts'
import styles from '../viewer.module.css'
import { type PanelProps, Toggle } from './layers-panel.tsx'

/** Per mille: fine enough to follow with the eye. */
const STEPS = 1000

/** Where there is blood: a level, seen at once. */
export function MaskPanel({ facts, choice, change, voxels }: PanelProps & { voxels: number | null }) {
  const { t } = useTranslation('flow-view')
  const { mask } = choice
  const set = (patch: Partial<typeof mask>) => change({ mask: { ...mask, ...patch } })
  const all = facts.head.size.reduce((product, side) => product * side, 1)
  return (
    <div className={styles.stack}>
      <Toggle
        label={t('mask.on')}
        hint={t('mask.about')}
        isOn={mask.isOn}
        onChange={(isOn) => set({ isOn })}
      />
      {mask.isOn && (
        <>
          {facts.hasMask && (
            <Radio.Group
              className={styles.radios ?? ''}
              aria-label={t('mask.which')}
              value={mask.isGiven}
              onChange={({ target }) => set({ isGiven: target.value })}
              options={[
                { value: true, label: t('mask.given') },
                { value: false, label: t('mask.byLevel') },
              ]}
            />
          )}
          {!mask.isGiven && <Level {...{ facts, mask, set }} />}
          <Toggle
            label={t('mask.largest')}
            hint={t('mask.largestAbout')}
            isOn={mask.isLargest}
            onChange={(isLargest) => set({ isLargest })}
          />
        </>
      )}
      {voxels !== null && (
        <p aria-live="polite">
          {voxels === 0
            ? t(mask.isGiven ? 'mask.emptyGiven' : 'mask.empty')
            : t('mask.voxels', {
                count: voxels,
                shown: formatNumber(voxels),
                share: formatPercent(voxels / all),
              })}
        </p>
      )}
      {!facts.hasMagnitude && <p className={styles.soft}>{t('mask.noMagnitude')}</p>}
    </div>
  )
}

type LevelProps = { facts: Facts; mask: MaskChoice; set: (patch: Partial<MaskChoice>) => void }

function Level({ facts, mask, set }: LevelProps) {
  const { t } = useTranslation('flow-view')
  return (
    <div className={styles.field}>
      <span>{t('mask.level', { level: formatPercent(mask.level) })}</span>
      <Slider
        min={0}
        max={STEPS}
        value={Math.round(STEPS * mask.level)}
        ariaLabelForHandle={t('mask.levelName')}
        tooltip={{ formatter: (value) => formatPercent((value ?? 0) / STEPS) }}
        onChange={(value) => set({ level: value / STEPS })}
      />
      <Button size="small" disabled={mask.level === facts.level} onClick={() => set({ level: facts.level })}>
        {t('mask.otsu', { level: formatPercent(facts.level) })}
      </Button>
    </div>
  )
}
