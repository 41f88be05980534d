import { Handle } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useScreen } from '../../editor/screen.ts'
import { portName } from '../../panels/settings/port-name.ts'
import { inHandle, outHandle, sides } from '../flow.ts'
import { portAt } from '../geometry.ts'
import type { Item } from '../things.ts'
import styles from './ports.module.css'

/** One dot for each input above and each output below, or left and right. While a connection is drawn, what does not fit is pale. */
export const Ports = memo(function Ports({ item }: { item: Item }) {
  const { t } = useTranslation(['dripe', 'dripe-panels'])
  const { path, slots, outlets, isReadOnly, direction } = item
  const { inlet, outlet } = sides[direction]
  const styleOf = (end: 'in' | 'out', index: number, count: number) => {
    const [left, top] = portAt(end, { index, count }, item)
    return direction === 'right' ? { top } : { left }
  }
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
          position={inlet}
          className={styles.port ?? ''}
          style={styleOf('in', k, slots.length)}
          isConnectable={!isReadOnly}
          title={portName(port, k)}
          data-fit={marks[k] ?? 'o'}
          data-free={ref === null}
        />
      ))}
      {outlets.map((name, k) => (
        <Handle
          key={name}
          id={outHandle(name)}
          type="source"
          position={outlet}
          className={styles.port ?? ''}
          style={styleOf('out', k, outlets.length)}
          isConnectable={!isReadOnly}
          title={name === '' ? t('port.output') : portName(name, k)}
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
