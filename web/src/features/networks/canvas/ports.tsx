import { Handle, Position } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useScreen } from '../editor/screen.ts'
import { inHandle, outHandle } from './flow.ts'
import { portX } from './geometry.ts'
import styles from './ports.module.css'
import type { Item } from './scene.ts'

/** One dot for each input above and each output below. While a connection is drawn, what does not fit is pale. */
export const Ports = memo(function Ports({ item }: { item: Item }) {
  const { t } = useTranslation('dripe')
  const { path, slots, outlets, width, isReadOnly } = item
  const marks = useScreen(({ fits, aim }) => {
    if (fits === null) return ''
    const letter = (k: number) => (aim?.target === path && aim.slot === k ? 'a' : fitMark(fits, path, k))
    return slots.map((_, k) => letter(k)).join('')
  })
  return (
    <>
      {slots.map(({ port, ref }, k) => (
        <Handle
          // biome-ignore lint/suspicious/noArrayIndexKey: a port is its index
          key={k}
          id={inHandle(k)}
          type="target"
          position={Position.Top}
          className={styles.port ?? ''}
          style={{ left: portX(k, slots.length, width) }}
          isConnectable={!isReadOnly}
          title={port ?? t('port.input', { number: k + 1 })}
          data-fit={marks[k] ?? 'o'}
          data-free={ref === null}
        />
      ))}
      {outlets.map((name, k) => (
        <Handle
          key={name}
          id={outHandle(name)}
          type="source"
          position={Position.Bottom}
          className={styles.port ?? ''}
          style={{ left: portX(k, outlets.length, width) }}
          isConnectable={!isReadOnly}
          title={name === '' ? t('port.output') : name}
          data-fit={marks === '' ? 'o' : 'n'}
        />
      ))}
    </>
  )
})

/** y: fits, n: does not, o: nothing is being drawn. */
function fitMark(fits: ReadonlySet<string>, path: string, slot: number): 'y' | 'n' {
  return fits.has(`${path}|${slot}`) ? 'y' : 'n'
}
