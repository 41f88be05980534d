import type { ImageFacts } from '@neuroloom/contract/viewing'
import { Select, Slider } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { digitsOf, formatValue } from './format-value.ts'
import styles from './viewer.module.css'
import { boundsOf, stepOf, type Window } from './window.ts'

/** What computed tomography is read with, in Hounsfield units. */
const ctWindows = [
  { name: 'soft', center: 40, width: 400 },
  { name: 'lung', center: -600, width: 1500 },
  { name: 'bone', center: 500, width: 2000 },
  { name: 'brain', center: 40, width: 80 },
] as const

type WindowSliderProps = {
  facts: ImageFacts
  range: { min: number; max: number }
  volume: { window: Window; setWindow: (window: Window) => void }
}

/** Which values are black and which are white. */
export function WindowSlider({ facts, range, volume }: WindowSliderProps) {
  const { t } = useTranslation('files')
  // Values far from all others are reached by choosing all of them.
  const [isWhole, setIsWhole] = useState(false)
  const [low, high] = volume.window
  const step = stepOf(facts, isWhole)
  const [min, max] = boundsOf(facts, isWhole)
  const shown = (value: number): string => formatValue(value, digitsOf(step))
  const presets = presetsOf(facts, range)
  const labels: Record<string, string> = {
    usual: t('view.usualValues'),
    all: t('view.allValues'),
    ...Object.fromEntries(ctWindows.map(({ name }) => [name, t(`view.ct.${name}`)])),
  }
  return (
    <div className={styles.slider}>
      <span>{t('view.window')}</span>
      <Slider
        range
        min={min}
        max={max}
        step={step}
        value={[low, high]}
        tooltip={{ formatter: (value) => shown(value ?? 0) }}
        onChange={([from = range.min, to = range.max]) => volume.setWindow([from, to])}
      />
      <output>{t('view.levelWidth', { level: shown(low / 2 + high / 2), width: shown(high - low) })}</output>
      {presets.length > 0 && (
        <Select<number | null>
          className={styles.preset ?? ''}
          aria-label={t('view.presets')}
          value={null}
          placeholder={t('view.presets')}
          getPopupContainer={(node) => node.parentElement ?? document.body}
          onChange={(index) => {
            const chosen = index === null ? undefined : presets[index]
            if (!chosen) return
            setIsWhole(chosen.name === 'all')
            volume.setWindow(chosen.window)
          }}
          options={presets.map(({ name, label }, value) => ({ value, label: labels[name] ?? label }))}
        />
      )}
    </div>
  )
}

type Preset = { name: string; label: string; window: Window }

/** The file's own, those that everybody knows, and where single values stand apart: with and without them. */
function presetsOf(
  { windows, modality, unit, usual }: ImageFacts,
  { min, max }: { min: number; max: number },
): Preset[] {
  const around = (center: number, width: number): Window => [center - width / 2, center + width / 2]
  const own = windows.map(({ name, center, width }) => ({
    name: '',
    label: name === '' ? `${formatValue(center)} / ${formatValue(width)}` : name,
    window: around(center, width),
  }))
  const isCt = modality === 'CT' && unit === 'HU'
  const known = (isCt ? ctWindows : []).map(({ name, center, width }) => ({
    name,
    label: name,
    window: around(center, width),
  }))
  const isApart = usual !== null && (usual.min > min || usual.max < max)
  const wide: Preset[] = [
    ...(usual && isApart
      ? [{ name: 'usual', label: '', window: [usual.min, usual.max] satisfies Window }]
      : []),
    ...(isApart ? [{ name: 'all', label: '', window: [min, max] satisfies Window }] : []),
  ]
  return [...own, ...known, ...wide]
}
