/** How numbers of a run are written; sentences stand in flow-run.json. */
import type { FlowLight } from '@neuroloom/contract/flow/run'
import type { TFunction } from 'i18next'
import { formatNumber, formatRate } from '../../../lib/format.ts'

/** Three or so digits, and none that are not known. */
export function numberText(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size === 0 || size >= 100) return formatNumber(value, 0)
  if (size >= 1) return formatNumber(value, size < 10 ? 2 : 1)
  return value < 0 ? `−${formatRate(size)}` : formatRate(value)
}

const units = {
  voxels: 'voxels',
  mm: 'mm',
  ms: 'ms',
  VENC: 'venc',
  '%': 'percent',
  'cm/s': 'cms',
} as const satisfies Record<Exclude<FlowLight['unit'], ''>, string>

/** "2.3 mm". */
export function lightValue(value: number, unit: FlowLight['unit'], t: TFunction<'flow-run'>): string {
  const text = numberText(value)
  return unit === '' ? text : t(`value.${units[unit]}`, { value: text })
}
